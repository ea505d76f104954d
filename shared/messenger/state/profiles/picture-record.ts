// Which pictures people gave themselves: one's own, who has received it, and those of others. The bytes are stored apart. As with names the
// latest by its author's clock holds, so all own devices end with the same pictures, in whatever order they come.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ChosenPicture } from "../../model/records.ts";

/** Most pictures of others that are stored; no more are taken. With those of eight kilobytes that is 16 MiB. */
const MAX_PICTURES = 2_000;
/** Of strangers, whose pictures are not shown. */
const MAX_STRANGERS = 64;

/** As it is stored, backed up and transferred. */
export interface PictureRecord {
  readonly own?: ChosenPicture;
  /** Which own picture each contact received last: its time. */
  readonly sent: Readonly<Record<PublicKeyHex, number>>;
  readonly of: Readonly<Record<PublicKeyHex, ChosenPicture>>;
}

/** Before any picture is known. */
export const NO_PICTURES: PictureRecord = { sent: {}, of: {} };

/** Key of the bytes of a picture in the store: of a person, or of a group by its conversation. */
export function pictureKey(owner: PublicKeyHex): string {
  return `picture.${owner}`;
}

/** True when a contact has yet to receive one's own picture, or that there is none any more. */
export function needsOwnPicture({ own, sent }: PictureRecord, person: PublicKeyHex): boolean {
  if (own === undefined) return false;
  const last = sent[person];
  return last === undefined ? own.mark !== "" : own.at > last;
}

/** One's own picture, where it is later than the one that is known. */
export function withOwnPicture(record: PictureRecord, own: ChosenPicture): PictureRecord {
  return record.own === undefined || isLater(own, record.own) ? { ...record, own } : record;
}

/** A contact was sent the own picture of that time. */
export function withPictureSent(record: PictureRecord, person: PublicKeyHex, at: number): PictureRecord {
  return at > (record.sent[person] ?? -1) ? { ...record, sent: { ...record.sent, [person]: at } } : record;
}

/** What was sent to a contact has not reached them. */
export function withoutPictureSent(record: PictureRecord, person: PublicKeyHex, at: number): PictureRecord {
  if (record.sent[person] !== at) return record;
  const { [person]: _, ...sent } = record.sent;
  return { ...record, sent };
}

/** The picture of a person, where it is later than what is known. */
export function withPicture(
  record: PictureRecord,
  person: PublicKeyHex,
  { chosen, isStranger }: { readonly chosen: ChosenPicture; readonly isStranger: (person: PublicKeyHex) => boolean },
): PictureRecord {
  const known = record.of[person];
  if (known !== undefined && !isLater(chosen, known)) return record;
  const people = Object.keys(record.of);
  const isTooMany =
    known === undefined && (people.length >= MAX_PICTURES || (isStranger(person) && people.filter(isStranger).length >= MAX_STRANGERS));
  return isTooMany ? record : { ...record, of: { ...record.of, [person]: chosen } };
}

/** Both together: of each picture the later one. */
export function joinPictures(one: PictureRecord, other: PictureRecord): PictureRecord {
  const isStranger = (): boolean => false;
  let joined = other.own === undefined ? one : withOwnPicture(one, other.own);
  for (const [person, at] of Object.entries(other.sent)) joined = withPictureSent(joined, person, at);
  for (const [person, chosen] of Object.entries(other.of)) joined = withPicture(joined, person, { chosen, isStranger });
  return joined;
}

/** Two pictures of the same moment have an order, too: all devices take the same one. */
function isLater(one: ChosenPicture, other: ChosenPicture): boolean {
  return one.at > other.at || (one.at === other.at && one.mark > other.mark);
}
