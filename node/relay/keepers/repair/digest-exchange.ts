// Keepers of a slot have each other sign what they have there, and show each other what the rest of them signed: who tells them different
// things is found out. Nothing here changes what is kept or fetched.
import { PacedWork } from "#node/network/flow/paced-work.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { nodeKeyOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { digestVersion, type SignedDigest } from "#shared/protocol/keepers/kept-digest.ts";
import type { MailDigest, MailRequest, MailResponse, SignedMailDigest } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { DigestContradiction } from "#shared/protocol/transactions/payload.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import type { Verify } from "../../intake/client-mail.ts";
import { type DigestMark, OwnDigests } from "./own-digests.ts";
import type { SlotKeepers } from "./repair-plan.ts";
import { SeenDigests } from "./seen-digests.ts";
import type { SlotMail } from "./slot-mail.ts";

export interface DigestExchangeDependencies {
  readonly chainId: string;
  readonly key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array };
  readonly ranks: {
    find(key: PublicKeyHex): unknown;
    isKeeperOfSlot(key: PublicKeyHex, slot: number): boolean;
    keepersOfSlot(slot: number): Pick<SlotKeepers, "all"> | undefined;
    readonly epoch: number;
  };
  readonly slotMail: () => Pick<SlotMail, "digest">;
  readonly mark: DigestMark;
  readonly verify: Verify;
  readonly onContradiction: (evidence: DigestContradiction) => void;
  readonly onLie: (keeper: PublicKeyHex) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
}

type SignedRequest = Extract<MailRequest, { readonly type: "signed" }>;

/** Digests of others that are remembered: those of the present version, and some of the one before. docs/limits.md lists these. */
export const SEEN_DIGESTS = 65_536;
/** Slots that are looked up, or signed, without a pause. */
export const SIGNED_AT_ONCE = 8;
/** Keepers that were asked in the present version. */
const ASKED_KEEPERS = 8_192;

/** Both sides of it. */
export class DigestExchange {
  readonly #dependencies: DigestExchangeDependencies;
  readonly #own: OwnDigests;
  readonly #seen: SeenDigests;
  readonly #pieces: PacedWork;
  #asked: { readonly version: number; readonly keepers: Set<PublicKeyHex> } = { version: 0, keepers: new Set() };
  /** Digests since the start: that this node signed for others, that it took, and that were not signed by whom they name. */
  readonly figures = { signed: 0, taken: 0, false: 0 };
  #isClosed = false;

