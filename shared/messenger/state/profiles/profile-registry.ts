// Names that people give themselves: one's own, who has received it, and those of others. The latest by its author's clock holds, so
// all own devices end with the same names, in whatever order they come.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { MessengerSnapshot } from "../../model/conversation.ts";
import { joinPictures, NO_PICTURES, type PictureRecord } from "./picture-record.ts";

/** Key of this record in the store. */
export const PROFILE_KEY = "profile";
/** Property of the names that were sent, as stored records and backups have it. */
const SENT = "told";
/** Names that strangers sent without being asked: no more are stored, and none of them is shown. */
const MAX_STRANGERS = 256;

/** A name and when its author chose it; "" when it was taken back. */
export interface ChosenName {
  readonly name: string;
  /** Milliseconds since 1970, the author's clock. */
  readonly at: number;
}

/** Everything about such names, as it is stored, backed up and transferred. */
export interface ProfileRecord {
  readonly own: ChosenName;
  /** Which own name each contact received last: its time. */
  readonly [SENT]: Readonly<Record<PublicKeyHex, number>>;
  readonly names: Readonly<Record<PublicKeyHex, ChosenName>>;
  /** Absent in records of earlier versions, and before there is one. */
  readonly pictures?: PictureRecord;
}

/** Own name and picture, and those of the people whose profiles are shown. */
export type ShownProfiles = Pick<MessengerSnapshot, "profileName" | "profileNames" | "profilePicture" | "profilePictures">;

/** Before any name is known. */
export const NO_PROFILE: ProfileRecord = { own: { name: "", at: 0 }, [SENT]: {}, names: {} };

/** Names, and marks of pictures, in memory. */
export class ProfileRegistry {
  #record: ProfileRecord;
  #names: Readonly<Record<PublicKeyHex, string>> = {};
  #pictures: Readonly<Record<PublicKeyHex, string>> = {};

  constructor(record: ProfileRecord) {
    this.#record = record;
  }

  get record(): ProfileRecord {
    return this.#record;
  }

  set(record: ProfileRecord): void {
    this.#record = record;
  }

  /** What people are shown as; the same objects as before while nothing in them changes. */
  shown(isShown: (person: PublicKeyHex) => boolean): ShownProfiles {
    const { own, names } = this.#record;
    const pictures = picturesOf(this.#record);
    this.#names = sameOrNew(
      this.#names,
      Object.entries(names).map(([person, { name }]) => [person, name] as const),
      isShown,
    );
    this.#pictures = sameOrNew(
      this.#pictures,
      Object.entries(pictures.of).map(([person, { mark }]) => [person, mark] as const),
      isShown,
    );
    return {
      profileName: own.name,
      profileNames: this.#names,
      profilePicture: pictures.own?.mark ?? "",
      profilePictures: this.#pictures,
    };
  }
}

/** Which pictures a record knows. */
export function picturesOf({ pictures = NO_PICTURES }: ProfileRecord): PictureRecord {
  return pictures;
}

/** The record with other pictures. */
export function withPictures(record: ProfileRecord, pictures: PictureRecord): ProfileRecord {
  return pictures === picturesOf(record) ? record : { ...record, pictures };
}

/** True when a contact has yet to receive one's own name, or that there is none any more. */
export function needsOwnName({ own, [SENT]: sent }: ProfileRecord, person: PublicKeyHex): boolean {
  const last = sent[person];
  return last === undefined ? own.name !== "" : own.at > last;
}

/** One's own name, where it is later than the one that is known. */
export function withOwn(record: ProfileRecord, own: ChosenName): ProfileRecord {
  return isLater(own, record.own) ? { ...record, own } : record;
}

/** A contact was sent the own name of that time. */
export function withNameSent(record: ProfileRecord, person: PublicKeyHex, at: number): ProfileRecord {
  return at > (record[SENT][person] ?? -1) ? { ...record, [SENT]: { ...record[SENT], [person]: at } } : record;
}

/** What was sent to a contact has not reached them. */
export function withoutNameSent(record: ProfileRecord, person: PublicKeyHex, at: number): ProfileRecord {
  if (record[SENT][person] !== at) return record;
  const { [person]: _, ...sent } = record[SENT];
  return { ...record, [SENT]: sent };
}

/** The name of a person, where it is later than what is known. */
export function withName(
  record: ProfileRecord,
  person: PublicKeyHex,
  { chosen, isStranger }: { readonly chosen: ChosenName; readonly isStranger: (person: PublicKeyHex) => boolean },
): ProfileRecord {
  const known = record.names[person];
  if (known !== undefined && !isLater(chosen, known)) return record;
  const isTooMany = known === undefined && isStranger(person) && Object.keys(record.names).filter(isStranger).length >= MAX_STRANGERS;
  return isTooMany ? record : { ...record, names: { ...record.names, [person]: chosen } };
}

/** Both together: of each name the later one. */
export function joinProfiles(one: ProfileRecord, other: ProfileRecord): ProfileRecord {
  const isStranger = (): boolean => false;
  let joined = withOwn(one, other.own);
  for (const [person, at] of Object.entries(other[SENT])) joined = withNameSent(joined, person, at);
  for (const [person, chosen] of Object.entries(other.names)) joined = withName(joined, person, { chosen, isStranger });
  return withPictures(joined, joinPictures(picturesOf(joined), picturesOf(other)));
}

/** People about whom a record says something, in a fixed order. */
export function peopleOf(record: ProfileRecord): readonly PublicKeyHex[] {
  const pictures = picturesOf(record);
  return [...new Set([record[SENT], record.names, pictures.sent, pictures.of].flatMap((by) => Object.keys(by)))].sort();
}

/** What a record says about some people, and the own name and picture. */
export function profileAbout(record: ProfileRecord, people: readonly PublicKeyHex[]): ProfileRecord {
  const { own, [SENT]: sent, names } = record;
  const pictures = picturesOf(record);
  const about = new Set(people);
  const only = <T>(all: Readonly<Record<PublicKeyHex, T>>): Record<PublicKeyHex, T> =>
    Object.fromEntries(Object.entries(all).filter(([person]) => about.has(person)));
  const some = { own, [SENT]: only(sent), names: only(names) };
  return withPictures(some, pictures === NO_PICTURES ? pictures : { ...pictures, sent: only(pictures.sent), of: only(pictures.of) });
}

/** The texts that are there and shown, by person; the same object as before where it holds the same. */
function sameOrNew(
  before: Readonly<Record<PublicKeyHex, string>>,
  all: readonly (readonly [PublicKeyHex, string])[],
  isShown: (person: PublicKeyHex) => boolean,
): Readonly<Record<PublicKeyHex, string>> {
  const shown = all.filter(([person, text]) => text !== "" && isShown(person));
  const isSame = shown.length === Object.keys(before).length && shown.every(([person, text]) => before[person] === text);
  return isSame ? before : Object.fromEntries(shown);
}

/** Two names of the same moment have an order, too: all devices take the same one. */
function isLater(one: ChosenName, other: ChosenName): boolean {
  return one.at > other.at || (one.at === other.at && one.name > other.name);
}
