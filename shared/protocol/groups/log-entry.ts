// One entry of a group's log: what a member's device has signed about who is in the group. Entries name the ones before them by hash,
// so no one can write one into the past. They come from strangers: shape and bounds are checked before anything is built.
import { type Codec, decode, encode, tryDecode } from "#shared/codec/codec.ts";
import { list, mapped, record, refined } from "#shared/codec/composites.ts";
import { encoded, hex, hexUpTo, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import {
  MAX_ENTRY_BYTES,
  MAX_ENTRY_LINKS,
  MAX_ENTRY_PEOPLE,
  MAX_GROUP_ADMINS,
  MAX_GROUP_NAME_BYTES,
  MAX_LINK_USES,
} from "./group-bounds.ts";

/** Most entries that one entry names as the ones before it. */
export const MAX_PREVIOUS_ENTRIES = 16;

const VERSION = 1;
const MAX_OP_CHARS = 16;
const OP_PATTERN = /^[a-z]+$/;
/** Bytes of the id of a group. */
const GROUP_ID_BYTES = 16;
const HASH_BYTES = 32;
/** More than a log has entries. */
const MAX_NUMBER = 65_536;

/** Hex of SHA-256 of an entry. */
export type EntryHash = string;

/** People, each once, in ascending order. */
type People = readonly PublicKeyHex[];

/** What an entry changes; `at`: milliseconds since 1970 by its author's clock, for showing. */
export type GroupChange =
  /** Begins the group of its author, the owner, and others; a larger group is added to. */
  | { readonly op: "create"; readonly at: number; readonly name: string; readonly people: People }
  /** From the owner: these are the admins from now on. */
  | { readonly op: "admins"; readonly at: number; readonly people: People }
  | { readonly op: "add"; readonly at: number; readonly people: People }
  | { readonly op: "remove"; readonly at: number; readonly people: People }
  /** Its author is no longer in the group. */
  | { readonly op: "leave"; readonly at: number }
  | { readonly op: "name"; readonly at: number; readonly name: string }
  /** Hex of SHA-256 of the picture, which travels beside the log; "" for no picture any more. */
  | { readonly op: "picture"; readonly at: number; readonly picture: string }
  /** From the owner: one person, who owns the group from then on, once the chain has it (`owner-memo.ts`). */
  | { readonly op: "owner"; readonly at: number; readonly people: People }
  /** From the owner: what is before can be replaced by a state of the group, of which this is the hash (hex of SHA-256). */
  | { readonly op: "base"; readonly at: number; readonly state: string }
  /** Makes an invite link: its public key, until when it lets people in (milliseconds since 1970), and how many. */
  | { readonly op: "invite"; readonly at: number; readonly key: PublicKeyHex; readonly until: number; readonly uses: number }
  /** These links let no one in any more; keys in ascending order. */
  | { readonly op: "withdraw"; readonly at: number; readonly keys: readonly PublicKeyHex[] }
  /** The `add` of these people that follows it alone is by this link. They are not `people`: by itself it does nothing to them. */
  | { readonly op: "admit"; readonly at: number; readonly key: PublicKeyHex; readonly guests: People }
  /** An operation of a later version, or a later one than the first in a form that is none: of no effect here. */
  | { readonly op: "unknown"; readonly word: string; readonly value: Uint8Array };

/** An entry of a log. */
export interface LogEntry {
  /** Id of the log, hex; of a `create` 16 random bytes, or the id of the older group that it continues. */
  readonly group: string;
  /** 1 for `create`; else one more than the greatest of those before. */
  readonly n: number;
  /** Hashes of the entries before, ascending; none for `create`. */
  readonly prev: readonly EntryHash[];
  readonly author: PublicKeyHex;
  /** Device of the author that signs. */
  readonly device: X25519KeyHex;
  /** Height of the chain that the author knew, never below those before. */
  readonly height: number;
  readonly change: GroupChange;
}

const key = hex(32);
const at = integer();

function ascending(max: number, min: number, what: string): Codec<readonly string[]> {
  return refined(
    list(hex(32), max, min),
    (items) => items.every((item, index) => index === 0 || (items[index - 1] as string) < item),
    what,
  );
}

const people = (max: number, min: number): Codec<People> => ascending(max, min, "people in ascending order, each once");
const others = people(MAX_ENTRY_PEOPLE, 1);
const name = textUpTo(MAX_GROUP_NAME_BYTES, 1);
const picture = refined(hexUpTo(HASH_BYTES), ({ length }) => length === 0 || length === 2 * HASH_BYTES, "a hash, or nothing");

type KnownChange = Exclude<GroupChange, { readonly op: "unknown" }>;
type KnownOp = KnownChange["op"];

const VALUES: { readonly [Op in KnownOp]: Codec<Omit<Extract<KnownChange, { readonly op: Op }>, "op">> } = {
  create: record({ at, name, people: people(MAX_ENTRY_PEOPLE, 0) }),
  admins: record({ at, people: people(MAX_GROUP_ADMINS, 0) }),
  add: record({ at, people: others }),
  remove: record({ at, people: others }),
  leave: record({ at }),
  name: record({ at, name }),
  picture: record({ at, picture }),
  owner: record({ at, people: people(1, 1) }),
  base: record({ at, state: key }),
  invite: record({ at, key, until: integer(), uses: integer(1, MAX_LINK_USES) }),
  withdraw: record({ at, keys: ascending(MAX_ENTRY_LINKS, 1, "links in ascending order, each once") }),
  admit: record({ at, key, guests: others }),
};

/** Operations that earlier programs keep and pass on, whatever comes under their names: it must not make a log unreadable here. */
const LATER_OPS = ["picture", "base", "invite", "withdraw", "admit"] as const;

const fields = record(
  {
    group: hex(GROUP_ID_BYTES),
    n: integer(1, MAX_NUMBER),
    prev: ascending(MAX_PREVIOUS_ENTRIES, 0, "entries in ascending order, each once"),
    author: key,
    device: key,
    height: integer(),
    op: textUpTo(MAX_OP_CHARS, 1),
    value: encoded,
  },
  VERSION,
);

const entry: Codec<LogEntry> = refined(
  mapped(
    fields,
    ({ op, value, ...rest }): LogEntry => ({ ...rest, change: changeOf(op, value) }),
    ({ change, ...rest }) => ({ ...rest, ...partsOf(change) }),
  ),
  ({ n, prev, change }) => (change.op === "create") === (n === 1) && (n === 1) === (prev.length === 0),
  "an entry that begins a log, or follows others",
);

/** Bytes of an entry. @throws RangeError or TypeError when a bound is exceeded. */
export function encodeEntry(value: LogEntry): Uint8Array {
  return encode(entry, value);
}

/** The entry of bytes that hold it and nothing else. @throws TypeError or RangeError. */
export function decodeEntry(bytes: Uint8Array): LogEntry {
  if (bytes.length > MAX_ENTRY_BYTES) throw new RangeError(`An entry has at most ${MAX_ENTRY_BYTES} bytes`);
  return decode(entry, bytes, { maxDepth: 4, maxItems: 128 });
}

/** What entries name an entry by. */
export function hashOfEntry(bytes: Uint8Array): EntryHash {
  return toHex(sha256(bytes));
}

/** Id of the log that begins with this entry: 16 bytes in hex. */
export function logIdOf(create: EntryHash): string {
  return create.slice(0, 2 * GROUP_ID_BYTES);
}

function changeOf(op: string, value: Uint8Array): GroupChange {
  if (!OP_PATTERN.test(op)) throw new TypeError("not the name of an operation");
  const unknown = { op: "unknown", word: op, value: value.slice() } as const;
  const later = LATER_OPS.find((word) => word === op);
  if (later !== undefined) return laterChange(later, value) ?? unknown;
  return Object.hasOwn(VALUES, op) ? ({ op, ...decode(VALUES[op as KnownOp] as Codec<object>, value) } as KnownChange) : unknown;
}

function laterChange(op: (typeof LATER_OPS)[number], value: Uint8Array): GroupChange | undefined {
  const decoded = tryDecode(VALUES[op] as Codec<object>, value);
  return decoded && ({ op, ...decoded } as KnownChange);
}

function partsOf(change: GroupChange): { readonly op: string; readonly value: Uint8Array } {
  if (change.op === "unknown") return { op: change.word, value: change.value };
  return { op: change.op, value: encode(VALUES[change.op] as Codec<unknown>, change) };
}
