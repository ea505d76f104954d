// The same app on Electron's real binary, through Playwright's driver. Nothing here runs where there is no binary.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { _electron } from "playwright-core";
import { ROOT } from "#build/scripts/process.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import type { DesktopProfile, StartedApp } from "./desktop-world.ts";
import type { Order } from "./stand-in/control.ts";

/** The binary that `npm run test:electron` found; undefined: the stand-in runs. */
export const ELECTRON = process.env.PARLEY_TEST_ELECTRON;
/** The recorder as one CommonJS file, made before the run. */
const RECORDER = join(ROOT, ".cache/electron-recorder/recorder.cjs");
const MAIN = join(ROOT, "dist/electron/main.mjs");

/** Starts the app and waits for its window. */
export async function startElectron(profile: DesktopProfile, args: readonly string[]): Promise<StartedApp> {
  const app = await _electron.launch({
    executablePath: ELECTRON ?? "",
    cwd: ROOT,
    // Playwright would switch Chromium's sandbox off: with it this would be another app.
    chromiumSandbox: true,
    args: ["-r", RECORDER, MAIN, ...args],
    env: environment(profile),
  });
  const child = app.process();
  const ended = endOf(child);
  const order = (given: Order): Promise<unknown> =>
    app.evaluate(
      (_, asked) => (globalThis as unknown as { readonly parleyRecorder: { obey(asked: Order): unknown } }).parleyRecorder.obey(asked),
      given,
    );
  // A window is there before it has loaded anything.
  const page = await pollUntil(async () => app.windows().find((window) => !["", "about:blank"].includes(window.url())), {
    what: "the window",
  });
  return { page, pages: () => app.windows(), order, ended, hasEnded: () => child.exitCode !== null };
}

/** Starts the app without a driver: for a start that ends by itself. */
export function spawnElectron(profile: DesktopProfile, args: readonly string[]): ChildProcess {
  return spawn(ELECTRON ?? "", ["-r", RECORDER, MAIN, ...args], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    env: environment(profile),
  });
}

function environment(profile: DesktopProfile): Record<string, string> {
  const names = ["PATH", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "SystemRoot", "TEMP"];
  const kept = names.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(kept),
    HOME: profile.folder,
    STANDIN_USER_DATA: profile.folder,
    STANDIN_STORAGE_BACKEND: profile.keychain,
  };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}
