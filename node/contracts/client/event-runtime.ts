// Events of a contract: what was logged, page by page, and what is logged from now on. Follows the runtime of the client in its file.
import { type EventEntry, NodeError, parseExact, type ValueCodec } from "./client-runtime.ts";

/** Where events are read. */
export interface EventAccess {
  readonly contractId: string;
  /** Address of the WebSocket, with the token of the node. */
  readonly socketUrl: string;
  /** Response to a GET. @throws NodeError */
  get(path: string): Promise<unknown>;
}

/** Which events are read; all that are there unless said. */
export interface EventOptions {
  /** Only events of this block and later ones. */
  readonly since?: number;
  /** Only events behind this `position` of an entry. */
  readonly after?: string;
}

export interface SearchOptions extends EventOptions {
  /** `desc`, newest first, unless said. */
  readonly order?: "asc" | "desc";
  /** How many at most; 100 unless said. */
  readonly limit?: number;
}

export interface LiveOptions extends EventOptions {
  /** Ends the reading, as leaving the loop does. */
  readonly signal?: AbortSignal;
}

/** Events of one name. */
export interface ContractEvents<Name extends string, Fields, Indexed extends keyof Fields> {
  /** Those with the values given in indexed fields. @throws NodeError */
  (where?: Partial<Pick<Fields, Indexed>>, options?: SearchOptions): Promise<readonly EventEntry<Name, Fields>[]>;
  /** One after the other, for ever: those that `since` or `after` begin with, else from now on. @throws NodeError */
  live(where?: Partial<Pick<Fields, Indexed>>, options?: LiveOptions): AsyncGenerator<EventEntry<Name, Fields>, void>;
}

interface LogLine {
  readonly tx_id: string;
  readonly block_index: number;
  readonly timestamp: number;
  readonly position: string;
  readonly message: string;
}

interface LogPage {
  readonly logs: readonly LogLine[];
  readonly next_after?: string;
}

const EVENT_PAGE = 100;
/** Between two looks after a push, which another node may know a moment earlier, and without a WebSocket. */
const SHORT_WAIT_MS = 1_000;
const LONG_WAIT_MS = 30_000;
const SHORT_WAITS = 3;

/** Events of a name, their fields by their codecs. */
export function contractEvents<Name extends string, Fields extends object, Indexed extends keyof Fields & string>(
  access: EventAccess,
  name: Name,
  fields: { readonly [Field in keyof Fields]: () => ValueCodec<Fields[Field]> },
): ContractEvents<Name, Fields, Indexed> {
  type Where = Partial<Pick<Fields, Indexed>>;
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const textsOf = (where: Where): Readonly<Record<string, string>> =>
    Object.fromEntries(
      (Object.keys(where) as Indexed[]).flatMap((field) => {
        const value = where[field];
        return value === undefined ? [] : [[field, indexedText(fields[field]().encode(value))]];
      }),
    );
  /** Nothing for a line that the interface does not fit: a contract that errs once would stop its readers for good. */
  const entriesOf = ({ tx_id: txId, block_index: block, timestamp, position, message }: LogLine): readonly EventEntry<Name, Fields>[] => {
    try {
      const { index, data } = parseExact(message) as { readonly index: object; readonly data: object };
      const values = { ...data, ...index } as Readonly<Record<string, unknown>>;
      const decoded = names.map((field) => [field, fields[field]().decode(values[field])]);
      return [{ name, fields: Object.fromEntries(decoded) as Fields, txId, block, timestamp, position }];
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return [];
      throw error;
    }
  };
  const search = async (where: Where = {}, options: SearchOptions = {}): Promise<readonly EventEntry<Name, Fields>[]> => {
    const { limit = EVENT_PAGE } = options;
    const found: EventEntry<Name, Fields>[] = [];
    for (let { after } = options, isDone = false; !isDone && found.length < limit; isDone = after === undefined) {
      const page = await pageOf(access, {
        ...options,
        event: name,
        where: textsOf(where),
        after,
        limit: Math.min(EVENT_PAGE, limit - found.length),
      });
      found.push(...page.logs.flatMap(entriesOf));
      after = page.next_after;
    }
    return found;
  };
  async function* live(where: Where = {}, options: LiveOptions = {}): AsyncGenerator<EventEntry<Name, Fields>, void> {
    for await (const log of logsFrom(access, { event: name, where: textsOf(where) }, options)) yield* entriesOf(log);
  }
  return Object.assign(search, { live });
}