  constructor(dependencies: DigestExchangeDependencies) {
    this.#dependencies = dependencies;
    const { slotMail } = dependencies;
    this.#own = new OwnDigests({ ...dependencies, digest: (slot): MailDigest => slotMail().digest(slot) });
    this.#seen = new SeenDigests({ ...dependencies, most: SEEN_DIGESTS });
    this.#pieces = new PacedWork(dependencies);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Has a keeper sign some of the slots that both have, once a version, and shows it what others signed of them. @throws CodedError UPSTREAM_FAILED */
  async compare(keeper: PublicKeyHex, slots: readonly number[], ask: (request: MailRequest) => Promise<MailResponse>): Promise<void> {
    const version = this.#now();
    if (this.#asked.version !== version) this.#asked = { version, keepers: new Set() };
    const { keepers } = this.#asked;
    if (slots.length === 0 || keepers.has(keeper) || keepers.size >= ASKED_KEEPERS) return;
    keepers.add(keeper);
    const chosen = this.#sample(slots);
    const response = await ask({ type: "signed", version, slots: chosen, seen: this.#seenOf(chosen, version, keeper) });
    if (response.type !== "signed") return;
    for (const [at, slot] of chosen.entries()) {
      const statement = response.digests[at] ?? null;
      if (statement !== null && !(await this.#take({ keeper, slot, version, ...statement }))) {
        this.#dependencies.onLie(keeper);
        return;
      }
    }
  }

  /** The response to a keeper; undefined for what no honest one sends. Who asks is a keeper of the slots, as this node is. */
  async respond({ version, slots, seen }: SignedRequest, from: PeerName): Promise<MailResponse | undefined> {
    const { ranks } = this.#dependencies;
    const asking = nodeKeyOf(from);
    if (asking === null || ranks.find(asking) === undefined) return { type: "wrongKeeper", epoch: ranks.epoch };
    const areShared = await this.#inPieces(slots, from, (slot) => this.#isShared(slot, asking));
    if (areShared === undefined) return { type: "busy" };
    const shared = new Set(slots.filter((_, at) => areShared[at]));
    if (shared.size === 0) return { type: "wrongKeeper", epoch: ranks.epoch };
    for (const digest of seen) if (this.#isOfInterest(digest, shared, version) && !(await this.#take(digest))) return undefined;
    const digests = await this.#inPieces(slots, from, (slot) => (shared.has(slot) ? this.#sign(slot, version) : null));
    return digests === undefined ? { type: "busy" } : { type: "signed", digests };
  }

  /** What the work has for each slot; undefined where the node stops, or the disk takes no mark. Ranks that are not known yet cost much. */
  async #inPieces<T>(slots: readonly number[], from: PeerName, work: (slot: number) => T): Promise<readonly T[] | undefined> {
    const results: T[] = [];
    try {
      for (let at = 0; at < slots.length; at += SIGNED_AT_ONCE) {
        const some = slots.slice(at, at + SIGNED_AT_ONCE);
        results.push(...(await this.#pieces.run(from, () => (this.#isClosed ? [] : some.map(work)))));
        if (this.#isClosed) return undefined;
      }
      return results;
    } catch {
      return undefined;
    }
  }

  async #take(digest: SignedDigest): Promise<boolean> {
    const isTrue = await this.#seen.take(digest);
    this.figures[isTrue ? "taken" : "false"] += 1;
    return isTrue;
  }

  #sign(slot: number, version: number): SignedMailDigest | null {
    const signed = this.#own.sign(slot, version);
    if (signed !== undefined) this.figures.signed += 1;
    return signed === undefined ? null : { count: signed.count, fingerprint: signed.fingerprint, signature: signed.signature };
  }

  #isShared(slot: number, asking: PublicKeyHex): boolean {
    const { ranks, key } = this.#dependencies;
    return ranks.isKeeperOfSlot(asking, slot) && ranks.isKeeperOfSlot(key.publicKey, slot);
  }

  /** Of a slot that was asked for, the same version, and another keeper of the slot: nothing else is verified or remembered. */
  #isOfInterest(digest: SignedDigest, shared: ReadonlySet<number>, version: number): boolean {
    const { ranks, key } = this.#dependencies;
    const isOfNow = digest.version === version && version === this.#now();
    return isOfNow && shared.has(digest.slot) && digest.keeper !== key.publicKey && ranks.isKeeperOfSlot(digest.keeper, digest.slot);
  }

  #seenOf(slots: readonly number[], version: number, asked: PublicKeyHex): readonly SignedDigest[] {
    const { ranks } = this.#dependencies;
    const found: SignedDigest[] = [];
    for (const slot of slots)
      for (const keeper of ranks.keepersOfSlot(slot)?.all ?? []) {
        const digest = keeper === asked ? undefined : this.#seen.find(keeper, { slot, version });
        if (digest !== undefined) found.push(digest);
        if (found.length >= NETWORK_LIMITS.mailItems.seenDigests) return found;
      }
    return found;
  }

  /**
   * Others cannot know which slots are asked, nor of which of them they are shown what others signed, as the first ones have the room: a keeper
   * that lies of one is found out some time.
   */
  #sample(slots: readonly number[]): readonly number[] {
    const { signedSlots } = NETWORK_LIMITS.mailItems;
    const rest = [...slots];
    const count = Math.min(signedSlots, slots.length);
    const draws = new DataView(this.#dependencies.random(count * Uint32Array.BYTES_PER_ELEMENT).slice().buffer);
    for (let at = 0; at < count; at += 1) {
      const other = at + (draws.getUint32(at * Uint32Array.BYTES_PER_ELEMENT) % (rest.length - at));
      [rest[at], rest[other]] = [rest[other] ?? 0, rest[at] ?? 0];
    }
    return rest.slice(0, count);
  }

  #now(): number {
    return digestVersion(this.#dependencies.clock.nowMs() / 1_000);
  }
}
