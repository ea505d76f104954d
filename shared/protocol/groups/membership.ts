// Who is in a group: what happened to someone, what of it decides, and of whom a base says so.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { STATUSES, type Status } from "./base-state.ts";
import { compareEntries, type EntryNode } from "./entry-graph.ts";
import { MAX_BASE_PEOPLE } from "./group-bounds.ts";
import type { EntryHash } from "./log-entry.ts";

/** What an entry, or a base, did to the membership of someone. */
export interface Touch {
  readonly node: EntryNode;
  readonly status: Status;
  /** The entry that decided it, where a base has replaced that. */
  readonly origin?: { readonly n: number; readonly at: number; readonly hash: EntryHash };
}

/** Someone of whom a base may say something. */
export interface KnownMember {
  readonly key: PublicKeyHex;
  readonly status: Status;
  readonly n: number;
  /** In the group at the base before, or since. */
  readonly isSinceLast: boolean;
}

/** Of what happened to someone beside each other: removal before leaving before coming in. */
export function decidedBy(latest: readonly Touch[]): Touch | undefined {
  const rank = ({ status }: Touch): number => STATUSES.indexOf(status);
  return [...latest].sort((a, b) => rank(b) - rank(a) || compareEntries(b.node, a.node))[0];
}

/** True for what shows that someone was in the group. */
export function saysOfIn({ status, origin }: Touch): boolean {
  return status === "in" || origin !== undefined;
}

/** Those of whom the state of a base says what they are: who is in the group, and the newest whose time ended since the base before. */
export function peopleOfBase<Member extends KnownMember>(all: readonly Member[]): readonly Member[] {
  const inside = all.filter(({ status }) => status === "in");
  const outside = all
    .filter(({ status, isSinceLast }) => status !== "in" && isSinceLast)
    .sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1));
  return [...inside, ...outside.slice(0, Math.max(0, MAX_BASE_PEOPLE - inside.length))].sort((a, b) => (a.key < b.key ? -1 : 1));
}
