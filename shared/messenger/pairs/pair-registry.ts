// Pairs of this device in memory, as in the store.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { GapAsks } from "./gap-asks.ts";
import type { PairRecord } from "./pair-record.ts";

/** Pairs that are stored; of strangers' ones, and then of all, the one that was used longest ago makes room. */
export const MAX_PAIRS = 2_048;
/** Pairs with devices of one person that are stored. */
export const MAX_PAIRS_PER_PERSON = 64;

/** Pairs of one run. */
export class PairRegistry {
  /** What other devices are asked for. */
  readonly gaps = new GapAsks();
  readonly #records = new Map<X25519KeyHex, PairRecord>();

  constructor(records: readonly PairRecord[]) {
    for (const record of records) this.set(record);
  }

  get(device: X25519KeyHex): PairRecord | undefined {
    return this.#records.get(device);
  }

  set(record: PairRecord): void {
    this.#records.set(record.device, record);
  }

  delete(device: X25519KeyHex): void {
    this.#records.delete(device);
    this.gaps.forget(device);
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  get all(): readonly PairRecord[] {
    return [...this.#records.values()];
  }

  /** Pairs whose present instance begins as the id of a card does: one, but for a chance of one in four billion. */
  ofCard(cardId: string): readonly PairRecord[] {
    return this.all.filter(({ state }) => cardNumber(state.instance, cardId) !== undefined);
  }
}

/** Devices of pairs that make room, so that no bound is exceeded. `isKnown`: contacts, people of shared groups and oneself. */
export function crowdedOut(records: readonly PairRecord[], isKnown: (person: PublicKeyHex) => boolean): readonly X25519KeyHex[] {
  const byUse = records.toSorted((a, b) => usedAtMs(a) - usedAtMs(b));
  const perPerson = new Map<PublicKeyHex, number>();
  for (const { peer } of byUse) perPerson.set(peer, (perPerson.get(peer) ?? 0) + 1);
  const out: X25519KeyHex[] = [];
  const left = byUse.filter(({ peer, device }) => {
    const count = perPerson.get(peer) ?? 0;
    if (count <= MAX_PAIRS_PER_PERSON) return true;
    perPerson.set(peer, count - 1);
    out.push(device);
    return false;
  });
  const excess = left.length - MAX_PAIRS;
  if (excess <= 0) return out;
  const known = new Map(left.map(({ peer }) => [peer, isKnown(peer)]));
  const ordered = [...left.filter(({ peer }) => known.get(peer) !== true), ...left.filter(({ peer }) => known.get(peer) === true)];
  return [...out, ...ordered.slice(0, excess).map(({ device }) => device)];
}

/** When something of either side came last, by the own clock. */
function usedAtMs({ state: { theirs, sent, introducedAt } }: PairRecord): number {
  return Math.max(theirs?.heardAt.ownMs ?? 0, sent.sealedAt?.ownMs ?? 0, introducedAt?.ownMs ?? 0);
}
