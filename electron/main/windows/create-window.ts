// The only code that creates windows: sandboxed, isolated, without Node, never leaving the interface.
import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from "electron";
import { APPROVAL_ORIGIN, APPROVAL_PARTITION } from "../confirmation/approval-page.ts";
import { CONFIRMATION_ORIGIN } from "../confirmation/confirmation-page.ts";
import { APP_ORIGIN, isAppUrl } from "../security/trusted-url.ts";
import { MIN_HEIGHT, MIN_WIDTH, type WindowState } from "./window-state.ts";

/** Options of every window; a test holds them to the security checklist. */
export function windowOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
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
      preload,
      // Whether it is used is a setting of the session, which can change while the window is open.
      spellcheck: true,
      disableBlinkFeatures: "Auxclick",
    },
  };
}

const CONFIRMATION_SIZE = { width: 560, height: 480 };
const APPROVAL_SIZE = { width: 560, height: 680 };

/** Makes the window in which a person confirms something, in front of all others, and loads its document. */
export function createConfirmationWindow(Window: typeof BrowserWindow, preload: string): BrowserWindow {
  return createOwnWindow(Window, { preload, url: `${CONFIRMATION_ORIGIN}/`, size: CONFIRMATION_SIZE });
}

/** The same for programs: in a session of its own. */
export function createApprovalWindow(Window: typeof BrowserWindow, preload: string): BrowserWindow {
  return createOwnWindow(Window, { preload, url: `${APPROVAL_ORIGIN}/`, size: APPROVAL_SIZE, partition: APPROVAL_PARTITION });
}

interface OwnWindow {
  readonly preload: string;
  readonly url: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly partition?: string;
}

function createOwnWindow(Window: typeof BrowserWindow, { preload, url, size, partition }: OwnWindow): BrowserWindow {
  const { webPreferences = {} } = windowOptions(preload);
  const window = new Window({
    ...size,
    ...{ title: "Parley", webPreferences: { ...webPreferences, spellcheck: false, ...(partition === undefined ? {} : { partition }) } },
    ...{ show: false, center: true, alwaysOnTop: true, autoHideMenuBar: true },
    ...{ resizable: true, minimizable: false, maximizable: false, fullscreenable: false, skipTaskbar: false },
  });
  window.once("ready-to-show", () => {
    window.show();
    window.focus();
  });
  window.loadURL(url).catch(() => window.close());
  return window;
}

/** How the main window is made. */
export interface WindowRequest {
  /** File of the preload script. */
  readonly preload: string;
  /** Where it was last time, when that can be used. */
  readonly state: WindowState | undefined;
  /** False: it stays in the tray until a user asks for it. */
  readonly isShown: boolean;
  /** View to begin with. */
  readonly path: string;
}

/**
 * Makes the main window, shows it when its first paint is ready and loads the interface. Hidden, it runs at full speed: its page is the
 * messenger, and answers programs. Such a page counts as visible for good, so whether the person looks is said by the shell alone.
 */
export function createWindow(Window: typeof BrowserWindow, request: WindowRequest): BrowserWindow {
  const { webPreferences, ...options } = windowOptions(request.preload);
  const window = new Window({ ...options, webPreferences: { ...webPreferences, backgroundThrottling: false }, ...request.state?.bounds });
  if (request.state?.isMaximized === true) window.maximize();
  if (request.isShown) window.once("ready-to-show", () => window.show());
  // A page that is closed or reloaded while it loads rejects too; what fails to load is seen in the window.
  window.loadURL(`${APP_ORIGIN}${request.path}`).catch(() => undefined);
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
