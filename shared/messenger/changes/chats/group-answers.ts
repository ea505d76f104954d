// How often people who ask for what is known of a group get it.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { GroupRecord } from "../../model/group-state.ts";
import type { ConversationId } from "../../model/message.ts";
import type { Change } from "../change.ts";

/** The time within which answers are counted. */
const ANSWERS_MS = 600_000;
/** As many a person gets within it: each of their devices asks for itself, and all of them get each answer. */
const MAX_ANSWERS = 4;

/** An answer that is due. */
export interface GroupAnswer {
  readonly conversation: ConversationId;
  readonly group: GroupRecord;
  readonly person: PublicKeyHex;
  readonly nowMs: number;
}

/** Counts an answer to a person; false when they had enough of them lately. */
export function takeAnswer(change: Change, { conversation, group, person, nowMs }: GroupAnswer): boolean {
  const answered = recentAnswers(group, nowMs);
  const times = answered[person] ?? [];
  if (times.length >= MAX_ANSWERS) return false;
  change.updateConversation(conversation, { group: { ...group, answered: { ...answered, [person]: [...times, nowMs] } } });
  return true;
}

/** A clock that was set back begins again. */
function recentAnswers({ answered = {} }: GroupRecord, nowMs: number): NonNullable<GroupRecord["answered"]> {
  const recent = Object.entries(answered).map(
    ([person, times]) => [person, times.filter((at) => Math.abs(nowMs - at) < ANSWERS_MS)] as const,
  );
  return Object.fromEntries(recent.filter(([, times]) => times.length > 0));
}
