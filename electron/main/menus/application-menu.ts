// The application menu: standard roles, so that every platform's shortcuts and spell checker work, and the views of the interface.
import type { MenuItemConstructorOptions } from "electron";

/** Views in the order of their shortcuts. */
const VIEWS = [
  ["Inbox", "/inbox"],
  ["Wallet", "/wallet"],
  ["Contacts", "/contacts"],
  ["Explorer", "/explorer"],
  ["Node", "/node"],
  ["Settings", "/settings"],
] as const;

/** What the menu does. */
export interface MenuActions {
  readonly open: (path: string) => void;
  readonly lock: () => void;
  readonly quit: () => void;
}

/** Template of the menu. On macOS the first menu is the app's own. */
export function applicationMenu(platform: NodeJS.Platform, { open, lock, quit }: MenuActions): MenuItemConstructorOptions[] {
  const isMac = platform === "darwin";
  const app: MenuItemConstructorOptions = { role: "appMenu" };
  return [
    ...(isMac ? [app] : []),
    {
      label: "&File",
      submenu: [
        { label: "New Message", accelerator: "CmdOrCtrl+N", click: () => open("/inbox/new") },
        { label: "Send Payment…", click: () => open("/wallet/send") },
        { type: "separator" },
        { label: "Lock Now", accelerator: "CmdOrCtrl+L", click: lock },
        { type: "separator" },
        isMac ? { role: "close" } : { label: "Quit", accelerator: "CmdOrCtrl+Q", click: quit },
      ],
    },
    { role: "editMenu" },
    {
      label: "&View",
      submenu: [
        ...VIEWS.map(([label, path]): MenuItemConstructorOptions => ({ label, click: () => open(path) })),
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { type: "separator" },
        { role: "togglefullscreen" },
      ],
    },
    { role: "windowMenu" },
  ];
}
