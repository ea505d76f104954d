// Builds the parts of the desktop shell and wires them to each other.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  MessageChannelMain,
  Notification,
  nativeImage,
  net,
  safeStorage,
  screen,
  session,
  Tray,
  utilityProcess,
} from "electron";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import { hostClock, hostTimers } from "#shared/util/host.ts";
import type { AppsDesk } from "./apps/apps-desk.ts";
import { composeApps } from "./apps/compose-apps.ts";
import { ConfirmationDesk } from "./confirmation/confirmation-desk.ts";
import { windowLanguage } from "./confirmation/window-language.ts";
import { DesktopApp } from "./desktop-app.ts";
import { EndpointFile } from "./files/endpoint-file.ts";
import { nodeEnvironment } from "./files/environment.ts";
import { keepPort, readKeptPort } from "./files/kept-port.ts";
import { firstStartFlags, PROGRAM, type ProfilePaths, profilePaths } from "./files/paths.ts";
import { makePrivateProfile } from "./files/private-profile.ts";
import { RotatingLog } from "./files/rotating-log.ts";
import { PdfFiles } from "./files/save-pdf.ts";
import { openSettingsFile, type SettingsFile } from "./files/settings-file.ts";
import { installSecurity } from "./install-security.ts";
import { createHandlers } from "./ipc/handlers.ts";
import { installApprovals, installCalls, installConfirmations, sendEvent } from "./ipc/install-calls.ts";
import { createMachineBinding, type MachineBinding } from "./machine/machine-binding.ts";
import { machineId } from "./machine/machine-id.ts";
import { createSystemKeychain } from "./machine/system-keychain.ts";
import { createAppTray } from "./menus/app-tray.ts";
import type { TrayItem, TrayState } from "./menus/tray-menu.ts";
import { type ChosenPort, choosePort } from "./processes/choose-port.ts";
import { type KeyringProcess, startKeyringProcess } from "./processes/keyring-process.ts";
import { NodeHost } from "./processes/node-host.ts";
import { startNodeProcess } from "./processes/node-process.ts";
import { flagsForNode } from "./security/program-arguments.ts";
import { createUpdater } from "./updates/create-updater.ts";
import { isSignedRelease, type ReleaseSource, readReleaseSource } from "./updates/release-source.ts";
import { createUpdateControl, type UpdateControl } from "./updates/update-control.ts";
import { createConfirmationWindow, createWindow } from "./windows/create-window.ts";
import { NotificationCenter, type ShownNotification } from "./windows/notification-center.ts";
import { recallWindowState, rememberWindow } from "./windows/window-memory.ts";

const LOG_LIMITS = { maxBytes: 5 * 1024 * 1024, maxFiles: 4 };
/** Written by the packager when the release has an update feed. */
const UPDATE_FEED_FILE = "app-update.yml";

/** What belongs to the person who runs the app. */
export interface Profile {
  readonly paths: ProfilePaths;
  readonly settings: SettingsFile;
  readonly log: RotatingLog;
  /** Writes a failure to the log. */
  readonly note: (error: unknown) => void;
  /** Folder of the node's data in use. */
  readonly dataFolder: () => string;
}

/** The composed shell. */
export interface ComposedDesktop {
  readonly desktop: DesktopApp;
  readonly profile: Profile;
  readonly updates: UpdateControl;
}

