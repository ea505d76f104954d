// The running app: window, tray, node, keyring and the events between them. Created once, when Electron is ready.
import type { BrowserWindow } from "electron";
import type { DesktopEvent, WindowSight } from "#shared/desktop/desktop-api.ts";
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import type { AppsDesk } from "./apps/apps-desk.ts";
import type { KeyringProcess } from "./processes/keyring-process.ts";
import type { NodeHost } from "./processes/node-host.ts";
import { parseDeepLink } from "./protocol/parse-deep-link.ts";
import type { NotificationCenter } from "./windows/notification-center.ts";

/** Events after which the person may look at the window, or no longer. */
const LOOKS = ["show", "hide", "focus", "blur", "minimize", "restore"] as const;

export interface DesktopAppDependencies {
  readonly node: Pick<NodeHost, "start" | "stop" | "state">;
  readonly keyring: Pick<KeyringProcess, "lockWallet" | "stop">;
  /** Programs that were let in. */
  readonly apps: { readonly gateway: Pick<AppsDesk["gateway"], "setWanted">; close(): Promise<void> };
  readonly notifications: Pick<NotificationCenter, "clearAll">;
  readonly settings: () => DesktopSettings;
  /** Creates the window for a view; `isShown` false keeps it hidden. */
  readonly createWindow: (path: string, isShown: boolean) => BrowserWindow;
  readonly send: (window: BrowserWindow, event: DesktopEvent) => void;
  /** The tray must be redrawn. */
  readonly onChange: () => void;
  /** Everything has ended in order. */
  readonly onEnd: () => void;
  readonly exit: () => void;
}

/** The app between its start and its end. */
export class DesktopApp {
  readonly #dependencies: DesktopAppDependencies;
  #window: BrowserWindow | undefined;
  #unread = 0;
  #isQuitting = false;
  #hasEnded = false;

  constructor(dependencies: DesktopAppDependencies) {
    this.#dependencies = dependencies;
  }

  /** Unread messages, as the interface counts them. */
  get unread(): number {
    return this.#unread;
  }

  /** The window of the interface, while there is one. */
  get window(): BrowserWindow | undefined {
    return this.#window;
  }

  /** True when the person can see the window. */
  get isWindowVisible(): boolean {
    return this.#window?.isVisible() === true && !this.#window.isMinimized();
  }

  /** True when the person looks at the window right now. */
  get isWatched(): boolean {
    return this.isWindowVisible && this.#window?.isFocused() === true;
  }

  /** Both, for the interface. */
  get sight(): WindowSight {
    return { isVisible: this.isWindowVisible, isWatched: this.isWatched };
  }

  /** Starts node and window; `isHidden` starts in the tray. The window does not wait for the node. */
  start(isHidden: boolean, link: string | undefined): void {
    this.#dependencies.node.start();
    void this.#dependencies.apps.gateway.setWanted(this.#dependencies.settings().programsMayAsk);
    this.#open(parsePath(link) ?? "/", !isHidden);
  }

  /** Shows the window, with a view if one is asked for. */
  show(path?: string): void {
    const window = this.#window;
    if (window === undefined) {
      this.#open(path ?? "/", true);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (path !== undefined) this.tell({ type: "open", path });
    this.#dependencies.onChange();
  }

  /** A link from outside: shows its view, or just the window when it is none that Parley knows. */
  openLink(link: string): void {
    this.show(parsePath(link));
  }

  /** Shows or hides the window. */
  toggle(): void {
    if (!this.isWindowVisible) this.show();
    else this.#window?.hide();
    this.#dependencies.onChange();
  }

  /** Locks the wallet and notifies the interface why. */
  lock(reason: "screen" | "sleep" | "menu"): void {
    this.#dependencies.keyring.lockWallet();
    this.tell({ type: "lock", reason });
  }

  /** Notifies the interface. */
  tell(event: DesktopEvent): void {
    if (this.#window !== undefined) this.#dependencies.send(this.#window, event);
    this.#dependencies.onChange();
  }

  /** The interface counted its unread messages. */
  setUnread(count: number): void {
    this.#unread = count;
    if (count === 0) this.#dependencies.notifications.clearAll();
    this.#dependencies.onChange();
  }

  /** True once everything has ended in order: the process may go. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Ends in order: window, gateway, keyring and node; then exits, or lets `finish` do that. Safe to call twice. */
  async quit(finish: () => void = this.#dependencies.exit): Promise<void> {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    this.#window?.close();
    await this.#dependencies.apps.close();
    await Promise.all([this.#dependencies.keyring.stop(), this.#dependencies.node.stop()]);
    this.#dependencies.onEnd();
    this.#hasEnded = true;
    finish();
  }

  #open(path: string, isShown: boolean): void {
    const window = this.#dependencies.createWindow(path, isShown);
    this.#window = window;
    window.on("close", (event) => {
      if (this.#isQuitting || !this.#dependencies.settings().closeToTray) return;
      event.preventDefault();
      window.hide();
      this.#dependencies.onChange();
    });
    window.on("closed", () => {
      this.#window = undefined;
      if (!this.#isQuitting) void this.quit();
    });
    for (const change of LOOKS) window.on(change as "show", () => this.tell({ type: "window", window: this.sight }));
  }
}

function parsePath(link: string | undefined): string | undefined {
  return link === undefined ? undefined : parseDeepLink(link);
}
