// Loaded into the real Electron before the shell: keeps the machine out of the test (its profile, login items, links, keychain), records
// what would be shown to a person, and takes the same orders as the stand-in.
import type * as Electron from "electron";
import { app, BrowserWindow, dialog, Notification, powerMonitor, safeStorage, session, shell, Tray } from "electron";
import type { DesktopState, Order } from "../stand-in/control.ts";
import { safeStorage as testStorage } from "../stand-in/safe-storage.ts";
import { USER_DATA } from "../stand-in/settings.ts";

type PermissionCheck = NonNullable<Parameters<Electron.Session["setPermissionCheckHandler"]>[0]>;

const shown = { tooltip: "", notifications: [] as Electron.Notification[], externals: [] as string[], dialogCount: 0 };
const system = { badge: 0, loginItem: false };
const answers: unknown[] = [];
let shownAfterMs: number | null = null;
let trayMenu: Electron.Menu | null = null;
let checkPermission: PermissionCheck | undefined;

app.setPath("userData", USER_DATA);
Object.assign(safeStorage, testStorage);
Object.assign(app, {
  setBadgeCount: (count = 0): boolean => {
    system.badge = count;
    return true;
  },
  setLoginItemSettings: ({ openAtLogin }: Electron.Settings): void => {
    system.loginItem = openAtLogin === true;
  },
  setAsDefaultProtocolClient: (): boolean => true,
});
Object.assign(shell, {
  openExternal: (url: string): Promise<void> => {
    shown.externals.push(url);
    return Promise.resolve();
  },
});
const answerDialog = (fallback: unknown): Promise<unknown> => {
  shown.dialogCount += 1;
  return Promise.resolve(answers.shift() ?? fallback);
};
Object.assign(dialog, {
  showErrorBox: (title: string, content: string): void => void process.stderr.write(`${title}: ${content}\n`),
  showMessageBox: () => answerDialog({ response: 1 }),
  showOpenDialog: () => answerDialog({ canceled: true, filePaths: [] }),
});
Object.assign(Notification, { isSupported: () => true });
Object.assign(Notification.prototype, {
  show(this: Electron.Notification): void {
    shown.notifications.push(this);
  },
  close(this: Electron.Notification): void {
    shown.notifications = shown.notifications.filter((other) => other !== this);
  },
});
const setContextMenu = Tray.prototype.setContextMenu;
const setToolTip = Tray.prototype.setToolTip;
Object.assign(Tray.prototype, {
  setContextMenu(this: Electron.Tray, menu: Electron.Menu | null): void {
    trayMenu = menu;
    setContextMenu.call(this, menu);
  },
  setToolTip(this: Electron.Tray, text: string): void {
    shown.tooltip = text;
    setToolTip.call(this, text);
  },
});
app.on("browser-window-created", (_, window) => {
  window.once("show", () => {
    shownAfterMs ??= performance.now();
  });
});
app.on("session-created", (created) => {
  const setHandler = created.setPermissionCheckHandler.bind(created);
  created.setPermissionCheckHandler = (handler): void => {
    checkPermission = handler ?? undefined;
    setHandler(handler);
  };
});

Object.assign(globalThis, { parleyRecorder: { obey } });

/** What an order gives; nothing but plain values crosses to the test. */
function obey(order: Order): unknown {
  const window = BrowserWindow.getAllWindows()[0];
  switch (order.type) {
    case "state":
      return stateOfDesktop(window);
    case "power":
      powerMonitor.emit(order.event);
      return null;
    case "openUrl":
      app.emit("open-url", { preventDefault: () => undefined }, order.url);
      return null;
    case "clickNotification":
      shown.notifications[order.index]?.emit("click");
      return null;
    case "clickTray":
      trayMenu?.items.find(({ label }) => label === order.label)?.click();
      return null;
    case "closeWindow":
      window?.close();
      return null;
    case "blurWindow":
      window?.blur();
      return null;
    case "moveLastWindow": {
      const last = BrowserWindow.getAllWindows().at(-1);
      const [x = 0, y = 0] = last?.getPosition() ?? [];
      last?.setPosition(x + 8, y + 8);
      return null;
    }
    case "answerDialog":
      return answers.push(order.answer);
    case "checkPermission":
      return checkPermission?.(null, order.permission as Parameters<PermissionCheck>[1], order.origin, {} as never) ?? null;
    case "quit":
      app.quit();
      return null;
  }
}

function stateOfDesktop(window: BrowserWindow | undefined): DesktopState {
  return {
    isWindowVisible: window === undefined ? null : window.isVisible(),
    isWindowFocused: window?.isFocused() === true,
    shownAfterMs,
    mainPid: process.pid,
    tooltip: shown.tooltip,
    trayLabels: trayMenu?.items.flatMap(({ label }) => (label === "" ? [] : [label])) ?? [],
    notifications: shown.notifications.map(({ title, body }) => ({ title, body })),
    badge: system.badge,
    loginItem: system.loginItem,
    isSpellingChecked: session.defaultSession.isSpellCheckerEnabled(),
    externals: shown.externals,
    dialogCount: shown.dialogCount,
    processes: app.getAppMetrics().flatMap(({ name, pid }) => (name?.startsWith("Parley ") === true ? [{ name, pid }] : [])),
  };
}
