// The shell's own port to the keyring about programs: it sees what there is and what waits, and ends connections. It has no method that
// grants or approves.
import type { MessageChannelMain, MessagePortMain } from "electron";
import { MAX_JOURNAL_PAGE } from "#shared/apps/app-limits.ts";
import type { ApprovalEvent, AppsOverview, WatchApi } from "#shared/apps/messages/approval-api.ts";
import type { JournalLineView } from "#shared/apps/messages/journal-lines.ts";
import { createMethodClient, type MethodClient } from "#shared/apps/messages/method-port.ts";
import { WATCH_METHODS } from "#shared/apps/messages/port-shapes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";

export interface KeyringAppsOptions {
  readonly createChannel: () => MessageChannelMain;
  /** Starts the keyring unless it runs; `connect` is called next. */
  readonly startKeyring: () => void;
  /** Gives the keyring its end. */
  readonly connectKeyring: (port: MessagePortMain) => void;
  /** Called when something else is there than before. */
  readonly onChange: (overview: AppsOverview) => void;
  readonly clock: Pick<Clock, "nowMs">;
  readonly timers: Timers;
}

/** What is shown while the keyring is locked or away. */
export const NOTHING_KNOWN: AppsOverview = { lock: "locked", request: null, approvals: [], waiting: [], connections: [], ended: [] };
/** Changes are read at most this often: each request of a program is one, ms. */
const PAUSE_MS = 500;
/** Longest wait for the keyring, ms. */
const ANSWER_LIMIT_MS = 15_000;
/** Longest wait for a time that is over, ms: timers take no more than 2³¹ ms. */
const LONGEST_TIMER_MS = 3_600_000;

/** What the shell knows of programs, kept up to date. */
export class KeyringApps {
  readonly #options: KeyringAppsOptions;
  #client: MethodClient<WatchApi, ApprovalEvent> | undefined;
  #overview = NOTHING_KNOWN;
  #isReading = false;
  #isStale = false;
  #isClosed = false;
  #cancelPause: (() => void) | undefined;
  #cancelExpiry: () => void = () => undefined;

  constructor(options: KeyringAppsOptions) {
    this.#options = options;
  }

  /** As it was last read. */
  get overview(): AppsOverview {
    return this.#overview;
  }

  /** A new port to the keyring, whenever its process has started. */
  connect(): void {
    if (this.#isClosed) return;
    this.#client?.close();
    const { port1, port2 } = this.#options.createChannel();
    const client = createMethodClient<WatchApi, ApprovalEvent>(keyringPort(port1), WATCH_METHODS);
    this.#client = client;
    client.onEvent(() => this.#changed());
    this.#options.connectKeyring(port2);
    this.#isReading = false;
    this.#changed();
  }

  /** The keyring's process has ended: nothing is known any more. */
  disconnect(): void {
    this.#client?.close();
    this.#client = undefined;
    this.#show(NOTHING_KNOWN);
  }

  /** No more reading: the app ends. */
  close(): void {
    this.#isClosed = true;
    this.#cancelPause?.();
    this.#cancelExpiry();
    this.#client?.close();
    this.#client = undefined;
  }

  /** Reads everything now. @throws CodedError UNAVAILABLE. */
  async read(): Promise<AppsOverview> {
    const overview = await this.#ask((api) => api.overview());
    this.#show(overview);
    return overview;
  }

  /** Holds before it returns. @throws CodedError NOT_FOUND, APP_LOCKED, UNAVAILABLE. */
  async end(connection: string): Promise<void> {
    await this.#ask((api) => api.end({ connection }));
    await this.read();
  }

  /** Ends what waits. A keyring that does not run has nothing that waits. @throws CodedError UNAVAILABLE. */
  async dismiss(): Promise<void> {
    if (this.#client === undefined) return;
    await this.#ask((api) => api.dismiss());
    await this.read();
  }

  /** Lines before a number, newest first. */
  log(input: Parameters<WatchApi["log"]>[0]): ReturnType<WatchApi["log"]> {
    return this.#ask((api) => api.log(input));
  }

  /** All lines, oldest first. What is written meanwhile is left out. */
  async wholeLog(): Promise<readonly JournalLineView[]> {
    const lines: JournalLineView[] = [];
    for (let before: number | undefined; ; before = lines.at(-1)?.n) {
      const page = await this.log({ ...(before === undefined ? {} : { before }), limit: MAX_JOURNAL_PAGE });
      lines.push(...page.lines);
      if (!page.hasMore || page.lines.length === 0) return lines.reverse();
    }
  }

  /** At once, then no more often than twice a second. */
  #changed(): void {
    if (this.#isReading || this.#cancelPause !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    this.#isStale = false;
    void this.read()
      .catch(() => undefined)
      .then(() => {
        this.#isReading = false;
        if (this.#isClosed) return;
        this.#cancelPause = this.#options.timers.setTimer(PAUSE_MS, () => {
          this.#cancelPause = undefined;
          if (this.#isStale) this.#changed();
        });
      });
  }

  #show(overview: AppsOverview): void {
    if (this.#isClosed) return;
    this.#watchExpiry(overview);
    if (JSON.stringify(overview) === JSON.stringify(this.#overview)) return;
    this.#overview = overview;
    this.#options.onChange(overview);
  }

  /** What waits is over after a while, and what is over is not reported. */
  #watchExpiry({ request, approvals, waiting }: AppsOverview): void {
    this.#cancelExpiry();
    const ends = [...(request === null ? [] : [request]), ...approvals, ...waiting].map(({ expiresAtMs }) => expiresAtMs);
    if (ends.length === 0) return;
    const waitMs = Math.min(Math.max(Math.min(...ends) - this.#options.clock.nowMs(), PAUSE_MS), LONGEST_TIMER_MS);
    this.#cancelExpiry = this.#options.timers.setTimer(waitMs, () => this.#changed());
  }

  async #ask<T>(call: (api: WatchApi) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw away();
    if (this.#client === undefined) {
      this.#options.startKeyring();
      await Promise.resolve();
    }
    const client = this.#client;
    if (client === undefined) throw away();
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.timers.setTimer(ANSWER_LIMIT_MS, () => reject(away()));
    try {
      return await Promise.race([call(client.api), promise]);
    } finally {
      cancel();
    }
  }
}

function away(): CodedError {
  return new CodedError("UNAVAILABLE", "The keyring of Parley does not respond: try again in a moment");
}

function keyringPort(port: MessagePortMain): KeyringPort {
  port.start();
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = ({ data }: { readonly data: unknown }): void => listener(data);
      port.on("message", onMessage);
      return () => void port.off("message", onMessage);
    },
  };
}
