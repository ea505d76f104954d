// When another device is asked for what is missing in its chain: after a while, as networks deliver out of order, then with growing
// intervals. In memory alone: after a start it begins again, and what no one asks for is sealed again a day later.
import { MAX_RESEND_POSITIONS } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PairRecord } from "./pair-record.ts";
import type { ReceivedChain } from "./pair-state.ts";

/** A gap may be filled by itself for so long. */
const FIRST_ASK_MS = 15_000;
/** Each further request waits so many times longer. */
const ASK_FACTOR = 4;
/** Requests for a gap that does not change. */
const MAX_ASKS = 6;

interface Gap {
  /** Changes with what is missing first. */
  readonly name: string;
  readonly asks: number;
  readonly nextMs: number;
}

/** Gaps of one run. */
export class GapAsks {
  readonly #gaps = new Map<X25519KeyHex, Gap>();
  readonly #given = new Map<X25519KeyHex, { readonly instance: string; readonly last: number }>();

  /** A device said which position it gave last. */
  noteGiven(device: X25519KeyHex, { instance, last }: { readonly instance: string; readonly last: number }): void {
    const known = this.#given.get(device);
    if (known?.instance !== instance || known.last < last) this.#given.set(device, { instance, last });
  }

  /** Positions to ask a device for now, the first ones that are missing. */
  due({ device, state: { theirs } }: PairRecord, nowMs: number): readonly number[] {
    const missing = theirs === null ? [] : missingIn(theirs.chain, this.#lastOf(device, theirs.chain));
    if (theirs === null || missing.length === 0) {
      this.#gaps.delete(device);
      return [];
    }
    const name = `${theirs.chain.instance} ${theirs.chain.upTo}`;
    const gap = this.#gaps.get(device);
    if (gap?.name !== name) this.#gaps.set(device, { name, asks: 0, nextMs: nowMs + FIRST_ASK_MS });
    return gap?.name === name && gap.asks < MAX_ASKS && gap.nextMs <= nowMs ? missing : [];
  }

  /** A device was asked. */
  noteAsked(device: X25519KeyHex, nowMs: number): void {
    const gap = this.#gaps.get(device);
    if (gap === undefined) return;
    const asks = gap.asks + 1;
    this.#gaps.set(device, { ...gap, asks, nextMs: nowMs + FIRST_ASK_MS * ASK_FACTOR ** asks });
  }

  /** Its pair is stored no more. */
  forget(device: X25519KeyHex): void {
    this.#gaps.delete(device);
    this.#given.delete(device);
  }

  /** When the next device is to be asked; infinite where none is. */
  get nextMs(): number {
    return Math.min(...[...this.#gaps.values()].filter(({ asks }) => asks < MAX_ASKS).map(({ nextMs }) => nextMs));
  }

  #lastOf(device: X25519KeyHex, { instance, ahead, upTo }: ReceivedChain): number {
    const given = this.#given.get(device);
    return Math.max(ahead.at(-1)?.position ?? upTo, given?.instance === instance ? given.last : 0);
  }
}

function missingIn({ upTo, ahead }: ReceivedChain, last: number): readonly number[] {
  const there = new Set(ahead.map(({ position }) => position));
  const missing: number[] = [];
  for (let position = upTo + 1; position <= last && missing.length < MAX_RESEND_POSITIONS; position += 1)
    if (!there.has(position)) missing.push(position);
  return missing;
}
