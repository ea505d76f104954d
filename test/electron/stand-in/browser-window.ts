// BrowserWindow over a page of the real Chromium, with the preload script in an isolated world of its own.
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import type * as Electron from "electron";
import type { CDPSession, Page } from "playwright-core";
import { browserContext, PARTITION_HEADER } from "./browser.ts";
import { answerInvoke } from "./ipc-main.ts";
import type { StandInPort } from "./ports.ts";
import { isolatedWorld, pageWorld } from "./preload-runtime.ts";
import { toAppUrl, toPageUrl } from "./settings.ts";
import { decodeWire, encodeWire } from "./wire.ts";

const WORLD = "preload";
const windows = new Set<StandInWindow>();
/** Called with each new contents, as by `app`. */
export const contentsEvents = new EventEmitter();

type OpenHandler = (details: { readonly url: string }) => { readonly action: "allow" | "deny" };

class StandInContents extends EventEmitter {
  readonly #opened: Promise<{ readonly page: Page; readonly session: CDPSession }>;
  readonly #ports = new Map<number, StandInPort>();
  #worldId: number | undefined;
  #waiting: string[] = [];
  #openHandler: OpenHandler | undefined;
  #expectedUrl = "";
  #url = "";

  constructor(preload: string, partition: string | undefined) {
    super();
    this.#opened = this.#open(preload, partition);
  }

  async load(url: string): Promise<void> {
    const { page } = await this.#opened;
    this.#expectedUrl = toPageUrl(url);
    await page.goto(this.#expectedUrl, { waitUntil: "load" });
  }

  async close(): Promise<void> {
    const { page } = await this.#opened;
    await page.close();
  }

  send(channel: string, ...args: unknown[]): void {
    this.#tell({ kind: "event", channel, args, ports: [] });
  }

  postMessage(channel: string, message: unknown, transfer: readonly StandInPort[] = []): void {
    const ids = transfer.map((port) => {
      const id = this.#ports.size + 1;
      this.#ports.set(id, port);
      port.transfer((data) => this.#tell({ kind: "port", id, data }));
      return id;
    });
    this.#tell({ kind: "event", channel, args: [message], ports: ids });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  async #open(preload: string, partition: string | undefined): Promise<{ readonly page: Page; readonly session: CDPSession }> {
    const page = await browserContext().newPage();
    if (partition !== undefined) await page.setExtraHTTPHeaders({ [PARTITION_HEADER]: partition });
    const session = await browserContext().newCDPSession(page);
    session.on("Runtime.executionContextCreated", ({ context }) => {
      if (context.name === WORLD) this.#worldOpened(session, context.id);
    });
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name === "standInSend") void this.#receive(payload);
    });
    session.on("Page.windowOpen", ({ url }) => void this.#openHandler?.({ url: toAppUrl(url) }));
    await session.send("Page.enable");
    await session.send("Runtime.enable");
    await session.send("Runtime.addBinding", { name: "standInSend", executionContextName: WORLD });
    await session.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${pageWorld.toString()})()` });
    const script = `(${isolatedWorld.toString()})((require) => {\n${readFileSync(preload, "utf8")}\n})`;
    await session.send("Page.addScriptToEvaluateOnNewDocument", { source: script, worldName: WORLD });
    await this.#confine(page);
    return { page, session };
  }

  /** Asks the app's handlers where the page may go, as Electron does. */
  async #confine(page: Page): Promise<void> {
    // What the app denies never opens; the browser itself has opened it already, so it is closed again.
    page.on("popup", (popup) => void popup.close());
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.#url = toAppUrl(frame.url());
    });
    await page.route("**/*", async (route) => {
      const request = route.request();
      if (!request.isNavigationRequest() || request.frame() !== page.mainFrame() || request.url() === this.#expectedUrl) {
        await route.fallback();
        return;
      }
      let isPrevented = false;
      const event = {
        url: toAppUrl(request.url()),
        preventDefault: (): void => {
          isPrevented = true;
        },
      };
      this.emit("will-navigate", event);
      await (isPrevented ? route.abort("aborted") : route.fallback());
    });
  }

  #worldOpened(session: CDPSession, contextId: number): void {
    this.#worldId = contextId;
    for (const text of this.#waiting.splice(0)) void this.#evaluate(session, text);
  }

  #tell(message: object): void {
    const text = encodeWire(message);
    if (this.#worldId === undefined) this.#waiting.push(text);
    else void this.#opened.then(({ session }) => this.#evaluate(session, text));
  }

  async #evaluate(session: CDPSession, text: string): Promise<void> {
    const contextId = this.#worldId;
    if (contextId === undefined) return;
    // A page that has just gone away receives nothing, as in Electron.
    await session.send("Runtime.evaluate", { expression: `standInReceive(${JSON.stringify(text)})`, contextId }).catch(() => undefined);
  }

  async #receive(payload: string): Promise<void> {
    const message = decodeWire(payload) as
      | { readonly kind: "port"; readonly id: number; readonly data: unknown }
      | { readonly kind: "invoke"; readonly id: number; readonly channel: string; readonly args: readonly unknown[] };
    if (message.kind === "port") {
      this.#ports.get(message.id)?.postMessage(message.data);
      return;
    }
    const event = { senderFrame: { url: this.#url, parent: null }, sender: this } as unknown as Electron.IpcMainInvokeEvent;
    const value = await answerInvoke(event, message.channel, message.args);
    this.#tell({ kind: "result", id: message.id, value: value ?? null });
  }
}

class StandInWindow extends EventEmitter {
  readonly webContents: StandInContents;
  /** When it was shown for the first time, by the clock of this process. */
  shownAfterMs: number | null = null;
  readonly #bounds: Electron.Rectangle;
  #isVisible: boolean;
  #isFocused = false;
  #isMaximized = false;
  #isDestroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    const { preload = "", partition } = options.webPreferences ?? {};
    this.#bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.#isVisible = options.show !== false;
    this.webContents = new StandInContents(preload, partition);
    windows.add(this);
    contentsEvents.emit("web-contents-created", {}, this.webContents);
  }

  static getAllWindows(): StandInWindow[] {
    return [...windows];
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url);
    this.emit("ready-to-show");
  }

  show(): void {
    this.shownAfterMs ??= performance.now();
    this.#isVisible = true;
    this.emit("show");
    this.focus();
  }

  hide(): void {
    this.#isVisible = false;
    this.emit("hide");
    this.blur();
  }

  focus(): void {
    if (this.#isFocused) return;
    this.#isFocused = true;
    this.emit("focus");
  }

  blur(): void {
    if (!this.#isFocused) return;
    this.#isFocused = false;
    this.emit("blur");
  }

  restore(): void {
    this.show();
  }

  maximize(): void {
    this.#isMaximized = true;
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  isMinimized(): boolean {
    return false;
  }

  isFocused(): boolean {
    return this.#isFocused;
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  getNormalBounds(): Electron.Rectangle {
    return this.#bounds;
  }

  close(): void {
    let isPrevented = false;
    this.emit("close", {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (isPrevented) return;
    this.#isDestroyed = true;
    windows.delete(this);
    void this.webContents.close().catch(() => undefined);
    this.emit("closed");
  }
}

/** Stands for `BrowserWindow`. */
export const BrowserWindow = StandInWindow as unknown as typeof Electron.BrowserWindow;

/** The window that was opened last, for the test's orders. */
export function lastWindow(): StandInWindow | undefined {
  return [...windows].at(-1);
}

/** The first window, for the test's orders. */
export function firstWindow(): StandInWindow | undefined {
  return [...windows][0];
}
