// Tray, menus, notifications, dialogs and what else a desktop shows: recorded, and moved by the test.
import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type * as Electron from "electron";
import { protocolOf } from "./browser.ts";

/** A line of a menu as the app described it. */
export type MenuTemplate = readonly Electron.MenuItemConstructorOptions[];

/** What the desktop shows. */
export const shown: {
  tooltip: string;
  trayMenu: MenuTemplate;
  appMenu: MenuTemplate;
  notifications: StandInNotification[];
  externals: string[];
  dialogs: unknown[];
  isSpellingChecked: boolean;
} = { tooltip: "", trayMenu: [], appMenu: [], notifications: [], externals: [], dialogs: [], isSpellingChecked: false };
/** Responses that the test gives to the next dialogs. */
export const dialogAnswers: unknown[] = [];
const power = new EventEmitter();

interface BuiltMenu {
  readonly template: MenuTemplate;
}

/** Stands for `Menu`. */
export const Menu = {
  buildFromTemplate: (template: MenuTemplate): BuiltMenu => ({ template }),
  setApplicationMenu: (menu: BuiltMenu | null): void => {
    shown.appMenu = menu?.template ?? [];
  },
};

/** Stands for `Tray`. */
export class Tray extends EventEmitter {
  setToolTip(text: string): void {
    shown.tooltip = text;
  }
  setContextMenu(menu: BuiltMenu): void {
    shown.trayMenu = menu.template;
  }
}

class StandInNotification extends EventEmitter {
  readonly title: string;
  readonly body: string;
  constructor(options: Electron.NotificationConstructorOptions) {
    super();
    this.title = options.title ?? "";
    this.body = options.body ?? "";
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    shown.notifications.push(this);
  }
  close(): void {
    shown.notifications = shown.notifications.filter((other) => other !== this);
  }
}
export const Notification = StandInNotification as unknown as typeof Electron.Notification;

/** Stands for `dialog`. */
export const dialog = {
  showMessageBox: (options: unknown): Promise<unknown> => {
    shown.dialogs.push(options);
    return Promise.resolve(dialogAnswers.shift() ?? { response: 1 });
  },
  showErrorBox: (title: string, content: string): void => void process.stderr.write(`${title}: ${content}\n`),
  showOpenDialog: (options: unknown): Promise<unknown> => {
    shown.dialogs.push(options);
    return Promise.resolve(dialogAnswers.shift() ?? { canceled: true, filePaths: [] });
  },
};

/** Stands for `shell`. */
export const shell: Pick<Electron.Shell, "openExternal"> = {
  openExternal: (url) => {
    shown.externals.push(url);
    return Promise.resolve();
  },
};

/** Stands for `powerMonitor`. */
export const powerMonitor = power as unknown as Pick<Electron.PowerMonitor, "on">;

/** Lets the test play the machine. */
export function emitPowerEvent(name: string): void {
  power.emit(name);
}

/** Stands for `screen`: one display. */
export const screen = {
  getAllDisplays: (): Pick<Electron.Display, "workArea">[] => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};

/** Stands for `nativeImage`. */
export const nativeImage = { createFromPath: (path: string): { readonly path: string } => ({ path }) };

/** Permission handlers, as the app set them. */
export const permissions: {
  request?: Parameters<Electron.Session["setPermissionRequestHandler"]>[0];
  check?: Parameters<Electron.Session["setPermissionCheckHandler"]>[0];
} = {};

/** Stands for `session`. */
export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: NonNullable<typeof permissions.request>): void => {
      permissions.request = handler;
    },
    setPermissionCheckHandler: (handler: NonNullable<typeof permissions.check>): void => {
      permissions.check = handler;
    },
    setDevicePermissionHandler: (): void => undefined,
    setSpellCheckerEnabled: (isEnabled: boolean): void => {
      shown.isSpellingChecked = isEnabled;
    },
  },
  /** A session of its own: what serves its scheme. What it refuses only Electron's binary shows. */
  fromPartition: (partition: string): object => ({
    protocol: protocolOf(partition),
    webRequest: { onBeforeRequest: (): void => undefined },
    setPermissionRequestHandler: (): void => undefined,
    setPermissionCheckHandler: (): void => undefined,
    setDevicePermissionHandler: (): void => undefined,
    setSpellCheckerEnabled: (): void => undefined,
  }),
};

/** Stands for `net`: files as Electron serves them, the rest by this process. */
export const net = {
  fetch: async (url: string, init?: RequestInit): Promise<Response> => {
    if (!url.startsWith("file:")) return await fetch(url, init);
    const path = fileURLToPath(url);
    return new Response(await readFile(path), { headers: { "content-type": contentType(path) } });
  },
};

function contentType(path: string): string {
  const types: Readonly<Record<string, string>> = {
    html: "text/html",
    js: "text/javascript",
    css: "text/css",
    svg: "image/svg+xml",
    json: "application/json",
    wasm: "application/wasm",
  };
  return types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}
