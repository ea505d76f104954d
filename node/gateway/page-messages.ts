// The way to the page's messenger: its port "messages". The page reloads, locks and starts again at any time: what a program asks for waits a
// while, and happens once, as the engine knows an order by its key. Looking for events does not wait: it is done again when the page is there.
import type { MessagesApi, MessagesEvent, MessagesLink } from "#shared/apps/messages/messages-api.ts";
import { MESSAGES_METHODS } from "#shared/apps/messages/messages-api.ts";
import { createMethodClient, type MethodClient } from "#shared/apps/messages/method-port.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { GatewayLimits } from "./gateway-limits.ts";

type Client = MethodClient<MessagesApi, MessagesEvent>;
type AnyMethods = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;
type Method = keyof MessagesApi;

/** Asked again by themselves. */
const WITHOUT_WAITING: readonly Method[] = ["arrivals", "lastArrival"];
/** The page is there, and its messenger is not yet. */
const NOT_YET = ["MESSENGER_UNAVAILABLE", "UNAVAILABLE", "KEYRING_LOCKED"] as const;

/** The link while the gateway runs. */
export class PageMessages implements MessagesLink {
  readonly api: MessagesApi;
  readonly #timers: Timers;
  readonly #limits: Pick<GatewayLimits, "pageWaitMs" | "pageRetryMs" | "answerTimeoutMs">;
  readonly #listeners = new Set<(event: MessagesEvent) => void>();
  #client: Client | undefined;

  constructor(timers: Timers, limits: Pick<GatewayLimits, "pageWaitMs" | "pageRetryMs" | "answerTimeoutMs">) {
    this.#timers = timers;
    this.#limits = limits;
    const methods = (Object.keys(MESSAGES_METHODS) as Method[]).map(
      (method) => [method, (input?: unknown): Promise<unknown> => this.#request(method, input)] as const,
    );
    this.api = Object.fromEntries(methods) as unknown as MessagesApi;
  }

  /** The page is at this port from now on; undefined: it is not there. */
  set(port: KeyringPort | undefined): void {
    this.#client?.close();
    this.#client = undefined;
    if (port === undefined) return;
    const client = createMethodClient<MessagesApi, MessagesEvent>(port, MESSAGES_METHODS);
    this.#client = client;
    client.onEvent((event) => this.#emit(event));
    this.#emit({ event: "arrived" });
  }

  onEvent(listener: (event: MessagesEvent) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  #emit(event: MessagesEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  async #request(method: Method, input: unknown): Promise<unknown> {
    if (WITHOUT_WAITING.includes(method)) return await this.#once(method, input);
    let isOver = false;
    const cancel = this.#timers.setTimer(this.#limits.pageWaitMs, () => {
      isOver = true;
    });
    try {
      for (;;) {
        try {
          return await this.#once(method, input);
        } catch (error) {
          if (isOver || !isCodedError(error, ...NOT_YET)) throw error;
        }
        await this.#untilChanged();
      }
    } finally {
      cancel();
    }
  }

  /** A page that was closed says nothing: it is not waited for without end. */
  async #once(method: Method, input: unknown): Promise<unknown> {
    if (this.#client === undefined) throw away();
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#timers.setTimer(this.#limits.answerTimeoutMs, () => reject(away()));
    const { api } = this.#client;
    try {
      return await Promise.race([(api as unknown as AnyMethods)[method]?.(input), promise]);
    } catch (error) {
      // The port was closed in between: the page has gone.
      throw isCodedError(error, "UNAVAILABLE") ? away() : error;
    } finally {
      cancel();
    }
  }

  /** The page reported something, or came back; or a moment has passed. */
  #untilChanged(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stop();
        resolve();
      };
      const cancel = this.#timers.setTimer(this.#limits.pageRetryMs, end);
      const stop = this.onEvent(end);
    });
  }
}

function away(): CodedError {
  return new CodedError("MESSENGER_UNAVAILABLE", "Parley's window does not respond: it is reloading, or locked. Try again in a moment");
}
