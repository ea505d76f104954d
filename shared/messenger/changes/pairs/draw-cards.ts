// Own cards of pairs: drawn by the keyring where it is time. What opens them is stored with the change in which they are drawn, which the
// only writer of the store commits: never beside the step that renews the key of these secrets.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import type { BothClocks } from "../../pairs/counted-days.ts";
import { addCard, needsCard, nextCardId } from "../../pairs/own-cards.ts";
import { type PairRecord, shownCardOf } from "../../pairs/pair-record.ts";
import type { Change } from "../change.ts";
import type { PairContext } from "./pair-context.ts";

/** Cards of one call of the keyring. */
const CARDS_PER_CALL = 64;

/**
 * Draws a card for each of these pairs where it is time. While the master key has not vouched for this device nothing is drawn, and pairs
 * have no card to show.
 * @throws CodedError of the keyring.
 */
export async function drawDueCards(
  { keyring, node }: Pick<PairContext, "keyring" | "node">,
  change: Change,
  records: readonly PairRecord[],
  now: BothClocks,
): Promise<void> {
  const due = records.filter((record) => needsCard(record.state, now) || shownCardOf(record) === undefined);
  for (let start = 0; start < due.length; start += CARDS_PER_CALL) {
    const some = due.slice(start, start + CARDS_PER_CALL);
    const cards = some.map(({ state }) => ({ instance: state.instance, id: nextCardId(state) }));
    const drawn = await keyring.drawCards({ chainId: node.chainId, cards });
    if (drawn === null) return;
    for (const [at, record] of some.entries()) {
      const card = drawn[at];
      if (card !== undefined) change.putPair({ ...record, state: addCard(record.state, toBase64(card.secret), now), shown: card.card });
    }
  }
}

/** Pairs by device, one for each. */
export function onePerDevice(records: readonly PairRecord[]): readonly PairRecord[] {
  return [...new Map<X25519KeyHex, PairRecord>(records.map((record) => [record.device, record])).values()];
}
