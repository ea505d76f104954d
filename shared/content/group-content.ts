// Groups inside contents. What counts is a log of signed entries, which anyone may pass on. Groups of older programs have none: there one
// person, the admin, sends every member the whole state, which merges in any order; beside a log that is sent for older programs.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Hex of the 16 random bytes of a group. */
export type GroupId = string;

/** Most people in a state: those in the group, and those who were. */
export const MAX_GROUP_ENTRIES = 256;

/** The group that a content belongs to, and its admin as far as the author knows: whom to ask for its state. */
export interface GroupReference {
  readonly id: GroupId;
  readonly keeper: PublicKeyHex;
}

/** Membership status of a person; of two at the same clock the later one in this list holds. */
export const GROUP_MEMBERSHIP_STATUSES = ["in", "removed", "left"] as const;
export type GroupMembershipStatus = (typeof GROUP_MEMBERSHIP_STATUSES)[number];

/** What holds of one person. */
export interface GroupEntry {
  readonly key: PublicKeyHex;
  /** Counts the changes of the group; the highest holds. */
  readonly clock: number;
  readonly standing: GroupMembershipStatus;
  /** Milliseconds since 1970, the clock of the person who changed it. */
  readonly at: number;
}

export interface GroupName {
  readonly text: string;
  readonly clock: number;
  readonly at: number;
}

/** What goes with the entries from a base on. */
export interface GroupBase {
  /** Signed entries in base64: the `create`, and those that pass the group on. */
  readonly kept: readonly string[];
  /** The state of which the base has the hash, in base64. */
  readonly state: string;
}

/** From the admin: everything about the group. A higher term replaces all of a lower one, the same term is merged. */
export interface GroupStateBody {
  readonly kind: "group.state";
  /** Counts the admins, from 0. */
  readonly term: number;
  /** Admin of this term; in the first state of a term the one before may still be the author. */
  readonly keeper: PublicKeyHex;
  /** When the term began, milliseconds since 1970. */
  readonly since: number;
  readonly name: GroupName;
  readonly entries: readonly GroupEntry[];
  /** Signed entries of the group's log in base64, parents first. Where it is, it alone counts, and all else is for older programs. */
  readonly log?: readonly string[];
  /** Where `log` begins at a base: what stayed before it, and its state. Programs that know no bases cannot begin with such a log. */
  readonly base?: GroupBase;
  /** The picture that the log names by its hash, in base64. Of what is no such picture the content loses nothing. */
  readonly picture?: string;
}

/** From a member: I am no longer in the group. */
export interface GroupLeaveBody {
  readonly kind: "group.leave";
  /** Clock of the entry that is left: a later invitation holds. */
  readonly clock: number;
  /** Signed entries, the one that says so the last, as in {@link GroupStateBody}. */
  readonly log?: readonly string[];
}

/** Why a link lets its holder in no more. */
export const REFUSAL_REASONS = ["withdrawn", "over", "used", "full"] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** To the admins whom an invite link names: a request to be let in. The content is in no group, as its author is not in it yet. */
export interface GroupJoinBody {
  readonly kind: "group.join";
  readonly group: GroupId;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** When it was signed, milliseconds since 1970, the clock of who asks. */
  readonly at: number;
  /** The admins who are asked, in the order of the link. */
  readonly asked: readonly PublicKeyHex[];
  /** Hex of the signature of the link's key over group, who asks, and time. */
  readonly signature: string;
}

/** To a person who asked: that link lets them in no more. */
export interface GroupRefusedBody {
  readonly kind: "group.refused";
  readonly group: GroupId;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  readonly reason: RefusalReason;
}

/** To one's own other devices: an invite link that this one has made. Withdrawals are in the log. */
export interface SyncLinkBody {
  readonly kind: "sync.link";
  /** The link with its secret. */
  readonly text: string;
}

/** To the admin, or to one's own other devices: a request for the state of this group. */
export interface GroupAskBody {
  readonly kind: "group.ask";
}
