// Calls of a contract over the HTTP interface of a node. Needs nothing but the platform: a browser, or Node from version 20 on.

/** Signs for the account that calls. */
export interface Signer {
  /** Ed25519 key, 64 hex characters in lower case. */
  readonly publicKey: string;
  /** The signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export interface ClientOptions {
  /** Where the node is, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** Id of the contract, 16 hex characters. */
  readonly contractId: string;
  /** Needed for calls, not for views. */
  readonly signer?: Signer;
  /** Token of a node that asks for one. */
  readonly token?: string;
}

/** What a call is given beside its arguments. */
export interface SendOptions {
  /** Gas limit; what the node advises unless said. */
  readonly gas?: number;
  /** How long to wait for the block, milliseconds; a minute unless said. */
  readonly timeoutMs?: number;
}

/** Of a method that takes µT. */
export interface PayableOptions extends SendOptions {
  /** µT to attach. */
  readonly amountUt?: number;
}

/** A call that is in a block. */
export interface SentCall {
  readonly txId: string;
  readonly block: number;
  readonly gasUsed: number;
}

/** A call or view that failed; `code` is one of the codes of receipts. */
export class ContractError<Reason extends string = string> extends Error {
  readonly code: string;
  /** The contract's own words when it refused. */
  readonly reason: Reason | (string & {});
  /** Set when it failed in a block, and was paid. */
  readonly txId: string | undefined;

  constructor(code: string, reason: Reason | (string & {}), txId?: string) {
    super(reason === "" ? code : reason);
    this.name = "ContractError";
    this.code = code;
    this.reason = reason;
    this.txId = txId;
  }
}

/** The node answered with an error, or not at all. */
export class NodeError extends Error {
  /** Status of HTTP. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "NodeError";
    this.status = status;
  }
}

/** An event with the transaction that it came of. */
export interface EventEntry<Name extends string, Fields> {
  readonly name: Name;
  readonly fields: Fields;
  readonly txId: string;
  readonly block: number;
  /** Unix seconds of the block. */
  readonly timestamp: number;
  /** Where it is in the log: `after` of what follows it. */
  readonly position: string;
}

interface CallOutcome {
  readonly status: "ok" | "failed";
  readonly code: string;
  readonly reason: string;
  readonly result_text: string | null;
  readonly gas_limit?: number;
}

const MIN_FEE_UT = 1_000;
/** The most that a network can ask for at least. */
const MOST_MIN_FEE_UT = 1_000_000;
const FREE_PAYLOAD_BYTES = 4_096;
const TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/** What the clients of all contracts share. */
export class ContractClient {
  readonly contractId: string;
  readonly #options: ClientOptions;
  #chainId: string | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.contractId = options.contractId.toLowerCase();
  }

  /** Where its events are read. */
  protected eventAccess(): {
    readonly contractId: string;
    readonly socketUrl: string;
    readonly get: (path: string) => Promise<unknown>;
  } {
    const { url, token } = this.#options;
    const socket = new URL("/api/ws", url);
    socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:";
    if (token !== undefined) socket.searchParams.set("token", token);
    return { contractId: this.contractId, socketUrl: socket.href, get: (path): Promise<unknown> => this.request("GET", path) };
  }

  /** What a view returns, its integers as texts. @throws ContractError */
  protected async ask(method: string, args: readonly string[]): Promise<unknown> {
    const from = this.#options.signer?.publicKey;
    const body = { method, args_json: `[${args.join(",")}]`, ...(from === undefined ? {} : { from }) };
    const outcome = await this.request<CallOutcome>("POST", `/api/contracts/${this.contractId}/call`, body);
    if (outcome.status === "failed") throw new ContractError(outcome.code, outcome.reason);
    return outcome.result_text === null || outcome.result_text === "" ? undefined : parseExact(outcome.result_text);
  }

  /** Sends a call and waits for its block. One that would fail is not sent. @throws ContractError */
  protected async send(method: string, args: readonly string[], options: PayableOptions = {}): Promise<SentCall> {
    const { signer } = this.#options;
    if (signer === undefined) throw new TypeError("A call needs a signer");
    const { amountUt = 0, gas, timeoutMs = TIMEOUT_MS } = options;
    const args_json = `[${args.join(",")}]`;
    const path = `/api/contracts/${this.contractId}/estimate`;
    const estimate = await this.request<CallOutcome>("POST", path, { method, args_json, from: signer.publicKey, amount_ut: amountUt });
    if (estimate.status === "failed") throw new ContractError(estimate.code, estimate.reason);
    const gas_limit = gas ?? estimate.gas_limit;
    const payload = new TextEncoder().encode(JSON.stringify({ contract_id: this.contractId, method, args_json, gas_limit }));
    const id = await this.#submit(signer, payload, amountUt);
    return await this.#inBlock(id, timeoutMs);
  }

