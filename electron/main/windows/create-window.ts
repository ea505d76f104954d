// The one place that makes windows: sandboxed, isolated, without Node, never leaving the interface.
import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from "electron";
import { APP_ORIGIN, isAppUrl } from "../security/trusted-url.ts";

/** Options of every window; a test holds them to the security checklist. */
export function windowOptions(): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    minWidth: 640,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    title: "Parley",
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: true,
      disableBlinkFeatures: "Auxclick",
    },
  };
}

/** Makes the main window, shows it when its first paint is ready and loads the interface. */
export function createWindow(Window: typeof BrowserWindow): BrowserWindow {
  const window = new Window(windowOptions());
  window.once("ready-to-show", () => window.show());
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

/** Keeps web content inside the interface: no other page, no popup, no embedded view. `openExternal` decides on links that leave. */
export function confineNavigation(contents: WebContents, openExternal: (url: string) => void): void {
  const refuseOthers = (event: { preventDefault(): void; readonly url: string }): void => {
    if (!isAppUrl(event.url)) event.preventDefault();
  };
  contents.on("will-navigate", refuseOthers);
  contents.on("will-frame-navigate", refuseOthers);
  contents.on("will-redirect", refuseOthers);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: "deny" };
  });
}
