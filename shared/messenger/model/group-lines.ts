// What the changes of a group say in its chat. Their ids follow from what they say, so every device has each of them once, from
// whichever state it learns of it.

import type { GroupId, GroupStateBody } from "#shared/content/group-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { ADMIN_CHANGED, GROUP_CREATED, type GroupNote } from "./message.ts";
import { ID_BYTES } from "./records.ts";

export interface GroupLine {
  readonly id: string;
  readonly at: number;
  readonly body: GroupNote;
}

/** Lines of a state, for a member who joined at a clock. */
export function linesOfState(
  group: GroupId,
  state: GroupStateBody,
  { me, joined }: { readonly me: PublicKeyHex; readonly joined: number },
): readonly GroupLine[] {
  const { term, keeper: admin, since, name, entries } = state;
  const lines: GroupLine[] = [];
  const isFounder = joined === 1;
  const joinedAt = entries.find(({ key }) => key === me)?.at ?? 0;
  if (isFounder && term === 0) lines.push(lineOf(group, [GROUP_CREATED], { at: since, event: GROUP_CREATED, person: admin }));
  if (term > 0 && since >= joinedAt)
    lines.push(lineOf(group, [ADMIN_CHANGED, term, admin], { at: since, event: ADMIN_CHANGED, person: admin }));
  if (name.clock > joined) lines.push(lineOf(group, ["named", name.clock, name.text], { at: name.at, event: "named", name: name.text }));
  for (const { key, clock, standing: status, at } of entries) {
    const isFounding = isFounder && clock === 1 && status === "in";
    if (clock < joined || isFounding) continue;
    const event = status === "in" ? "added" : status;
    lines.push(lineOf(group, [event, key, clock], { at, event, person: key }));
  }
  return lines;
}

/** The line of the creation of a group. */
export function createdLine(group: GroupId, { at, person }: { readonly at: number; readonly person: PublicKeyHex }): GroupLine {
  return lineOf(group, [GROUP_CREATED], { at, event: GROUP_CREATED, person });
}

/** What an entry of the group's log did. */
export interface EntryLine {
  readonly at: number;
  readonly event: Exclude<GroupNote["event"], typeof GROUP_CREATED | typeof ADMIN_CHANGED | "unaware" | "claimed">;
  readonly person: PublicKeyHex | null;
  readonly name: string;
}

/** The line of something that an entry of the group's log did. */
export function lineOfEntry(group: GroupId, entry: string, line: EntryLine): GroupLine {
  return lineOf(group, [line.event, entry, line.person ?? ""], line);
}

/** The line of a member who wrote without knowing of a removal. */
export function unawareLine(
  group: GroupId,
  removal: string,
  { at, person }: { readonly at: number; readonly person: PublicKeyHex },
): GroupLine {
  return lineOf(group, ["unaware", removal, person], { at, event: "unaware", person });
}

/** The line of a group that has let one in by a link which called it otherwise. */
export function claimedNameLine(group: GroupId, link: string, { at, name }: { readonly at: number; readonly name: string }): GroupLine {
  return lineOf(group, ["claimed", link], { at, event: "claimed", name });
}

/** The line of a member who has left. */
export function lineOfDeparture(
  group: GroupId,
  person: PublicKeyHex,
  { clock, at }: { readonly clock: number; readonly at: number },
): GroupLine {
  return lineOf(group, ["left", person, clock], { at, event: "left", person });
}

function lineOf(
  group: GroupId,
  parts: readonly (string | number)[],
  { at, event, person = null, name = "" }: { at: number; event: GroupNote["event"]; person?: PublicKeyHex | null; name?: string },
): GroupLine {
  const id = toHex(sha256(utf8(JSON.stringify(["parley group line", group, ...parts]))).subarray(0, ID_BYTES));
  return { id, at, body: { kind: "group.note", event, person, name } };
}
