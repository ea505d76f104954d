// The preload script of the approval window. The keyring says what waits, over a port that only this window has; the person's decision goes
// back over it, number and password too: no other process sees them. The document has no script of its own and gets no function.
import { ipcRenderer } from "electron";
import type {
  ApprovalApi,
  ApprovalEvent,
  AppsOverview,
  ConnectionEntry,
  GrantInput,
  WaitingApproval,
  WaitingRequest,
} from "#shared/apps/messages/approval-api.ts";
import { createMethodClient } from "#shared/apps/messages/method-port.ts";
import { APPROVAL_METHODS } from "#shared/apps/messages/port-shapes.ts";
import { APPROVAL_CLOSE_CHANNEL, APPROVAL_MOVED_CHANNEL, APPROVAL_PORT_CHANNEL, APPROVAL_READY_CHANNEL } from "#shared/desktop/channels.ts";
import type { OfferedPerson } from "#shared/desktop/desktop-apps.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { ShellLanguage } from "#shared/text/local-amount.ts";
import type { ApprovalWords } from "./approval/approval-words.ts";
import { askSheet } from "./approval/ask-sheet.ts";
import { orderSheet } from "./approval/order-sheet.ts";
import { problemText } from "./approval/problem-text.ts";
import { restSheet } from "./approval/rest-sheet.ts";
import { type Sheet, SheetView } from "./approval/sheet.ts";
import { GERMAN } from "./approval/words-de.ts";
import { ENGLISH } from "./approval/words-en.ts";
import { watchAttention } from "./window/attention.ts";
import { button, element } from "./window/elements.ts";

/** How long the window is in front, and still, before a button can be pressed. */
const ATTENTION_MS = 800;
/** A pause after the time of a question is over, before the keyring is asked again. */
const AFTER_END_MS = 500;

/** What the shell says with the port. */
interface Opening {
  readonly language: ShellLanguage;
  readonly people: readonly OfferedPerson[];
}

/** One thing that waits. */
interface Waiting {
  /** The same as long as it waits. */
  readonly key: string;
  readonly sheet: () => Sheet;
  readonly expiresAtMs?: number;
}

const view = new SheetView();
const attention = watchAttention(ATTENTION_MS, (isAwake) => view.wake(isAwake));
const close = (): void => void ipcRenderer.invoke(APPROVAL_CLOSE_CHANNEL);

window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});
window.addEventListener("DOMContentLoaded", () => void ipcRenderer.invoke(APPROVAL_READY_CHANNEL));
ipcRenderer.on(APPROVAL_MOVED_CHANNEL, () => attention.begin());
ipcRenderer.on(APPROVAL_PORT_CHANNEL, ({ ports: [port] }, opening: Opening) => {
  if (port === undefined) return;
  const { api, onEvent } = createMethodClient<ApprovalApi, ApprovalEvent>(keyringPort(port), APPROVAL_METHODS);
  const decisions = new Decisions(api, opening);
  onEvent(() => void decisions.refresh());
  void decisions.refresh();
});

/** In place of a key: the person is being said that what was shown no longer waits. */
const GONE = "gone";

/** Shows what waits, one after the other, until nothing does. */
class Decisions {
  readonly #api: ApprovalApi;
  readonly #words: ApprovalWords;
  readonly #people: readonly OfferedPerson[];
  /** Key of what is shown; empty: nothing yet. */
  #shown = "";
  #isBusy = false;
  #endTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ApprovalApi, { language, people }: Opening) {
    this.#api = api;
    this.#words = language === "de" ? GERMAN : ENGLISH;
    this.#people = people;
    document.documentElement.lang = language;
  }

  /** What is shown stays until it is decided, or waits no more. */
  async refresh(): Promise<void> {
    if (this.#isBusy || this.#shown === GONE) return;
    const waiting = this.#thingsOf(await this.#api.overview());
    if (this.#isBusy || this.#shown === GONE || waiting.some(({ key }) => key === this.#shown)) return;
    const [next] = waiting;
    if (this.#shown !== "") this.#showGone();
    else if (next === undefined) close();
    else this.#show(next);
  }

  #show({ key, sheet, expiresAtMs }: Waiting): void {
    this.#shown = key;
    clearTimeout(this.#endTimer);
    if (expiresAtMs !== undefined)
      this.#endTimer = setTimeout(() => void this.refresh(), Math.max(0, expiresAtMs - Date.now()) + AFTER_END_MS);
    view.show(sheet());
    attention.begin();
  }

  #showGone(): void {
    clearTimeout(this.#endTimer);
    const goOn = (): void => {
      this.#shown = "";
      void this.refresh();
    };
    this.#show({
      key: GONE,
      sheet: (): Sheet => ({
        title: this.#words.goneTitle,
        parts: [element("p", this.#words.goneText)],
        buttons: [button(this.#words.close, "", goOn)],
      }),
    });
  }

  /** Does what a button says: then the next thing is shown, or why it did not work. */
  #run(task: () => Promise<unknown>): void {
    this.#isBusy = true;
    view.setBusy(true);
    void this.#try(task).finally(() => {
      view.setBusy(false);
      this.#isBusy = false;
      void this.refresh();
    });
  }

  async #try(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
      this.#shown = "";
    } catch (error) {
      // What waits no more is found out by the reading that follows.
      if (!isCodedError(error, "NOT_FOUND", "APP_TOO_LATE")) view.complain(problemText(error, this.#words));
    }
  }

  /** What waits, in the order in which it is shown. */
  #thingsOf({ request, approvals, connections }: AppsOverview): readonly Waiting[] {
    return [
      ...approvals.map((order) => this.#orderOf(order)),
      ...(request === null ? [] : [this.#requestOf(request)]),
      ...connections.filter(({ isResting }) => isResting).map((connection) => this.#restOf(connection)),
    ];
  }

  #orderOf(order: WaitingApproval): Waiting {
    const { id, expiresAtMs } = order;
    const approve = (): void => this.#run(() => this.#api.approve({ id }));
    const refuse = (): void => this.#run(() => this.#api.refuse({ id }));
    return { key: `order ${id}`, expiresAtMs, sheet: (): Sheet => orderSheet(order, this.#words, { approve, refuse }) };
  }

  #requestOf(request: WaitingRequest): Waiting {
    const { id, expiresAtMs } = request;
    const connect = (read: () => GrantInput): void => this.#run(async () => await this.#api.grant(read()));
    const refuse = (): void => this.#run(() => this.#api.refuseRequest({ id }));
    return { key: `request ${id}`, expiresAtMs, sheet: (): Sheet => askSheet(request, this.#people, this.#words, { connect, refuse }) };
  }

  #restOf(connection: ConnectionEntry): Waiting {
    const { id } = connection;
    const confirm = (password: () => string): void =>
      this.#run(async () => await this.#api.confirm({ connection: id, password: password() }));
    const end = (): void => this.#run(() => this.#api.end({ connection: id }));
    return { key: `rest ${id}`, sheet: (): Sheet => restSheet(connection, this.#words, { confirm, end }) };
  }
}

function keyringPort(port: MessagePort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = ({ data }: MessageEvent): void => listener(data);
      port.addEventListener("message", onMessage);
      port.start();
      return () => port.removeEventListener("message", onMessage);
    },
  };
}
