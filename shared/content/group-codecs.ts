// How groups are written and read inside contents.
import type { CborValue } from "#shared/protocol/primitives/cbor.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { checkedInteger, checkedList, checkedText, type Fields, hexOf, integerOf, keyOf, listOf, textOf } from "./content-fields.ts";
import {
  GROUP_STANDINGS,
  type GroupEntry,
  type GroupLeaveBody,
  type GroupName,
  type GroupReference,
  type GroupStateBody,
  MAX_GROUP_ENTRIES,
  MAX_GROUP_NAME_BYTES,
} from "./group-content.ts";

const GROUP_ID_BYTES = 16;

/** A state as CBOR takes it; entries in the order of their keys. @throws RangeError when a limit is exceeded. */
export function encodeGroupState({ term, keeper, since, name, entries }: GroupStateBody): CborValue {
  return {
    term: checkedInteger(term, 0),
    keeper: fromHex(keeper),
    since: checkedInteger(since, 0),
    name: [checkedText(name.text, 1, MAX_GROUP_NAME_BYTES), checkedInteger(name.clock, 1), checkedInteger(name.at, 0)],
    people: checkedList(entries, MAX_GROUP_ENTRIES, encodeEntry),
  };
}

/** @throws TypeError when it is malformed. */
export function decodeGroupState({ term, keeper, since, name, people }: Fields): Omit<GroupStateBody, "kind"> {
  return {
    term: integerOf(term, 0),
    keeper: keyOf(keeper),
    since: integerOf(since, 0),
    name: nameOf(partsOf(name, 3)),
    entries: listOf(people, MAX_GROUP_ENTRIES, (entry) => entryOf(partsOf(entry, 4))),
  };
}

/** A leave as CBOR takes it. */
export function encodeGroupLeave({ clock }: GroupLeaveBody): CborValue {
  return { clock: checkedInteger(clock, 1) };
}

/** @throws TypeError when it is malformed. */
export function decodeGroupLeave({ clock }: Fields): Omit<GroupLeaveBody, "kind"> {
  return { clock: integerOf(clock, 1) };
}

/** The group of a content as CBOR takes it. */
export function encodeGroupReference({ id, keeper }: GroupReference): CborValue {
  return [fromHex(id), fromHex(keeper)];
}

/** @throws TypeError when it is malformed. */
export function groupReferenceOf(value: CborValue): GroupReference {
  const [id, keeper] = partsOf(value, 2);
  return { id: hexOf(id, GROUP_ID_BYTES), keeper: keyOf(keeper) };
}

function encodeEntry({ key, clock, standing, at }: GroupEntry): CborValue {
  return [fromHex(key), checkedInteger(clock, 1), GROUP_STANDINGS.indexOf(standing), checkedInteger(at, 0)];
}

function entryOf([key, clock, standing, at]: readonly (CborValue | undefined)[]): GroupEntry {
  const known = GROUP_STANDINGS[integerOf(standing, 0, GROUP_STANDINGS.length - 1)];
  if (known === undefined) throw new TypeError("not a standing");
  return { key: keyOf(key), clock: integerOf(clock, 1), standing: known, at: integerOf(at, 0) };
}

function nameOf([text, clock, at]: readonly (CborValue | undefined)[]): GroupName {
  return { text: textOf(text, MAX_GROUP_NAME_BYTES), clock: integerOf(clock, 1), at: integerOf(at, 0) };
}

function partsOf(value: CborValue | undefined, length: number): readonly (CborValue | undefined)[] {
  if (!Array.isArray(value) || value.length !== length) throw new TypeError("not a list of that length");
  return value;
}