/** Builds everything; nothing is started yet. */
export async function composeDesktop(): Promise<ComposedDesktop> {
  const startedAtMs = Date.now();
  const profile = openProfile();
  const apiToken = randomBytes(32).toString("hex");
  const { port, taken } = await choosePortOf(profile);
  const endpoint = new EndpointFile({ path: profile.paths.endpoint, pid: process.pid, note: profile.note });
  const computer = await machineId(process.platform);
  const machine = createMachineBinding(computer);
  const desk = createConfirmationDesk(profile);
  const links: KeyringLinks = { apps: () => apps, onAccounts: (accounts) => node.setAccounts(accounts) };
  const keyring: KeyringProcess = createKeyring(profile, desk, computer, links);
  const apps: AppsDesk = composeApps({ ...profile, endpoint, keyring, showNotification, desktop: () => desktop });
  const node: NodeHost = createNodeHost({ ...profile, machine, endpoint, apps }, { port, apiToken }, () => desktop);
  const notifications = new NotificationCenter({
    show: showNotification,
    preview: (): NotificationPreview => profile.settings.settings.notifications,
    isWatched: (): boolean => desktop.isWatched,
    open: (path): void => desktop.show(path),
  });
  const draw = createTray(() => desktop);
  const desktop: DesktopApp = new DesktopApp({
    node,
    keyring,
    apps,
    notifications,
    settings: () => profile.settings.settings,
    createWindow: (path, isShown) => openWindow(profile, path, isShown),
    send: sendEvent,
    onChange: () => draw({ unread: desktop.unread, node: node.state.kind, isWindowVisible: desktop.isWindowVisible }),
    onEnd: () => endpoint.remove(),
    exit: () => app.exit(0),
  });
  const releases = releaseSource();
  const updates: UpdateControl = createUpdateControl({
    updater: await createUpdater(releases !== undefined),
    isEnabled: releases !== undefined,
    isSigned: async (found) =>
      releases !== undefined && (await isSignedRelease(releases, (url, init) => net.fetch(String(url), init), found)),
    onState: (state) => desktop.tell({ type: "update", state }),
    quit: (install) => desktop.quit(install),
  });
  const checkSpelling = (isEnabled: boolean): void => session.defaultSession.setSpellCheckerEnabled(isEnabled);
  checkSpelling(profile.settings.settings.spellCheck);
  installSecurity({
    apiToken,
    nodePort: port,
    root: PROGRAM.renderer,
    otherNode: () => profile.settings.settings.otherNode,
  });
  const window = (): BrowserWindow | undefined => desktop.window;
  const { settings, log, note, dataFolder } = profile;
  installCalls(
    createHandlers({
      ...{ app, dialog, desktop, settings, node, keyring, apps, notifications, updates, log, window, dataFolder, machine, startedAtMs },
      takenPort: taken,
      fetch: (url, init) => net.fetch(url, init),
      checkSpelling,
      pdfs: new PdfFiles({ dialog, window, folder: () => app.getPath("documents") }),
      confirm: (decision) => desk.ask(decision),
    }),
    note,
  );
  installConfirmations(desk);
  installApprovals(apps.window);
  return { desktop, profile, updates };
}

function releaseSource(): ReleaseSource | undefined {
  const hasFeed = app.isPackaged && existsSync(join(process.resourcesPath, UPDATE_FEED_FILE));
  return hasFeed ? readReleaseSource(app.getAppPath()) : undefined;
}

function openProfile(): Profile {
  const userData = app.getPath("userData");
  const paths = profilePaths(userData);
  makePrivateProfile(userData, paths);
  const settings = openSettingsFile(paths.settings);
  const log = new RotatingLog({ folder: paths.logs, name: "parley", ...LOG_LIMITS });
  return {
    paths,
    settings,
    log,
    note: (error) => log.write(`${new Date().toISOString()} ${error instanceof Error ? error.stack : String(error)}\n`),
    dataFolder: () => settings.settings.dataFolder ?? paths.nodeData,
  };
}

/** The port of the settings, or the one of the first start, which is kept for programs of the user. */
async function choosePortOf({ paths, settings, note }: Profile): Promise<ChosenPort> {
  const preferred = settings.settings.apiPort;
  const kept = readKeptPort(paths.nodePort);
  const chosen = await choosePort({ preferred, kept, random: Math.random });
  if (preferred === null && kept === null) {
    try {
      keepPort(paths.nodePort, chosen.port);
    } catch (error) {
      note(error);
    }
  }
  return chosen;
}

