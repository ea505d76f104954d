// What one T is worth in another currency, from a source that the owner of the node names. The node asks only for its owner, and keeps
// within bounds whatever the address is: who could make it fetch something else would stand inside of the owner's network.
import { lookup as lookUpName } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import type { LookupFunction } from "node:net";
import { LOOPBACK_RANGES, parseIp, rangeOf } from "#node/network/addresses/ip-address.ts";
import { MAX_RATE } from "#shared/api/schemas/web.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Where a rate is found: an address that answers in JSON, and the names on the way to the number in it. */
export interface RatePlace {
  readonly url: string;
  /** Names and positions with dots between them, such as `rates.EUR` or `0.price`. */
  readonly path: string;
}

/** A rate, and when its source was asked, milliseconds since 1970. */
export interface FoundRate {
  readonly rate: number;
  readonly atMs: number;
}

export interface RateSourceOptions {
  readonly clock: Clock;
  /** Addresses of a name. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/** One source is asked at most this often, whatever it answered. docs/limits.md lists these. */
export const ASK_AGAIN_MS = 300_000;
/** Different sources that are asked within {@link REMEMBER_MS}: an address is also a way out for what a page knows. */
export const MAX_SOURCES = 4;
export const REMEMBER_MS = 3_600_000;
/** Longest answer, bytes. */
export const MAX_ANSWER_BYTES = 65_536;
const TIMEOUT_MS = 10_000;

interface Asked {
  readonly answer: Promise<{ readonly value: unknown; readonly atMs: number }>;
  readonly sinceMs: number;
}

/** Asks sources, each seldom. */
export class RateSource {
  readonly #clock: Clock;
  readonly #resolve: (name: string) => Promise<readonly string[]>;
  readonly #asked = new Map<string, Asked>();

  constructor({ clock, resolve = addressesOf }: RateSourceOptions) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  /**
   * The rate at a place, at most {@link ASK_AGAIN_MS} old.
   * @throws CodedError BAD_REQUEST for an address that is never asked, RATE_LIMITED where too many others were asked, UPSTREAM_FAILED.
   */
  async rateAt({ url, path }: RatePlace): Promise<FoundRate> {
    const address = checkedAddress(url);
    const { value, atMs } = await this.#ask(address);
    const rate = numberAt(value, path);
    if (rate === undefined) throw new CodedError("UPSTREAM_FAILED", "The source of the rate has no such number at that path");
    return { rate, atMs };
  }

  #ask(address: URL): Asked["answer"] {
    const nowMs = this.#clock.monotonicMs();
    for (const [url, { sinceMs }] of this.#asked) if (nowMs - sinceMs >= REMEMBER_MS) this.#asked.delete(url);
    const known = this.#asked.get(address.href);
    if (known !== undefined && nowMs - known.sinceMs < ASK_AGAIN_MS) return known.answer;
    if (known === undefined && this.#asked.size >= MAX_SOURCES)
      throw new CodedError("RATE_LIMITED", `${MAX_SOURCES} other sources of rates were asked within this hour: wait for its end`);
    const answer = readJson(address, this.#resolve).then((value) => ({ value, atMs: this.#clock.nowMs() }));
    // Each caller learns of a failure, where one still waits.
    answer.catch(() => undefined);
    this.#asked.set(address.href, { answer, sinceMs: nowMs });
    return answer;
  }
}

/** The number at a path of names and positions; undefined where there is none that could be a rate. */
export function numberAt(value: unknown, path: string): number | undefined {
  let found: unknown = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    if (Array.isArray(found) && !/^\d+$/.test(name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  const number = typeof found === "string" && /^\d{1,15}(\.\d{1,15})?$/.test(found) ? Number(found) : found;
  return typeof number === "number" && number > 0 && number <= MAX_RATE ? number : undefined;
}

/** @throws CodedError BAD_REQUEST for what is never asked */
function checkedAddress(text: string): URL {
  const address = URL.parse(text);
  if (address === null) throw refusal("The source is an address that begins with https://");
  const { protocol, username, password, hostname } = address;
  if (username !== "" || password !== "") throw refusal("The address of the source has no user and no password");
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackName(hostname)))
    throw refusal("The source is asked by https only, but for one on this machine");
  const ip = parseIp(bare(hostname));
  if (ip !== undefined && rangeOf(ip) !== "public" && !isLoopbackName(hostname)) throw refusal("The source is in no private network");
  address.hash = "";
  return address;
}

function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(bare(hostname));
}

function isLoopback(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && LOOPBACK_RANGES.includes(rangeOf(ip));
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

async function readJson(address: URL, resolve: (name: string) => Promise<readonly string[]>): Promise<unknown> {
  try {
    return JSON.parse(await readText(await answerOf(address, resolve)));
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    throw new CodedError("UPSTREAM_FAILED", "The source of the rate cannot be reached, or does not answer in JSON", { cause });
  }
}

/** Redirections are not followed: they would lead where no one has looked. */
function answerOf(address: URL, resolve: (name: string) => Promise<readonly string[]>): Promise<IncomingMessage> {
  const send = address.protocol === "https:" ? requestTls : requestPlain;
  return new Promise((found, reject) => {
    const request = send(address, {
      agent: false,
      headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "parley-node" },
      lookup: guardedLookup(resolve),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.once("error", reject);
    // A source may end the connection without a response, and without an error: as one that switches protocols does.
    request.once("close", () => reject(new CodedError("UPSTREAM_FAILED", "The source of the rate gave no answer")));
    request.once("response", (response) => {
      if (response.statusCode === 200) return found(response);
      response.destroy();
      reject(new CodedError("UPSTREAM_FAILED", `The source of the rate answered ${response.statusCode ?? 0}`));
    });
    request.end();
  });
}

/** The connection goes to an address that was checked, so no later answer of the name can lead it elsewhere. */
function guardedLookup(resolve: (name: string) => Promise<readonly string[]>): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (addresses) => {
        const isRight = name === "localhost" ? isLoopback : isPublic;
        const [first] = addresses;
        if (first === undefined || !addresses.every(isRight))
          return done(new Error("The name of the source leads into a private network"), []);
        const families = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        if (options.all === true) done(null, families);
        else done(null, first, first.includes(":") ? 6 : 4);
      },
      (error: Error) => done(error, []),
    );
  };
}

function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && rangeOf(ip) === "public";
}

async function addressesOf(name: string): Promise<readonly string[]> {
  return (await lookUpName(name, { all: true })).map(({ address }) => address);
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new CodedError("UPSTREAM_FAILED", "The source of the rate answers with too much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(message: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field: "url" } });
}
