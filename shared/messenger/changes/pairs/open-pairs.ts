// Opens what is sealed to cards of pairs. The id of a card says for which device it was drawn, and so who must have sealed to it.
import type { IncomingPairContent } from "#shared/content/pairs/pair-content.ts";
import { decodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import type { OpenedItem } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { livingCard } from "../../pairs/own-cards.ts";
import type { PairRecord } from "../../pairs/pair-record.ts";
import type { PairContext } from "./pair-context.ts";

/** What became of an envelope that is sealed to a card. */
export type OpenedPair =
  | { readonly kind: "opened"; readonly record: PairRecord; readonly cardId: string; readonly content: IncomingPairContent }
  | { readonly kind: "unopened"; readonly record: PairRecord; readonly cardId: string }
  /** Of no pair that this device knows, or no content. */
  | { readonly kind: "foreign" };

type OpeningContext = Pick<PairContext, "keyring" | "node" | "pairs">;

interface Attempt {
  readonly index: number;
  readonly record: PairRecord;
  readonly cardId: string;
  readonly pair: Uint8Array;
  readonly mailbox: X25519KeyHex | undefined;
  /** Of the card, sealed; undefined where it is not there. */
  readonly secret: string | undefined;
}

const FOREIGN: OpenedPair = { kind: "foreign" };

/** An opened item, and the mailbox in which it lay; the lasting one by default. */
export interface LyingItem extends Pick<OpenedItem, "pair"> {
  readonly mailbox?: X25519KeyHex | undefined;
}

/** Opens those of a list of items that are sealed to cards, by their index. @throws CodedError KEYRING_LOCKED. */
export async function openPairs(context: OpeningContext, items: readonly LyingItem[]): Promise<ReadonlyMap<number, OpenedPair>> {
  const results = new Map<number, OpenedPair>();
  const attempts: Attempt[] = [];
  for (const [index, { pair, mailbox }] of items.entries()) {
    if (pair === undefined) continue;
    const ofItem = attemptsFor(context, { index, pair, mailbox });
    const [first] = ofItem;
    // Which of two pairs something is for that neither opens is not known.
    results.set(
      index,
      first === undefined || ofItem.length > 1 ? FOREIGN : { kind: "unopened", record: first.record, cardId: first.cardId },
    );
    attempts.push(...ofItem);
  }
  const tried = attempts.flatMap((attempt) => (attempt.secret === undefined ? [] : [{ ...attempt, secret: attempt.secret }]));
  const contents = await openWith(context, tried);
  for (const [at, { index, record, cardId }] of tried.entries()) {
    const bytes = contents[at] ?? null;
    if (bytes === null) continue;
    const content = decodePairContent(bytes);
    results.set(index, content === undefined ? FOREIGN : { kind: "opened", record, cardId, content });
  }
  return results;
}

function attemptsFor({ pairs }: OpeningContext, item: Pick<Attempt, "index" | "pair" | "mailbox">): readonly Attempt[] {
  const parts = readPair(item.pair);
  if (typeof parts === "string") return [];
  const { cardId } = parts;
  return pairs.ofCard(cardId).map((record) => ({ ...item, record, cardId, secret: livingCard(record.state, cardId)?.secret }));
}

async function openWith(
  { keyring, node: { chainId } }: OpeningContext,
  tried: readonly (Attempt & { readonly secret: string })[],
): Promise<readonly (Uint8Array | null)[]> {
  if (tried.length === 0) return [];
  const items = tried.map(({ pair, secret, mailbox, record: { peer, device } }) => ({
    ...{ pair, secret: fromBase64(secret) },
    sender: { masterPub: peer, devicePub: device },
    ...(mailbox !== undefined && { mailbox }),
  }));
  return keyring.openPairs({ chainId, items });
}
