// Whether a peer has the old blocks that it says it has: a few of them, drawn by lot, are fetched from it and held to own hashes. A status alone
// proves nothing, and what is dropped because of it would be lost.
import { checkBodyOfHash } from "#node/light/peers/check-responses.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

export const HOLDER_LIMITS = {
  /** Blocks that are fetched of a range: one of each of so many equal parts, so that a gap of a quarter of the range is always found. */
  samples: 8,
  /** How long a peer that has shown them counts, ms, while it stays connected. */
  provenMs: 3_600_000,
  /** How long one that did not is not asked again, ms: it may be busy, or have just begun. */
  restMs: 10_000,
};

/** Blocks, both ends included. */
export interface BlockRange {
  readonly first: Height;
  readonly last: Height;
}

export interface HolderProofsDependencies {
  readonly peers: Pick<LightRequester, "ask" | "noteProven" | "report">;
  /** The hash of an own block. */
  readonly hashOf: (height: Height) => HashHex | undefined;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** A whole number from 0 on, below another one. */
  readonly random: (below: number) => number;
  readonly log: Pick<Log, "info" | "warn">;
  /** Called once a peer has shown its blocks. */
  readonly onProven: () => void;
}

interface Proof extends BlockRange {
  readonly atMs: number;
}

/** Asks one peer at a time; remembers connected ones alone. */
export class HolderProofs {
  readonly #dependencies: HolderProofsDependencies;
  readonly #ending = new AbortController();
  readonly #proofs = new Map<PeerName, Proof>();
  readonly #restsUntilMs = new Map<PeerName, number>();
  #isAsking = false;

  constructor(dependencies: HolderProofsDependencies) {
    this.#dependencies = dependencies;
  }

  /** A peer is asked at the moment. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Asks no more; what is under way changes nothing. */
  stop(): void {
    this.#ending.abort();
  }

  /**
   * Up to where one of these peers has shown that it has the blocks of a range; undefined where none has, and then one of them is asked, if
   * it may be. `isEnough` says whether something could go then: a proof that is used up is made once more.
   */
  heldTo(names: readonly PeerName[], range: BlockRange, isEnough: (to: Height) => boolean): Height | undefined {
    const nowMs = this.#dependencies.clock.monotonicMs();
    forgetOthers(this.#proofs, names);
    forgetOthers(this.#restsUntilMs, names);
    for (const { first, last, atMs } of this.#proofs.values()) {
      const to = Math.min(last, range.last);
      if (first <= range.first && nowMs < atMs + HOLDER_LIMITS.provenMs && isEnough(to)) return to;
    }
    const ready = names.filter((name) => (this.#restsUntilMs.get(name) ?? 0) <= nowMs);
    // By lot: many that are of no use do not keep the others from being asked.
    const name = ready[this.#dependencies.random(Math.max(1, ready.length))];
    if (name !== undefined && !this.#isAsking && !this.#ending.signal.aborted) void this.#ask(name, range);
    return undefined;
  }

  async #ask(name: PeerName, range: BlockRange): Promise<void> {
    const { clock, log, onProven } = this.#dependencies;
    this.#isAsking = true;
    let isProven = false;
    try {
      isProven = await this.#shows(name, range);
    } catch (error) {
      if (!isCodedError(error)) log.warn({ err: error }, "A connected node could not be asked for old blocks");
    }
    this.#isAsking = false;
    if (this.#ending.signal.aborted) return;
    if (!isProven) {
      this.#restsUntilMs.set(name, clock.monotonicMs() + HOLDER_LIMITS.restMs);
      const facts = { peer: name, from_height: range.first, to_height: range.last };
      log.info(facts, "A connected node says that it has old blocks, and does not show them");
      return;
    }
    this.#proofs.set(name, { ...range, atMs: clock.monotonicMs() });
    onProven();
  }

  /** @throws CodedError when the peer does not answer */
  async #shows(name: PeerName, range: BlockRange): Promise<boolean> {
    const { peers, hashOf } = this.#dependencies;
    for (const height of this.#drawn(range)) {
      // The chain may be closed by then.
      if (this.#ending.signal.aborted) return false;
      const hash = hashOf(height);
      const response = await peers.ask<"body">(name, { kind: "body", height }, this.#ending.signal);
      if (hash === undefined || response.kind !== "body") return false;
      if ("reason" in checkBodyOfHash(hash, response, nativeSha256)) {
        peers.report(name, "lie");
        return false;
      }
      peers.noteProven(name);
    }
    return true;
  }

  /** One block of each of so many equal parts. Each node makes genesis itself. */
  #drawn({ first: from, last }: BlockRange): readonly Height[] {
    const first = Math.max(1, from);
    const count = Math.max(0, last - first + 1);
    const parts = Math.min(HOLDER_LIMITS.samples, count);
    return Array.from({ length: parts }, (_, part) => {
      const [begin, end] = [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)];
      return first + begin + this.#dependencies.random(end - begin);
    });
  }
}

function forgetOthers(values: Map<PeerName, unknown>, names: readonly PeerName[]): void {
  for (const name of values.keys()) if (!names.includes(name)) values.delete(name);
}