function createNodeHost(
  profile: Profile & { readonly machine: MachineBinding; readonly endpoint: EndpointFile; readonly apps: AppsDesk },
  access: { readonly port: number; readonly apiToken: string },
  desktop: () => DesktopApp,
): NodeHost {
  const { settings, log, dataFolder, machine, note, endpoint, apps } = profile;
  return new NodeHost({
    start: () =>
      startNodeProcess({
        utilityProcess,
        createChannel: () => new MessageChannelMain(),
        entry: PROGRAM.node,
        contractsEntry: PROGRAM.contracts,
        environment: nodeEnvironment(),
        settings: settings.settings,
        isCopied: machine.isCopied(dataFolder()),
        dataFolder: dataFolder(),
        ...access,
        flags: [...firstStartFlags(settings.settings.dataFolder, dataFolder()), ...flagsForNode(process.argv, app.isPackaged)],
        log: (text) => log.write(text),
      }),
    timers: hostTimers,
    onState: (state): void => {
      if (state.kind === "ready") bindMachine(machine, dataFolder(), note);
      desktop().tell({ type: "node", state });
    },
    onServing: (serving): void => {
      endpoint.setNode(serving);
      apps.gateway.setNode(serving);
    },
  });
}

/** A folder that cannot be bound works as before; it only would not be known as a copy. */
function bindMachine(machine: MachineBinding, dataFolder: string, note: (error: unknown) => void): void {
  try {
    machine.bind(dataFolder);
  } catch (error) {
    note(error);
  }
}

function createConfirmationDesk({ settings }: Profile): ConfirmationDesk {
  return new ConfirmationDesk({
    openWindow: () => createConfirmationWindow(BrowserWindow, PROGRAM.confirmationPreload),
    language: () => windowLanguage(settings.settings, app.getLocale()),
    clock: hostClock,
  });
}

interface KeyringLinks {
  readonly apps: () => AppsDesk;
  readonly onAccounts: (accounts: readonly string[]) => void;
}

function createKeyring(
  { paths, note }: Profile,
  desk: ConfirmationDesk,
  machine: string,
  { apps, onAccounts }: KeyringLinks,
): KeyringProcess {
  return startKeyringProcess({
    utilityProcess,
    createChannel: () => new MessageChannelMain(),
    entry: PROGRAM.keyring,
    folder: paths.vault,
    machine,
    keychain: createSystemKeychain(safeStorage, process.platform),
    confirm: (decision) => desk.ask(decision),
    note,
    onAccounts,
    onStart: () => apps().keyringStarted(),
    onExit: (code): void => {
      note(`the keyring's process ended with ${code}`);
      apps().keyringEnded();
    },
  });
}

function createTray(desktop: () => DesktopApp): (state: TrayState) => void {
  return createAppTray({
    create: (icon) => new Tray(icon),
    icon: nativeImage.createFromPath(PROGRAM.trayIcon),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    act: (id) => actOnTray(id, desktop()),
    setBadge: (count) => void app.setBadgeCount(count),
  });
}

function openWindow({ paths }: Profile, path: string, isShown: boolean): BrowserWindow {
  const window = createWindow(BrowserWindow, {
    preload: PROGRAM.preload,
    state: recallWindowState(paths.windowState, screen),
    isShown,
    path,
  });
  rememberWindow(paths.windowState, window);
  return window;
}

function actOnTray(id: TrayItem["id"], desktop: DesktopApp): void {
  if (id === "toggle") desktop.toggle();
  else if (id === "compose") desktop.show("/inbox/new");
  else if (id === "lock") desktop.lock("menu");
  else if (id === "quit") void desktop.quit();
}

function showNotification(content: { readonly title: string; readonly body: string }): ShownNotification | undefined {
  if (!Notification.isSupported()) return undefined;
  const notification = new Notification(content);
  notification.show();
  return { onClick: (listener) => void notification.on("click", listener), close: () => notification.close() };
}
