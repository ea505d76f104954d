// app: life of the process, single instance, what the system would get.
import { EventEmitter } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as Electron from "electron";
import { startBrowser, stopBrowser } from "./browser.ts";
import { contentsEvents } from "./browser-window.ts";
import { IS_PACKAGED, USER_DATA } from "./settings.ts";
import { runningProcesses } from "./utility-process.ts";

const LOCK = join(USER_DATA, "instance.pid");
const CALLS = join(USER_DATA, "second-instances");
const events = new EventEmitter();
let isExiting = false;

/** What the system got. */
export const systemState: { badge: number; loginItem: boolean; protocolClient: string } = {
  badge: 0,
  loginItem: false,
  protocolClient: "",
};

type StandInApp = Pick<
  Electron.App,
  | "setName"
  | "commandLine"
  | "getPath"
  | "getVersion"
  | "getLocale"
  | "isPackaged"
  | "enableSandbox"
  | "requestSingleInstanceLock"
  | "whenReady"
  | "on"
  | "quit"
  | "exit"
  | "setBadgeCount"
  | "setLoginItemSettings"
  | "setAsDefaultProtocolClient"
  | "getAppMetrics"
>;

/** Stands for `app`. */
export const app: StandInApp = {
  setName: () => undefined,
  getPath: () => USER_DATA,
  getVersion: () => "0.1.0",
  getLocale: () => "en-US",
  isPackaged: IS_PACKAGED,
  commandLine: { removeSwitch: () => undefined } as unknown as Electron.CommandLine,
  enableSandbox: () => undefined,
  requestSingleInstanceLock: () => takeLock(),
  whenReady: startBrowser,
  on: ((name: string, listener: (...args: unknown[]) => void) => {
    (name === "web-contents-created" ? contentsEvents : events).on(name, listener);
    return app;
  }) as unknown as StandInApp["on"],
  quit: () => {
    let isPrevented = false;
    events.emit("before-quit", {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (!isPrevented) app.exit(0);
  },
  exit: (code = 0) => {
    if (isExiting) return;
    isExiting = true;
    rmSync(LOCK, { force: true });
    void stopBrowser().finally(() => process.exit(code));
  },
  setBadgeCount: (count = 0) => {
    systemState.badge = count;
    return true;
  },
  setLoginItemSettings: ({ openAtLogin }) => {
    systemState.loginItem = openAtLogin === true;
  },
  setAsDefaultProtocolClient: (scheme) => {
    systemState.protocolClient = scheme;
    return true;
  },
  getAppMetrics: () =>
    runningProcesses().map(({ name, pid }) => ({ name, pid, memory: { workingSetSize: 0 } })) as unknown as Electron.ProcessMetric[],
};

/** Lets the test play the system. */
export function emitAppEvent(name: string, ...args: unknown[]): void {
  events.emit(name, ...args);
}

function takeLock(): boolean {
  mkdirSync(CALLS, { recursive: true });
  if (existsSync(LOCK) && isRunning(Number(readFileSync(LOCK, "utf8")))) {
    const call = join(CALLS, String(process.pid));
    writeFileSync(call, JSON.stringify(process.argv));
    // The first instance reads whole calls only.
    renameSync(call, `${call}.json`);
    return false;
  }
  writeFileSync(LOCK, String(process.pid));
  watch(CALLS, () => {
    for (const name of readdirSync(CALLS).filter((entry) => entry.endsWith(".json"))) {
      const path = join(CALLS, name);
      const argv: unknown = JSON.parse(readFileSync(path, "utf8"));
      rmSync(path);
      events.emit("second-instance", {}, argv, "/");
    }
  }).unref();
  return true;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
