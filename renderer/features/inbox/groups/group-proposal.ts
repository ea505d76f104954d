// What a new group is begun with, where it is made from another one. Kept while the window is open.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Name and people that the form begins with. */
export interface GroupProposal {
  readonly name: string;
  /** Without oneself. */
  readonly people: readonly PublicKeyHex[];
}

let current: GroupProposal | null = null;

/** Begins the next new group with these; null for an empty form. */
export function proposeGroup(proposal: GroupProposal | null): void {
  current = proposal;
}

/** What the new group is begun with, or null. */
export function proposedGroup(): GroupProposal | null {
  return current;
}