interface Filter {
  readonly event: string;
  readonly where: Readonly<Record<string, string>>;
}

/** Lines from a position on, and those that come. */
async function* logsFrom(access: EventAccess, filter: Filter, { since, after: first, signal }: LiveOptions): AsyncGenerator<LogLine, void> {
  const isEnded = (): boolean => signal?.aborted === true;
  const bell = new Doorbell(access.socketUrl, topicOf(access, filter), signal);
  try {
    let after = first ?? (since === undefined ? await newestPosition(access) : undefined);
    while (!isEnded()) {
      bell.listen();
      const page = await patiently(() => pageOf(access, { ...filter, since, after, order: "asc", limit: EVENT_PAGE }));
      for (const log of page?.logs ?? []) {
        if (isEnded()) return;
        yield log;
        after = log.position;
      }
      after = page?.next_after ?? after;
      if (page?.next_after === undefined) await bell.wait(page === undefined || page.logs.length > 0);
    }
  } finally {
    bell.close();
  }
}

/** A node pushes events by the value of one field. */
function topicOf({ contractId }: EventAccess, { event, where }: Filter): string {
  const [field] = Object.entries(where).map(([name, value]) => `/${name}=${value}`);
  return `event:${contractId}/${event}${field ?? ""}`;
}

/** Rings when a node pushes something of a topic. Where there is no WebSocket, time alone does. */
class Doorbell {
  readonly #url: string;
  readonly #topic: string;
  readonly #signal: AbortSignal | undefined;
  #socket: WebSocket | undefined;
  #isRung = false;
  #shortWaits = 0;
  #wake = (): void => undefined;

  constructor(url: string, topic: string, signal: AbortSignal | undefined) {
    this.#url = url;
    this.#topic = topic;
    this.#signal = signal;
  }

  /** What rings from here on ends the next wait at once. */
  listen(): void {
    this.#isRung = false;
    if (this.#socket !== undefined || typeof WebSocket === "undefined") return;
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "subscribe", topic: this.#topic })));
    // The frame that says that the topic is subscribed as well: what came before it was not pushed.
    socket.addEventListener("message", () => this.#ring());
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
  }

  /** Until it rings, or for a while, a shorter one when it rang lately. */
  async wait(isLately: boolean): Promise<void> {
    if (isLately || this.#isRung) this.#shortWaits = SHORT_WAITS;
    if (this.#isRung || this.#signal?.aborted === true) return;
    const isShort = this.#socket?.readyState !== 1 || this.#shortWaits > 0;
    this.#shortWaits -= 1;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, isShort ? SHORT_WAIT_MS : LONG_WAIT_MS);
      this.#wake = (): void => {
        clearTimeout(timer);
        done();
      };
      this.#signal?.addEventListener("abort", this.#wake, { once: true });
    });
    this.#signal?.removeEventListener("abort", this.#wake);
  }

  close(): void {
    this.#socket?.close();
  }

  #ring(): void {
    this.#isRung = true;
    this.#wake();
  }
}

async function pageOf(access: EventAccess, query: Readonly<Record<string, unknown>>): Promise<LogPage> {
  const parameters = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || (name === "where" && Object.keys(value as object).length === 0)) return [];
    return [`${name}=${encodeURIComponent(name === "where" ? JSON.stringify(value) : String(value))}`];
  });
  return (await access.get(`/api/contracts/${access.contractId}/logs?${parameters.join("&")}`)) as LogPage;
}

async function newestPosition(access: EventAccess): Promise<string | undefined> {
  return (await pageOf(access, { limit: 1 })).logs[0]?.position;
}

/** Undefined while the node is away or busy. @throws NodeError for a request that it will never answer. */
async function patiently<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NodeError && error.status < 500 && error.status !== 429) throw error;
    return undefined;
  }
}

/** The text that the index has, of a value's JSON. */
function indexedText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
