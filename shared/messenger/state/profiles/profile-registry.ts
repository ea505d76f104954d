// Names that people give themselves: one's own, who has received it, and those of others. The latest by its author's clock holds, so
// all own devices end with the same names, in whatever order they come.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

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
}

/** Before any name is known. */
export const NO_PROFILE: ProfileRecord = { own: { name: "", at: 0 }, [SENT]: {}, names: {} };

/** The names in memory. */
export class ProfileRegistry {
  #record: ProfileRecord;
  #shown: Readonly<Record<PublicKeyHex, string>> = {};

  constructor(record: ProfileRecord) {
    this.#record = record;
  }

  get record(): ProfileRecord {
    return this.#record;
  }

  set(record: ProfileRecord): void {
    this.#record = record;
  }

  /** Names by person; the same object as before while none of them changes. */
  shown(isShown: (person: PublicKeyHex) => boolean): Readonly<Record<PublicKeyHex, string>> {
    const entries = Object.entries(this.#record.names).flatMap(([person, { name }]) =>
      name !== "" && isShown(person) ? [[person, name] as const] : [],
    );
    const isSame = entries.length === Object.keys(this.#shown).length && entries.every(([person, name]) => this.#shown[person] === name);
    if (!isSame) this.#shown = Object.fromEntries(entries);
    return this.#shown;
  }
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
  return joined;
}

/** People about whom a record says something, in a fixed order. */
export function peopleOf({ [SENT]: sent, names }: ProfileRecord): readonly PublicKeyHex[] {
  return [...new Set([...Object.keys(sent), ...Object.keys(names)])].sort();
}

/** What a record says about some people, and the own name. */
export function profileAbout({ own, [SENT]: sent, names }: ProfileRecord, people: readonly PublicKeyHex[]): ProfileRecord {
  const about = new Set(people);
  const only = <T>(all: Readonly<Record<PublicKeyHex, T>>): Record<PublicKeyHex, T> =>
    Object.fromEntries(Object.entries(all).filter(([person]) => about.has(person)));
  return { own, [SENT]: only(sent), names: only(names) };
}

/** Two names of the same moment have an order, too: all devices take the same one. */
function isLater(one: ChosenName, other: ChosenName): boolean {
  return one.at > other.at || (one.at === other.at && one.name > other.name);
}
