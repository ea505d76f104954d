// What a `base` replaces the entries before it by: the group as they make it, so that who lacks them can begin there. The entry has the hash
// alone; who knows what it knows makes the same bytes, and notices a base that lies.
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { list, record, refined } from "#shared/codec/composites.ts";
import { hex, hexUpTo, integer, numbered, textUpTo } from "#shared/codec/scalars.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import { MAX_BASE_BYTES, MAX_BASE_LINKS, MAX_BASE_PEOPLE, MAX_GROUP_NAME_BYTES, MAX_KEPT_ENTRIES, MAX_LINK_USES } from "./group-bounds.ts";
import type { EntryHash } from "./log-entry.ts";

/** Membership; of what happened to one person at the same time the later one in this list holds. */
export const STATUSES = ["in", "left", "removed"] as const;
export type Status = (typeof STATUSES)[number];

/** What was decided of one person, and by which entry. */
export interface BasePerson {
  readonly key: PublicKeyHex;
  readonly status: Status;
  readonly n: number;
  /** Milliseconds since 1970 by the clock of the author of that entry. */
  readonly at: number;
  readonly hash: EntryHash;
}

/** An invite link that lets people in. */
export interface BaseLink {
  readonly key: PublicKeyHex;
  /** Who made it: it falls with their right. */
  readonly maker: PublicKeyHex;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** How many people it is for, and how many different ones came by it. */
  readonly uses: number;
  readonly used: number;
  /** The entry that made it. */
  readonly n: number;
  readonly hash: EntryHash;
}

/** A group at a base. */
export interface BaseState {
  readonly owner: PublicKeyHex;
  /** Entries that stay: the `create`, those by which owners passed it on, and the newest that may still do so. In their order. */
  readonly kept: readonly EntryHash[];
  /** Who has the right to change the group besides the owner, ascending. */
  readonly admins: readonly PublicKeyHex[];
  readonly name: { readonly text: string; readonly n: number; readonly at: number };
  /** Hex of SHA-256 of the picture; "" for none. */
  readonly picture: string;
  /** Those in the group, and those whose time ended since the base before; by key, ascending. */
  readonly people: readonly BasePerson[];
  /** The newest invite links that let people in; by key, ascending. */
  readonly links: readonly BaseLink[];
}

const VERSION = 1;
/** Of a state with links. */
const LINKS_VERSION = 2;
const HASH_BYTES = 32;
/** Most people whom one owner ever names, and so most who have the right. */
const MAX_BASE_ADMINS = 64;

const key = hex(HASH_BYTES);
const person: Codec<BasePerson> = record({ key, status: numbered(STATUSES, "status"), n: integer(1), at: integer(), hash: key });

const link: Codec<BaseLink> = record({
  key,
  maker: key,
  until: integer(),
  uses: integer(1, MAX_LINK_USES),
  used: integer(),
  n: integer(1),
  hash: key,
});

const FIELDS = {
  owner: key,
  kept: list(key, MAX_KEPT_ENTRIES, 1),
  admins: refined(list(key, MAX_BASE_ADMINS), isAscending, "admins in ascending order, each once"),
  name: record({ text: textUpTo(MAX_GROUP_NAME_BYTES, 1), n: integer(1), at: integer() }),
  picture: refined(hexUpTo(HASH_BYTES), ({ length }) => length === 0 || length === 2 * HASH_BYTES, "a hash, or nothing"),
  people: refined(list(person, MAX_BASE_PEOPLE, 1), (people) => isAscending(people.map((one) => one.key)), "people in ascending order"),
};

/** Without links as before there were any: programs that know none make the same bytes. */
const state: Codec<Omit<BaseState, "links">> = record(FIELDS, VERSION);
const stateWithLinks: Codec<BaseState> = record(
  {
    ...FIELDS,
    links: refined(list(link, MAX_BASE_LINKS, 1), (links) => isAscending(links.map((one) => one.key)), "links in ascending order"),
  },
  LINKS_VERSION,
);

/** Bytes of a state. @throws RangeError when a bound is exceeded. */
export function encodeBaseState(value: BaseState): Uint8Array {
  return value.links.length === 0 ? encode(state, value) : encode(stateWithLinks, value);
}

/** The state of bytes that hold it and nothing else; undefined for anything else. Never throws. */
export function decodeBaseState(bytes: Uint8Array): BaseState | undefined {
  if (bytes.length > MAX_BASE_BYTES) return undefined;
  const limits = { maxDepth: 3, maxItems: 6 * MAX_BASE_PEOPLE + 8 * MAX_BASE_LINKS + 256 };
  const plain = tryDecode(state, bytes, limits);
  return plain === undefined ? tryDecode(stateWithLinks, bytes, limits) : { ...plain, links: [] };
}

/** What a base names a state by: hex of SHA-256. */
export function hashOfState(bytes: Uint8Array): string {
  return toHex(sha256(bytes));
}

function isAscending(keys: readonly string[]): boolean {
  return keys.every((item, index) => index === 0 || (keys[index - 1] as string) < item);
}
