// Whom a proposer names as relays of its own parts: those that passed on what others proposed. No other node has to agree on it.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fewestRelays } from "./part-layout.ts";
import type { PartProposal } from "./part-proposal.ts";

/** Heights for which it is remembered that a validator passed nothing on: it may have come back. */
export const MEMORY_HEIGHTS = 64;

/** Remembers the validators that failed as relays. */
export class RelayChoice {
  readonly #failedAt = new Map<PublicKeyHex, Height>();

  /** A height is over: relays of whom this node should have got a part, and got none, are left out for a while. */
  judge(proposal: PartProposal, ownKey: PublicKeyHex): void {
    const { assembly, helpers, proposer, head } = proposal;
    if (!assembly.isComplete || proposer === ownKey) return;
    const expected = new Set(
      Array.from({ length: assembly.count }, (_, index) => proposal.relaysOf(index)).flatMap((relays) =>
        relays.includes(ownKey) ? [] : relays,
      ),
    );
    for (const relay of expected) {
      if (helpers.has(relay)) this.#failedAt.delete(relay);
      else this.#failedAt.set(relay, head.proposal.height);
    }
  }

  /** Relays for an own proposal: as many of the best as the others accept at least, and all that did not fail. */
  relaysOf(others: readonly PublicKeyHex[], height: Height): readonly PublicKeyHex[] {
    for (const [key, failedAt] of this.#failedAt)
      if (!others.includes(key) || failedAt + MEMORY_HEIGHTS <= height) this.#failedAt.delete(key);
    const failedAt = (key: PublicKeyHex): Height => this.#failedAt.get(key) ?? 0;
    const sorted = others.toSorted((a, b) => failedAt(a) - failedAt(b));
    const sound = sorted.filter((key) => failedAt(key) === 0).length;
    return sorted.slice(0, Math.max(sound, fewestRelays(others.length)));
  }
}
