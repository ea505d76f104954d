// What the author of a content knew of the log of its group, as the content says: whether something of it is missing here, of which removals the
// author did not know, and whom to ask. Nothing proves what is said: it decides about lines and requests alone. Pure.
import { type GroupLog, pastOf } from "#shared/protocol/groups/group-log.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { GroupRecord } from "../../model/group-state.ts";

/** Missing entries of a group are asked for again after this time. */
const ASK_AGAIN_MS = 600_000;

/** Removals of others that an author with these heads did not know of; undefined where one of the heads is not known here. */
export function unawareOf(log: GroupLog, heads: readonly EntryHash[], author: PublicKeyHex): readonly EntryHash[] | undefined {
  const held = new Set(log.entries.map(({ hash }) => hash));
  if (heads.some((hash) => !held.has(hash))) return undefined;
  const past = pastOf(log, heads);
  const removals = Object.entries(log.fold.group.people).filter(
    // What a base says was decided before it is known to everyone who knows the base.
    ([person, { status, hash }]) => person !== author && status === "removed" && held.has(hash) && !past.has(hash),
  );
  return removals.map(([, { hash }]) => hash);
}

/**
 * The group with a note that a person is asked for entries now; undefined where they are not asked: they are not in the group as far as is known
 * here, or were asked a short while ago. Each person counts for themselves, so that none keeps a device from asking another one. A clock that was
 * set back begins again.
 */
export function withAsked(
  group: GroupRecord,
  from: PublicKeyHex,
  { me, nowMs }: { readonly me: PublicKeyHex; readonly nowMs: number },
): GroupRecord | undefined {
  if (from !== me && group.entries[from]?.standing !== "in") return undefined;
  const asked = Object.entries(group.asked ?? {}).filter(([, at]) => Math.abs(nowMs - at) < ASK_AGAIN_MS);
  if (asked.some(([person]) => person === from)) return undefined;
  return { ...group, asked: { ...Object.fromEntries(asked), [from]: nowMs } };
}
