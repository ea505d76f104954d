// Asks web servers for pages and pictures that the owner of the node named, or that such a page names. Whatever an address is, the node
// stays within bounds: only TLS, only names that lead to public addresses, and the connection goes to the address that was checked.
import type { ClientRequest, IncomingMessage } from "node:http";
import { type RequestOptions, request as requestTls } from "node:https";
import { askNameServers } from "#node/network/addresses/guarded-lookup.ts";
import { parseIp, rangeOf } from "#node/network/addresses/ip-address.ts";
import { isPublicName } from "#shared/content/chat/link-preview.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Redirections that are followed; each leads where all is checked again. docs/limits.md lists these. */
export const MAX_REDIRECTS = 3;
/** For names, redirections and the last byte together. */
const TIMEOUT_MS = 8_000;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface PublicPagesOptions {
  /** Addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /** Begins a request; `lookup` of the options gives the checked addresses. */
  readonly send?: (address: URL, options: RequestOptions) => ClientRequest;
  readonly timeoutMs?: number;
}

/** What is asked for. */
export interface Wanted {
  readonly accept: string;
  /** True for a media type that is read; of another one nothing is. */
  readonly isRight: (mediaType: string) => boolean;
  readonly maxBytes: number;
  /** Takes the beginning of what is longer; otherwise that is refused. */
  readonly takesBeginning: boolean;
}

/** What a server answered. */
export interface Answer {
  /** Where it was found, after redirections. */
  readonly address: URL;
  /** The header as it came, at least of a media type. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Reads from servers, without cookies, credentials or a word of who asks. */
export class PublicPages {
  readonly #resolve: (name: string) => Promise<readonly string[]>;
  readonly #send: (address: URL, options: RequestOptions) => ClientRequest;
  readonly #timeoutMs: number;

  constructor({ resolve = askNameServers, send = requestTls, timeoutMs = TIMEOUT_MS }: PublicPagesOptions = {}) {
    this.#resolve = resolve;
    this.#send = send;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws CodedError BAD_REQUEST for an address that is never asked, UPSTREAM_FAILED */
  async get(link: string, wanted: Wanted): Promise<Answer> {
    const first = checkedAddress(link);
    if (first === undefined) throw new CodedError("BAD_REQUEST", "Only public pages over https are read", { details: { field: "url" } });
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await this.#follow(first, wanted, signal);
    } catch (cause) {
      if (cause instanceof CodedError) throw cause;
      throw new CodedError("UPSTREAM_FAILED", "The page cannot be reached, or took too long", { cause });
    }
  }

  async #follow(first: URL, wanted: Wanted, signal: AbortSignal): Promise<Answer> {
    let address = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await this.#answerOf(address, wanted.accept, signal);
      if (!REDIRECTS.includes(response.statusCode ?? 0)) return { address, ...(await readAnswer(response, wanted)) };
      response.destroy();
      const next = checkedAddress(URL.parse(response.headers.location ?? "", address.href)?.href ?? "");
      if (next === undefined) throw failure("The page leads where nothing is read");
      address = next;
    }
    throw failure(`The page leads on more than ${MAX_REDIRECTS} times`);
  }

  async #answerOf(address: URL, accept: string, signal: AbortSignal): Promise<IncomingMessage> {
    const addresses = await until(this.#resolve(address.hostname), signal);
    if (addresses.length === 0) throw failure("The name of the page is not known");
    if (!addresses.every(isPublic)) throw failure("The name of the page leads into a private network");
    const families = addresses.map((ip) => ({ address: ip, family: ip.includes(":") ? 6 : 4 }));
    return new Promise((found, reject) => {
      const request = this.#send(address, {
        agent: false,
        headers: { accept, "accept-encoding": "identity", "user-agent": "parley-node" },
        lookup: (_, options, done) => {
          const [one] = families as [{ readonly address: string; readonly family: number }];
          if (options.all === true) done(null, families);
          else done(null, one.address, one.family);
        },
        signal,
      });
      request.on("error", reject);
      // A server may end the connection without a response, and without an error: as one that switches protocols does.
      request.once("close", () => reject(failure("The page gave no answer")));
      request.once("response", found);
      request.end();
    });
  }
}

/** Names of the public network on the usual port: a link to anything else asks for what only this machine may reach. */
function checkedAddress(link: string): URL | undefined {
  const address = URL.parse(link);
  if (address === null || address.protocol !== "https:" || address.port !== "" || !isPublicName(address.hostname)) return undefined;
  if (address.username !== "" || address.password !== "") return undefined;
  address.hash = "";
  return address;
}

async function readAnswer(response: IncomingMessage, wanted: Wanted): Promise<Omit<Answer, "address">> {
  const { statusCode, headers } = response;
  const contentType = headers["content-type"] ?? "";
  const isPlain = ["", "identity"].includes((headers["content-encoding"] ?? "").toLowerCase());
  if (statusCode !== 200 || !isPlain || !wanted.isRight(mediaTypeOf(contentType))) {
    response.destroy();
    throw failure(statusCode === 200 ? "What the link leads to is of another kind" : `The page answered ${statusCode ?? 0}`);
  }
  return { contentType, bytes: await readBytes(response, wanted) };
}

async function readBytes(response: IncomingMessage, { maxBytes, takesBeginning }: Wanted): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes && !takesBeginning) throw failure("What the link leads to is too large");
    chunks.push(chunk);
    // Leaving the loop ends the connection.
    if (bytes >= maxBytes) break;
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes));
}

/** "text/html" of "Text/HTML; charset=utf-8". */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** The value, unless the signal comes first: a question for a name cannot be called off. */
async function until<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && rangeOf(ip) === "public";
}

function failure(message: string): CodedError {
  return new CodedError("UPSTREAM_FAILED", message);
}
