// Programs that ask to connect. One waits for the machine, in memory; the program shows a number and the person types it, so that no other
// program is let in by mistake.
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { MAX_CODE_TRIES, MAX_REQUESTS_PER_HOUR, REQUEST_MS } from "../app-limits.ts";
import { createSecret, equalHashes, hashSecret } from "../judging/app-tokens.ts";
import type { ConnectionView, FetchedRequest, OpenedRequest } from "../messages/apps-api.ts";
import type { ResolvedName } from "../scopes/narrow-scopes.ts";
import type { Scope } from "../scopes/scopes.ts";

const HOUR_MS = 3_600_000;
const CODES = 1_000_000;
/** 32 random bits are cut to a code without favouring one. */
const FAIR_VALUES = Math.floor(2 ** 32 / CODES) * CODES;

/** What a program asks for. */
export interface AskedRequest {
  readonly name: string;
  readonly reason: string;
  /** With keys in place of names. */
  readonly scopes: readonly Scope[];
  readonly names: readonly ResolvedName[];
}

/** A request that the person has not decided. */
export interface OpenRequest extends AskedRequest {
  readonly id: string;
  readonly expiresAtMs: number;
}

interface Entry extends OpenRequest {
  readonly code: string;
  readonly secretHash: Uint8Array;
  readonly untilMs: number;
  tries: number;
  outcome: "waiting" | "refused" | "fetched" | { readonly token: string; readonly connection: ConnectionView };
}

/** Requests of one machine. */
export class RequestDesk {
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  /** By monotonic time, oldest first. */
  #openedAtMs: number[] = [];
  #entries: readonly Entry[] = [];

  constructor(clock: Clock, random: RandomBytes) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * One that the person makes themselves, with the password, is not counted.
   * @throws CodedError RATE_LIMITED while another one waits, and after five in an hour.
   */
  open(asked: AskedRequest, isCounted = true): OpenedRequest {
    const now = this.#clock.monotonicMs();
    this.#openedAtMs = this.#openedAtMs.filter((at) => now - at < HOUR_MS);
    const waiting = this.#entries.find((entry) => entry.outcome === "waiting" && now < entry.untilMs);
    if (waiting !== undefined) throw tooMany("Another program waits to be let in", waiting.untilMs - now);
    const oldest = this.#openedAtMs[0];
    if (isCounted && oldest !== undefined && this.#openedAtMs.length >= MAX_REQUESTS_PER_HOUR)
      throw tooMany("Programs have asked often enough", oldest + HOUR_MS - now);
    if (isCounted) this.#openedAtMs.push(now);
    const secret = createSecret(this.#random);
    const entry: Entry = {
      ...asked,
      id: toHex(this.#random(8)),
      code: drawCode(this.#random),
      secretHash: hashSecret(secret),
      expiresAtMs: this.#clock.nowMs() + REQUEST_MS,
      untilMs: now + REQUEST_MS,
      tries: 0,
      outcome: "waiting",
    };
    this.#entries = [...this.#entries.filter(({ untilMs }) => now < untilMs), entry];
    const { id, code, expiresAtMs } = entry;
    return { id, secret, code, expiresAtMs };
  }

  /** The one that waits. */
  waiting(): OpenRequest | undefined {
    const now = this.#clock.monotonicMs();
    return this.#entries.find(({ outcome, untilMs }) => outcome === "waiting" && now < untilMs);
  }

  /** What came of a request; a token is given once. @throws CodedError NOT_FOUND for another secret too. */
  fetch(id: string, secret: string): FetchedRequest {
    const entry = this.#entries.find((other) => other.id === id);
    if (entry === undefined || !equalHashes(entry.secretHash, hashSecret(secret))) throw notFound();
    const { outcome, expiresAtMs } = entry;
    if (typeof outcome === "string" && outcome !== "waiting") return { state: outcome };
    if (this.#clock.monotonicMs() >= entry.untilMs) return { state: "expired" };
    if (outcome === "waiting") return { state: "waiting", expiresAtMs };
    entry.outcome = "fetched";
    return { state: "granted", ...outcome };
  }

  /** The request of an id, for the number that the person typed. @throws CodedError NOT_FOUND, APP_CODE_WRONG. */
  requireCode(id: string, code: string): OpenRequest {
    const entry = this.#require(id);
    if (equalHashes(hashSecret(entry.code), hashSecret(code.replaceAll(" ", "")))) return entry;
    entry.tries += 1;
    if (entry.tries >= MAX_CODE_TRIES) entry.outcome = "refused";
    throw new CodedError("APP_CODE_WRONG", "This is not the number that the program shows");
  }

  grant(id: string, token: string, connection: ConnectionView): void {
    this.#require(id).outcome = { token, connection };
  }

  refuse(id: string): void {
    this.#require(id).outcome = "refused";
  }

  /** Programs may not ask any more. */
  refuseAll(): void {
    for (const entry of this.#entries) if (entry.outcome === "waiting") entry.outcome = "refused";
  }

  #require(id: string): Entry {
    const now = this.#clock.monotonicMs();
    const entry = this.#entries.find((other) => other.id === id && other.outcome === "waiting" && now < other.untilMs);
    if (entry === undefined) throw notFound();
    return entry;
  }
}

function drawCode(random: RandomBytes): string {
  for (;;) {
    const bytes = random(4);
    const value = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    if (value < FAIR_VALUES) return String(value % CODES).padStart(6, "0");
  }
}

function tooMany(message: string, waitMs: number): CodedError {
  return new CodedError("RATE_LIMITED", message, { details: { retryAfterS: Math.ceil(waitMs / 1_000) } });
}

function notFound(): CodedError {
  return new CodedError("NOT_FOUND", "No such request waits");
}
