// JSON-RPC 2.0 in lines, as MCP speaks it over standard input and output: one message a line, requests answered as they are done.

/** Id of a request. */
export type RequestId = string | number;

/** What handles messages. */
export interface RpcHandlers {
  /** Gives the result of a request. @throws RpcError for an error of the protocol */
  readonly request: (method: string, params: Fields, signal: AbortSignal) => Promise<unknown>;
  readonly notify: (method: string, params: Fields) => void;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Codes of JSON-RPC. */
export const RPC_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  noMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  busy: -32_000,
} as const;

/** An error that is answered with its code. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One message, bytes: a longer line is skipped. */
export const MAX_LINE_BYTES = 262_144;
/** Requests that are being answered; more are refused. */
export const MAX_REQUESTS = 16;
const MAX_ID_CHARS = 128;
const MAX_BATCH = 16;
const LINE_FEED = 10;

/** The server's end of one client. */
export class RpcConnection {
  readonly #handlers: RpcHandlers;
  readonly #write: (line: string) => void;
  readonly #underWay = new Map<RequestId, AbortController>();

  constructor(handlers: RpcHandlers, write: (line: string) => void) {
    this.#handlers = handlers;
    this.#write = write;
  }

  /** Takes one line. Never throws. */
  async take(line: string | undefined): Promise<void> {
    if (line === undefined) return this.#refuse(null, RPC_CODES.parse, `A message has at most ${MAX_LINE_BYTES} bytes`);
    if (line.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#refuse(null, RPC_CODES.parse, "The line is not JSON");
    }
    if (!Array.isArray(message)) {
      const answer = await this.#answer(message);
      if (answer !== undefined) this.#write(JSON.stringify(answer));
      return;
    }
    // A batch, which one version of MCP has: answered as one.
    if (message.length === 0 || message.length > MAX_BATCH)
      return this.#refuse(null, RPC_CODES.invalidRequest, "The batch is empty or too long");
    const answers = (await Promise.all(message.map((part) => this.#answer(part)))).filter((answer) => answer !== undefined);
    if (answers.length > 0) this.#write(JSON.stringify(answers));
  }

  /** The client has gone away, or takes a request back. */
  cancel(id?: unknown): void {
    for (const [key, ending] of this.#underWay) if (id === undefined || key === id) ending.abort();
  }

  async #answer(message: unknown): Promise<object | undefined> {
    const { jsonrpc, id, method, params } = fieldsOf(message);
    const isKnownId = isId(id);
    const given = isKnownId ? id : null;
    if (jsonrpc !== "2.0" || (id !== undefined && !isKnownId))
      return refusal(given, RPC_CODES.invalidRequest, "This is no message of JSON-RPC 2.0");
    // A response: this server asks its client nothing.
    if (typeof method !== "string")
      return isKnownId && method === undefined ? undefined : refusal(given, RPC_CODES.invalidRequest, "There is no method");
    if (!isKnownId) {
      this.#handlers.notify(method, fieldsOf(params));
      return undefined;
    }
    if (this.#underWay.has(id)) return refusal(id, RPC_CODES.invalidRequest, "A request with this id is being answered");
    if (this.#underWay.size >= MAX_REQUESTS) return refusal(id, RPC_CODES.busy, "Too many requests at once");
    return await this.#run(id, method, fieldsOf(params));
  }

  async #run(id: RequestId, method: string, params: Fields): Promise<object | undefined> {
    const ending = new AbortController();
    this.#underWay.set(id, ending);
    try {
      const result = await this.#handlers.request(method, params, ending.signal);
      return ending.signal.aborted ? undefined : { jsonrpc: "2.0", id, result };
    } catch (error) {
      if (ending.signal.aborted) return undefined;
      return error instanceof RpcError ? refusal(id, error.code, error.message) : refusal(id, RPC_CODES.internal, "The server failed");
    } finally {
      this.#underWay.delete(id);
    }
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#write(JSON.stringify(refusal(id, code, message)));
  }
}

/** Lines of a stream of bytes; undefined in place of one that is too long. */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      length += end - start;
      yield length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
      [parts, length, start] = [[], 0, end + 1];
    }
    length += chunk.length - start;
    // What is too long is counted, not kept.
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(chunk.subarray(start));
  }
  if (length > 0) yield length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts).toString("utf8");
}

/** Fields of what may be anything. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function isId(id: unknown): id is RequestId {
  return (typeof id === "string" && id.length <= MAX_ID_CHARS) || (typeof id === "number" && Number.isFinite(id));
}

function refusal(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
