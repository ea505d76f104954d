// Groups inside contents. A box proves its author to its recipient only, so nobody can pass a change on for somebody else: one
// person, the keeper, changes a group and tells every member. What they tell is the whole state, which merges in any order.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Hex of the 16 random bytes of a group. */
export type GroupId = string;

/** Most people in a group, its keeper among them. */
export const MAX_GROUP_MEMBERS = 32;
/** Most people of whom a state tells: those in the group, and those who were. */
export const MAX_GROUP_ENTRIES = 256;
/** Longest name of a group, UTF-8 bytes. */
export const MAX_GROUP_NAME_BYTES = 128;

/** The group that a content belongs to, and who keeps it as far as the author knows: whom to ask for its state. */
export interface GroupReference {
  readonly id: GroupId;
  readonly keeper: PublicKeyHex;
}

/** How somebody stands to a group; of two at the same clock the later one in this list holds. */
export const GROUP_STANDINGS = ["in", "removed", "left"] as const;
export type GroupStanding = (typeof GROUP_STANDINGS)[number];

/** What holds of one person. */
export interface GroupEntry {
  readonly key: PublicKeyHex;
  /** Counts the changes of the group; the highest holds. */
  readonly clock: number;
  readonly standing: GroupStanding;
  /** Milliseconds since 1970, the clock of whoever changed it. */
  readonly at: number;
}

/** Name of a group. */
export interface GroupName {
  readonly text: string;
  readonly clock: number;
  readonly at: number;
}

/** From the keeper: everything about the group. A higher term replaces all of a lower one, the same term is merged. */
export interface GroupStateBody {
  readonly kind: "group.state";
  /** Counts the keepers, from 0. */
  readonly term: number;
  /** Who keeps the group in this term; in the first state of a term the one before may still be the author. */
  readonly keeper: PublicKeyHex;
  /** When the term began, milliseconds since 1970. */
  readonly since: number;
  readonly name: GroupName;
  readonly entries: readonly GroupEntry[];
}

/** From a member: I am no longer in the group. */
export interface GroupLeaveBody {
  readonly kind: "group.leave";
  /** Clock of the entry that is left: a later invitation holds. */
  readonly clock: number;
}

/** To the keeper, or to one's own other devices: tell me the state of this group. */
export interface GroupAskBody {
  readonly kind: "group.ask";
}
