// Bytes of what nodes and keepers of mail ask each other. Those of a stranger are read with `tryDecode`, within these bounds.
import type { Codec } from "#shared/codec/codec.ts";
import { fields, list, nullable, record, refined } from "#shared/codec/composites.ts";
import { base64UpTo, boolean, bytesUpTo, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import type {
  BoxPage,
  KeptEnvelope,
  KeptPlace,
  MailDigest,
  MailPlace,
  MailRequest,
  MailResponse,
  RangeAnswer,
  SeenDigest,
  SignedMailDigest,
} from "#shared/protocol/mail/mail-messages.ts";
import { MAX_RECEIPT_MARKS, type MailReceipt } from "#shared/protocol/mail/mail-receipt.ts";
import { MAX_PUBLIC_CARD_BYTES } from "#shared/protocol/pairs/public-card.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { deletionCodec, envelopeCodec, envelopeWireBytes, noticeCodec, openingCodec } from "./relay-codec.ts";
import { WIRE_VERSION } from "./wire-codec.ts";

const { putItems, putOpenings, passedOnTo, listedBoxes, deletionNotices, fetchedIds, watchedBoxes, pageIds, pageDeletions } =
  NETWORK_LIMITS.mailItems;
const { digestSlots, ranges: rangesAtOnce, rangeDigits, listedEntries, signedSlots, seenDigests } = NETWORK_LIMITS.mailItems;
const SPLIT = 16;
const RANGE = /^[0-9a-f]*$/;

const key = hex(32);
const id = hex(16);
const base64Of = (length: number): Codec<string> => base64UpTo(length, length);

/** [envelope, signature of the write key or null] */
export const keptEnvelopeCodec: Codec<KeptEnvelope> = record({ envelope: envelopeCodec, admit: nullable(base64Of(64)) });
/** [box, id] */
const placeCodec: Codec<MailPlace> = record({ box: key, id });
/** [keeper, [mark …], unix seconds, signature] */
const receiptCodec: Codec<MailReceipt> = record({
  from: key,
  marks: list(id, MAX_RECEIPT_MARKS, 1),
  untilSec: integer(),
  signature: base64Of(64),
});

/** [box, [id …], position of the last envelope, opening or null, [deletion …], position of the last deletion, more follows] */
const pageCodec: Codec<BoxPage> = record({
  box: key,
  ids: list(id, pageIds),
  lastSeq: integer(),
  opening: nullable(openingCodec),
  deletions: list(deletionCodec, pageDeletions),
  lastDeletion: integer(),
  hasMore: boolean,
});

const slotCodec = integer(0, KEEPER_RULES.slots - 1);
const rangeCodec = refined(textUpTo(rangeDigits), (range) => RANGE.test(range), "hex digits");
/** [count, fingerprint] */
const digestCodec: Codec<MailDigest> = record({ count: integer(), fingerprint: hex(32) });
/** What a keeper signed of a slot: [count, fingerprint, signature]. */
const signedDigestCodec: Codec<SignedMailDigest> = record({ count: integer(), fingerprint: hex(32), signature: base64Of(64) });
/** [keeper, slot, version, count, fingerprint, signature] */
const seenDigestCodec: Codec<SeenDigest> = record({
  keeper: key,
  slot: slotCodec,
  version: integer(),
  count: integer(),
  fingerprint: hex(32),
  signature: base64Of(64),
});
/** [box, id, unix seconds] */
const keptPlaceCodec: Codec<KeptPlace> = record({ box: key, id, receivedSec: integer() });
/** [0, [entry …]] or [1, [digest …]] */
const rangeAnswerCodec: Codec<RangeAnswer> = unionRecord("is", "numbers", {
  list: fields({ entries: list(keptPlaceCodec, listedEntries) }),
  split: fields({ digests: list(digestCodec, SPLIT, SPLIT) }),
});

/** [1, number of the request, …]; the fields are those of {@link MailRequest}, in this order. */
export const mailRequestCodec: Codec<MailRequest> = unionRecord(
  "type",
  "numbers",
  {
    put: fields({ items: list(keptEnvelopeCodec, putItems, 1), openings: list(openingCodec, putOpenings), passOn: list(key, passedOnTo) }),
    open: fields({ openings: list(openingCodec, putOpenings, 1) }),
    get: fields({
      scope: nullable(hex(16)),
      boxes: list(record({ box: key, after: integer(), afterDeletion: integer() }), listedBoxes, 1),
      hasContent: boolean,
    }),
    delete: fields({ notices: list(noticeCodec, deletionNotices, 1) }),
    fetch: fields({ places: list(placeCodec, fetchedIds, 1) }),
    watch: fields({ boxes: list(key, watchedBoxes), isMore: boolean }),
    news: fields({ boxes: list(key, watchedBoxes, 1) }),
    digest: fields({ slots: list(slotCodec, digestSlots, 1) }),
    ranges: fields({ slot: slotCodec, ranges: list(rangeCodec, rangesAtOnce, 1) }),
    typing: fields({ to: key, from: key, isNews: boolean }),
    card: fields({ device: key, person: key, card: nullable(bytesUpTo(MAX_PUBLIC_CARD_BYTES)) }),
    signed: fields({ version: integer(), slots: list(slotCodec, signedSlots, 1), seen: list(seenDigestCodec, seenDigests) }),
    renew: fields({ count: integer(), fingerprint: hex(16) }),
  },
  WIRE_VERSION,
);

/** [1, number of the response, …]; the fields are those of {@link MailResponse}, in this order. */
export const mailResponseCodec: Codec<MailResponse> = unionRecord(
  "type",
  "numbers",
  {
    wrongKeeper: fields({ epoch: integer() }),
    busy: fields({}),
    done: fields({}),
    receipts: fields({ receipts: list(receiptCodec, passedOnTo + 1) }),
    page: fields({ scope: hex(16), boxes: list(pageCodec, listedBoxes), items: list(keptEnvelopeCodec, pageIds) }),
    mail: fields({
      items: list(keptEnvelopeCodec, fetchedIds),
      openings: list(openingCodec, fetchedIds),
      deletions: list(deletionCodec, fetchedIds),
    }),
    digests: fields({ digests: list(nullable(digestCodec), digestSlots, 1) }),
    ranges: fields({ answers: list(rangeAnswerCodec, rangesAtOnce, 1) }),
    card: fields({ card: nullable(bytesUpTo(MAX_PUBLIC_CARD_BYTES)) }),
    signed: fields({ digests: list(nullable(signedDigestCodec), signedSlots, 1) }),
    renewed: fields({ news: nullable(list(key, watchedBoxes)) }),
  },
  WIRE_VERSION,
);

/** Bytes of an envelope in a message, about: what admits it comes on top. */
export function keptWireBytes({ envelope, admit }: KeptEnvelope): number {
  return envelopeWireBytes(envelope) + (admit === null ? 0 : 66);
}
