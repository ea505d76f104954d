// The operations of the interface, by the table of routes: a few at a time, each tried again while Parley is away for a moment.
import type { IncomingMessage } from "node:http";
import { type Operations, ROUTES } from "./api-types.ts";
import { openExchange, readJson } from "./exchange.ts";
import { findParley } from "./find-parley.ts";
import { type Patience, tryPatiently } from "./patience.ts";

/** What a request of an operation carries. */
export interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** How it is sent. */
export interface Sending extends Partial<Patience> {
  /** Instead of the connection's token. */
  readonly token?: string | undefined;
}

/** Requests that Parley lets wait at most 30 s answer within this time. */
const IDLE_MS = 45_000;
/** A stream has a sign of life every 15 s. */
const STREAM_IDLE_MS = 40_000;
/** One connection has eight sockets; two are for streams, and others of the same program may run. */
const AT_ONCE = 4;
const DEFAULT_PATIENCE_MS = 120_000;

/** The way to Parley of one program. */
export class Transport {
  readonly #files: readonly string[];
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  readonly #patienceMs: number;
  /** Gives the connection's token, with each request: another process of the program may have renewed it. */
  token: () => string | undefined = () => undefined;

  constructor(files: readonly string[], patienceMs: number = DEFAULT_PATIENCE_MS) {
    this.#files = files;
    this.#patienceMs = patienceMs;
  }

  /** Sends a request and gives its response. @throws ParleyError */
  async send<K extends keyof Operations>(operation: K, input: Input = {}, sending: Sending = {}): Promise<Operations[K]["response"]> {
    const { token: given, signal, patienceMs = this.#patienceMs, ...rest } = sending;
    const attempt = async (): Promise<Operations[K]["response"]> => {
      const [method, path] = [ROUTES[operation][0], pathOf(operation, input)];
      await this.#enter();
      try {
        const token = given ?? this.token();
        const response = await openExchange(findParley(this.#files), { method, path, token, body: input.body, idleMs: IDLE_MS, signal });
        return (await readJson(response, signal)) as Operations[K]["response"];
      } finally {
        this.#leave();
      }
    };
    return await tryPatiently(attempt, { ...rest, patienceMs, signal });
  }

  /** Opens the stream of events once. @throws ParleyError */
  stream(cursor: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
    const path = pathOf("streamEvents", { query: { cursor } });
    return openExchange(findParley(this.#files), { method: "GET", path, token: this.token(), idleMs: STREAM_IDLE_MS, signal });
  }

  /** Address of the node of the Parley that runs now, or null. @throws ParleyError */
  nodeUrl(): string | null {
    return findParley(this.#files).nodeUrl;
  }

  async #enter(): Promise<void> {
    if (this.#underWay >= AT_ONCE) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#underWay += 1;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }
}

function pathOf(operation: keyof Operations, { params = {}, query = {} }: Input): string {
  const path = ROUTES[operation][1].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const fields = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return fields.length === 0 ? path : `${path}?${fields.join("&")}`;
}
