// Opens what is sealed to cards of pairs. The id of a card says for which device it was drawn, and so who must have sealed to it.
import type { IncomingPairContent } from "#shared/content/pairs/pair-content.ts";
import { decodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { decodePublicContent } from "#shared/content/public-content-codec.ts";
import type { OpenedItem, OpenedPublic } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import type { PairSide } from "#shared/protocol/pairs/pair-cipher.ts";
import { cardIdOf, readPair } from "#shared/protocol/pairs/pair-wire.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { livingCard } from "../../pairs/own-cards.ts";
import type { PairRecord } from "../../pairs/pair-record.ts";
import type { PairContext } from "./pair-context.ts";
import { PUBLIC_CARDS_KEY, type PublicRecord, publicSecret } from "./public-record.ts";

/** What became of an envelope that is sealed to a card. */
export type OpenedPair =
  | {
      readonly kind: "opened";
      readonly sender: PairSide;
      /** The pair with that device; undefined where there is none. */
      readonly record: PairRecord | undefined;
      /** Of the card of the pair; null for a public card. */
      readonly cardId: string | null;
      readonly content: IncomingPairContent;
      /** The same, encoded. */
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "unopened"; readonly record: PairRecord; readonly cardId: string }
  /** A first content, sealed to a public card of this device. */
  | { readonly kind: "public"; readonly sender: PairSide; readonly content: PublicContent; readonly bytes: Uint8Array }
  /** In a form of a later version; `isKnown`: under a card that was drawn for a device of someone one knows, and shown to it alone. */
  | { readonly kind: "newer"; readonly isKnown: boolean }
  /** Of no pair that this device knows, or no content. */
  | { readonly kind: "foreign" };

type PublicContent = NonNullable<ReturnType<typeof decodePublicContent>>;

interface OpeningContext extends Pick<PairContext, "keyring" | "node" | "pairs" | "store"> {
  /** True for people one knows, who are not blocked, and oneself. */
  readonly isKnown: (person: PublicKeyHex) => boolean;
}

interface Attempt {
  readonly index: number;
  readonly record: PairRecord;
  readonly cardId: string;
  readonly pair: Uint8Array;
  readonly mailbox: X25519KeyHex | undefined;
  /** Of the card, sealed; undefined where it is not there. */
  readonly secret: string | undefined;
}

/** Envelopes of one call of the keyring. */
const PUBLIC_AT_ONCE = 100;

const FOREIGN: OpenedPair = { kind: "foreign" };

/** An opened item, and the mailbox in which it lay; the lasting one by default. */
export interface LyingItem extends Pick<OpenedItem, "pair"> {
  readonly mailbox?: X25519KeyHex | undefined;
}

/** Opens those of a list of items that are sealed to cards, by their index. @throws CodedError KEYRING_LOCKED. */
export async function openPairs(context: OpeningContext, items: readonly LyingItem[]): Promise<ReadonlyMap<number, OpenedPair>> {
  const results = new Map<number, OpenedPair>(await openPublicOnes(context, items));
  const attempts: Attempt[] = [];
  for (const [index, { pair, mailbox }] of items.entries()) {
    if (pair === undefined || results.has(index)) continue;
    if (readPair(pair) === "newer") {
      results.set(index, { kind: "newer", isKnown: isUnderOwnCard(context, cardIdOf(pair)) });
      continue;
    }
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
    const sender = { masterPub: record.peer, devicePub: record.device };
    results.set(index, content === undefined ? FOREIGN : { kind: "opened", sender, record, cardId, content, bytes });
  }
  return results;
}

/** What is sealed to public cards. */
async function openPublicOnes(context: OpeningContext, items: readonly LyingItem[]): Promise<readonly (readonly [number, OpenedPair])[]> {
  const { keyring, store, node } = context;
  const found = items.flatMap(({ pair }, index) => {
    const parts = pair === undefined ? undefined : readPair(pair);
    return pair === undefined || typeof parts !== "object" || parts.from === undefined ? [] : [{ index, pair, ...parts }];
  });
  if (found.length === 0) return [];
  const record = await store.readMeta<PublicRecord>(PUBLIC_CARDS_KEY);
  const tried = found.flatMap((item) => {
    const secret = record && publicSecret(record, item.cardId);
    return secret === undefined ? [] : [{ ...item, secret: fromBase64(secret) }];
  });
  const opened = new Map<number, OpenedPublic | null>();
  for (let start = 0; start < tried.length; start += PUBLIC_AT_ONCE) {
    const some = tried.slice(start, start + PUBLIC_AT_ONCE);
    const results = await keyring.openPublic({ chainId: node.chainId, items: some.map(({ pair, secret }) => ({ pair, secret })) });
    for (const [at, { index }] of some.entries()) opened.set(index, results[at] ?? null);
  }
  return found.map(({ index, isOfPair = false }) => [index, openedPublic(context, opened.get(index) ?? undefined, isOfPair)] as const);
}

function openedPublic({ pairs }: OpeningContext, opened: OpenedPublic | undefined, isOfPair: boolean): OpenedPair {
  if (opened === undefined) return FOREIGN;
  const { sender, content: bytes } = opened;
  if (!isOfPair) {
    const content = decodePublicContent(bytes);
    return content === undefined ? FOREIGN : { kind: "public", sender, content, bytes };
  }
  const content = decodePairContent(bytes);
  const record = pairs.get(sender.devicePub);
  const isOfAnother = record !== undefined && record.peer !== sender.masterPub;
  return content === undefined || isOfAnother ? FOREIGN : { kind: "opened", sender, record, cardId: null, content, bytes };
}

/** A card of that id was drawn for a device of someone one knows: no one else was shown it. */
function isUnderOwnCard({ pairs, isKnown }: OpeningContext, cardId: string): boolean {
  return pairs
    .ofCard(cardId)
    .some(({ peer, state }) => isKnown(peer) && (cardNumber(state.instance, cardId) ?? state.nextNumber) < state.nextNumber);
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
