// The connection of the server to Parley. It asks in the background: until the person has typed the digits, tools answer with them.
import { type ConnectOptions, connect, isParleyError, type Parley, ParleyError } from "#client/index.ts";

/** After a refusal it asks again with the next call, not before this time, ms. */
const ASK_AGAIN_MS = 60_000;

/** Asks once, and again when a connection has ended. */
export class McpConnection {
  readonly #options: Omit<ConnectOptions, "onCode" | "onWait" | "signal">;
  readonly #ending = new AbortController();
  readonly #onConnected: (parley: Parley) => void;
  #parley: Parley | undefined;
  #isAsking = false;
  #state = "Parley is being asked for a connection: try again in a moment.";
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: Omit<ConnectOptions, "onCode" | "onWait" | "signal">, onConnected: (parley: Parley) => void) {
    this.#options = options;
    this.#onConnected = onConnected;
  }

  /** Begins to ask, unless it does or did a moment ago. */
  ask(): void {
    if (this.#isAsking || this.#parley !== undefined || performance.now() - this.#askedMs < ASK_AGAIN_MS) return;
    this.#isAsking = true;
    this.#askedMs = performance.now();
    void this.#connect().finally(() => {
      this.#isAsking = false;
    });
  }

  /** The connection. @throws ParleyError in words that say what the person has to do */
  require(): Parley {
    this.ask();
    if (this.#parley !== undefined) return this.#parley;
    throw new ParleyError("NOT_CONNECTED", this.#state);
  }

  /** A tool failed: a connection that has ended is asked for again with the next call. */
  failed(error: unknown): void {
    if (!isParleyError(error, "APP_ENDED", "APP_TOKEN_INVALID")) return;
    this.#parley = undefined;
    this.#askedMs = Number.NEGATIVE_INFINITY;
    this.#state = "The connection has ended: the next call asks for a new one.";
  }

  close(): void {
    this.#ending.abort();
  }

  async #connect(): Promise<void> {
    try {
      this.#parley = await connect({
        ...this.#options,
        signal: this.#ending.signal,
        onCode: (code) => {
          this.#state = `Not connected yet. Ask the person to open Settings › Apps in Parley and type ${code.slice(0, 3)} ${code.slice(3)}, then try again.`;
        },
        onWait: ({ message }) => {
          this.#state = `Not connected yet. ${message}.`;
        },
      });
      this.#onConnected(this.#parley);
    } catch (error) {
      this.#state = `Not connected. ${error instanceof Error ? error.message : "Parley cannot be asked"}.`;
    }
  }
}
