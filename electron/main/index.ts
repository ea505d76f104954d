// Entry of the desktop shell: one instance, its life from start to an orderly end.
import { statfs } from "node:fs/promises";
import { app, dialog, Menu, powerMonitor, protocol } from "electron";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { hostTimers } from "#shared/util/host.ts";
import { type ComposedDesktop, composeDesktop } from "./compose-desktop.ts";
import type { DesktopApp } from "./desktop-app.ts";
import { watchDisk } from "./files/disk-watch.ts";
import { listenToPower } from "./machine/power-events.ts";
import { applicationMenu } from "./menus/application-menu.ts";
import { APP_SCHEME } from "./protocol/app-protocol.ts";
import { deepLinkOfArguments } from "./protocol/parse-deep-link.ts";
import { refuseSwitches } from "./security/program-arguments.ts";
import { watchUpdates } from "./updates/update-watch.ts";

/** Starts in the tray, as at login. */
const HIDDEN_FLAG = "--hidden";

app.setName("Parley");
refuseSwitches(app.commandLine, app.isPackaged);
protocol.registerSchemesAsPrivileged([APP_SCHEME]);
app.enableSandbox();
if (app.requestSingleInstanceLock()) void app.whenReady().then(run).catch(fail);
else app.quit();

async function run(): Promise<void> {
  const { desktop, profile, updates } = await composeDesktop();
  listenToApp(desktop);
  listenToMachine({ desktop, profile });
  watchUpdates({
    isEnabled: () => profile.settings.settings.updateCheck,
    check: () => updates.check(),
    timers: hostTimers,
    random: Math.random,
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      applicationMenu(process.platform, {
        open: (path) => desktop.show(path),
        lock: () => desktop.lock("menu"),
        quit: () => void desktop.quit(),
      }),
    ),
  );
  desktop.start(process.argv.includes(HIDDEN_FLAG), deepLinkOfArguments(process.argv));
}

/** Without a profile there is no window to say it in. */
function fail(error: unknown): void {
  dialog.showErrorBox("Parley cannot start", isCodedError(error) ? error.message : `Unexpected failure: ${String(error)}`);
  app.exit(1);
}

function listenToMachine({ desktop, profile }: Pick<ComposedDesktop, "desktop" | "profile">): void {
  listenToPower(powerMonitor, {
    lock: (reason) => desktop.lock(reason),
    resume: () => desktop.tell({ type: "resume" }),
    shutdown: () => void desktop.quit(),
  });
  watchDisk({
    freeBytes: async (): Promise<number> => {
      const { bavail, bsize } = await statfs(profile.dataFolder());
      return bavail * bsize;
    },
    timers: hostTimers,
    onLevel: (level, freeBytes) => desktop.tell({ type: "disk", level, freeBytes }),
  });
}

function listenToApp(desktop: DesktopApp): void {
  app.setAsDefaultProtocolClient("parley");
  app.on("second-instance", (_, argv) => {
    const link = deepLinkOfArguments(argv);
    if (link === undefined) desktop.show();
    else desktop.openLink(link);
  });
  app.on("open-url", (event, url) => {
    event.preventDefault();
    desktop.openLink(url);
  });
  app.on("activate", () => desktop.show());
  app.on("window-all-closed", () => undefined);
  app.on("before-quit", (event) => {
    // An update that is being installed quits by itself, after everything has ended.
    if (desktop.hasEnded) return;
    event.preventDefault();
    void desktop.quit();
  });
}
