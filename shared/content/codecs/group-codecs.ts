// How groups are written and read inside contents.
import type { Codec } from "#shared/codec/codec.ts";
import { list, record, refined } from "#shared/codec/composites.ts";
import { keyed, map, omissible } from "#shared/codec/maps.ts";
import { base64UpTo, hex, integer, numbered, textUpTo, word } from "#shared/codec/scalars.ts";
import {
  MAX_BASE_BYTES,
  MAX_CONTENT_ENTRIES,
  MAX_CONTENT_HEADS,
  MAX_GROUP_NAME_BYTES,
  MAX_KEPT_ENTRIES,
  MAX_LINK_ADMINS,
  MAX_LINK_CHARS,
  MAX_SIGNED_ENTRY_BYTES,
} from "#shared/protocol/groups/group-bounds.ts";
import { key, typedText } from "../content-fields.ts";
import {
  GROUP_MEMBERSHIP_STATUSES,
  type GroupBase,
  type GroupEntry,
  type GroupJoinBody,
  type GroupLeaveBody,
  type GroupName,
  type GroupReference,
  type GroupRefusedBody,
  type GroupStateBody,
  MAX_GROUP_ENTRIES,
  REFUSAL_REASONS,
  type SyncLinkBody,
} from "../group-content.ts";

const name: Codec<GroupName> = record({ text: typedText(MAX_GROUP_NAME_BYTES, 1), clock: integer(1), at: integer() });
const entry: Codec<GroupEntry> = record({
  key,
  clock: integer(1),
  standing: numbered(GROUP_MEMBERSHIP_STATUSES, "standing"),
  at: integer(),
});

const log = omissible(list(base64UpTo(MAX_SIGNED_ENTRY_BYTES, 1), MAX_CONTENT_ENTRIES, 1));

const base: Codec<GroupBase> = record({
  kept: list(base64UpTo(MAX_SIGNED_ENTRY_BYTES, 1), MAX_KEPT_ENTRIES, 1),
  state: base64UpTo(MAX_BASE_BYTES, 1),
});

export const groupState: Codec<Omit<GroupStateBody, "kind">> = map({
  term: integer(),
  keeper: key,
  since: integer(),
  name,
  entries: keyed("people", list(entry, MAX_GROUP_ENTRIES, 1)),
  log,
  base: omissible(base),
  picture: omissible(base64UpTo()),
});

export const groupLeave: Codec<Omit<GroupLeaveBody, "kind">> = map({ clock: integer(1), log });

const group = hex(16);
const people = refined(list(key, MAX_LINK_ADMINS, 1), (keys) => new Set(keys).size === keys.length, "people, each once");

export const groupJoin: Codec<Omit<GroupJoinBody, "kind">> = map({ group, key, at: integer(), asked: people, signature: hex(64) });
export const groupRefused: Codec<Omit<GroupRefusedBody, "kind">> = map({ group, key, reason: word(REFUSAL_REASONS, "reason") });
export const ownLink: Codec<Omit<SyncLinkBody, "kind">> = map({ text: textUpTo(MAX_LINK_CHARS, 1) });

/** What the author knows of the group's log: hashes of the last entries. */
export const groupHeads: Codec<readonly string[]> = list(hex(32), MAX_CONTENT_HEADS, 1);

/** The group of a content. */
export const groupReference: Codec<GroupReference> = record({ id: hex(16), keeper: key });