  /** Response of the node, its integers as they are in JavaScript. @throws NodeError */
  protected async request<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
    const { url, token } = this.#options;
    const response = await fetch(new URL(path, url), {
      method,
      headers: { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw new NodeError(response.status, errorText(text) ?? `${method} ${path} failed with status ${response.status}`);
  }

  async #submit(signer: Signer, payload: Uint8Array, amount: number): Promise<string> {
    const unsigned = {
      id: "",
      type: "CALL_CONTRACT",
      from: signer.publicKey,
      to: "",
      amount,
      fee: (await this.#leastFee()) + Math.max(0, payload.length - FREE_PAYLOAD_BYTES),
      payload: base64Of(payload),
      timestamp: `${new Date().toISOString().slice(0, 19)}Z`,
    };
    // A salt of its own, because two equal calls of one second are two transactions.
    const tx = { ...unsigned, id: await transactionId(await this.#chain(), unsigned) };
    const signature = base64Of(await signer.sign(new TextEncoder().encode(JSON.stringify(tx))));
    await this.request("POST", "/api/tx", { ...tx, signature });
    return tx.id;
  }

  /** Smallest fee of the network now, µT: its validators may change it. */
  async #leastFee(): Promise<number> {
    try {
      const { params } = await this.request<{ readonly params: { readonly min_fee_ut?: number } }>("GET", "/api/params");
      const { min_fee_ut: least = MIN_FEE_UT } = params;
      if (!(least >= 1 && least <= MOST_MIN_FEE_UT)) throw new NodeError(502, `The node reports a smallest fee of ${least} µT`);
      return least;
    } catch (error) {
      if (error instanceof NodeError && error.status === 404) return MIN_FEE_UT;
      throw error;
    }
  }

  async #chain(): Promise<string> {
    this.#chainId ??= (await this.request<{ readonly chain_id: string }>("GET", "/api/network-info")).chain_id;
    return this.#chainId;
  }

  async #inBlock(txId: string, timeoutMs: number): Promise<SentCall> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const found = await this.#find(txId);
      if (found?.status === "failed") throw new ContractError("CONTRACT_FAILED", found.error ?? "", txId);
      if (found?.status === "ok") return { txId, block: found.block_index, gasUsed: found.gas_used ?? 0 };
      if (Date.now() > until) throw new NodeError(504, `The transaction ${txId} is in no block yet`);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  async #find(txId: string): Promise<Found | undefined> {
    try {
      return await this.request<Found>("GET", `/api/tx/${txId}`);
    } catch (error) {
      if (error instanceof NodeError && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** While it is pending it has no block. */
interface Found {
  readonly status: "ok" | "failed" | "pending";
  readonly block_index: number;
  readonly gas_used?: number;
  readonly error?: string;
}

/** Value of a JSON text, its integers as texts, so that none is rounded. */
export function parseExact(json: string): unknown {
  return JSON.parse(json.replace(/("(?:[^"\\]|\\.)*")|(-?\d+)/g, (_all, text?: string, integer?: string) => text ?? `"${integer}"`));
}

/** `tx1`, a salt, and the hash of chain, salt and what is signed. */
async function transactionId(chainId: string, unsigned: object): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(8));
  const [chain, signed] = [`${chainId}\u0000`, JSON.stringify(unsigned)].map((part) => new TextEncoder().encode(part));
  const bytes = Uint8Array.from([...(chain ?? []), ...salt, ...(signed ?? [])]);
  return `tx1${toHex(salt)}${toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))}`;
}

function errorText(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && "error" in value && typeof value.error === "string" ? value.error : undefined;
  } catch {
    return undefined;
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

// Values as JSON and back. Their types are those of the interface.

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: unknown): Uint8Array {
  return Uint8Array.from((String(text).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/** How values of a type travel: `encode` gives JSON, `decode` takes what {@link parseExact} made of it. */
export interface ValueCodec<T> {
  encode(value: T): string;
  decode(value: unknown): T;
}

export const text: ValueCodec<string> = { encode: (value) => JSON.stringify(value), decode: String };
export const flag: ValueCodec<boolean> = { encode: String, decode: (value) => value === true || value === "true" };
export const small: ValueCodec<number> = { encode: (value) => String(BigInt(value)), decode: Number };
export const large: ValueCodec<bigint> = { encode: String, decode: (value) => BigInt(value as string) };
export const wide: ValueCodec<bigint> = { encode: (value) => `"${value}"`, decode: (value) => BigInt(value as string) };
export const bytes: ValueCodec<Uint8Array> = { encode: (value) => `"${toHex(value)}"`, decode: fromHex };
/** Any JSON value; integers come back as texts. */
export const json: ValueCodec<unknown> = { encode: (value) => JSON.stringify(value), decode: (value) => value };

export function listOf<T>(item: () => ValueCodec<T>): ValueCodec<readonly T[]> {
  return {
    encode: (value) => `[${value.map((one) => item().encode(one)).join(",")}]`,
    decode: (value) => (value as readonly unknown[]).map((one) => item().decode(one)),
  };
}

export function orNull<T>(item: () => ValueCodec<T>): ValueCodec<T | null> {
  return {
    encode: (value) => (value === null ? "null" : item().encode(value)),
    decode: (value) => (value === null ? null : item().decode(value)),
  };
}

type Fields<T> = { readonly [Name in keyof T]: () => ValueCodec<T[Name]> };

export function objectOf<T extends object>(fields: Fields<T>): ValueCodec<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    encode: (value) => `{${names.map((name) => `${JSON.stringify(name)}:${fields[name]().encode(value[name])}`).join(",")}}`,
    decode: (value) =>
      Object.fromEntries(names.map((name) => [name, fields[name]().decode((value as Readonly<Record<string, unknown>>)[name])])) as T,
  };
}
