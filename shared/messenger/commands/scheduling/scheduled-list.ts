// The list of messages that wait for their time: what fits into it, and what leaves it. Pure.
import { orderOfPreview } from "#shared/content/chat/link-preview.ts";
import { fittingMentions, type Mention } from "#shared/content/chat/mention-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import {
  type ConversationId,
  MAX_SCHEDULED,
  MAX_SCHEDULED_AHEAD_MS,
  MAX_SCHEDULED_BYTES,
  type ScheduledMessage,
} from "../../model/message.ts";

type Scheduled = readonly ScheduledMessage[];

/** The list with a message at a time of its own, in the place of one with its id. @throws CodedError BAD_REQUEST where there is no room. */
export function withScheduled(list: Scheduled, message: ScheduledMessage): Scheduled {
  const next = [...list.filter(({ id }) => id !== message.id), { ...message, dueAt: ownTime(list, message) }];
  const bytes = next.reduce((sum, { text, preview }) => sum + utf8Length(text) + utf8Length(orderOfPreview(preview)), 0);
  if (next.length > MAX_SCHEDULED || bytes > MAX_SCHEDULED_BYTES)
    throw new CodedError(
      "BAD_REQUEST",
      `At most ${MAX_SCHEDULED} messages wait for their time, with ${MAX_SCHEDULED_BYTES} bytes of text and previews`,
      {
        details: { field: "count", count: MAX_SCHEDULED },
      },
    );
  return next;
}

export function withoutScheduled(list: Scheduled, id: string): Scheduled {
  return list.filter((other) => other.id !== id);
}

/** The list once a conversation is deleted: what a node may have of it is to be taken back first. */
export function withConversationTakenBack(list: Scheduled, conversation: ConversationId): Scheduled {
  return list.flatMap((message): Scheduled => {
    if (message.conversation !== conversation) return [message];
    return message.held === undefined ? [] : [{ ...message, isTakenBack: true }];
  });
}

/**
 * A time for one message of its conversation alone: people choose whole minutes, and messages of one time have no order. So each further one
 * is a millisecond later, which no view shows.
 */
function ownTime(list: Scheduled, { id, conversation, dueAt }: Pick<ScheduledMessage, "id" | "conversation" | "dueAt">): number {
  const taken = new Set(list.filter((other) => other.conversation === conversation && other.id !== id).map((other) => other.dueAt));
  let time = dueAt;
  while (taken.has(time)) time += 1;
  return time;
}

/** A time that a message may wait for. @throws CodedError BAD_REQUEST. */
export function checkedTime(dueAt: number, nowMs: number): number {
  if (!Number.isSafeInteger(dueAt) || dueAt <= nowMs || dueAt > nowMs + MAX_SCHEDULED_AHEAD_MS)
    throw new CodedError("BAD_REQUEST", "The time lies ahead, by a year at most", { details: { field: "dueAt" } });
  return dueAt;
}

/** Mentions of an earlier wording in a later one: each name stands where it is found next. */
export function movedMentions(before: { readonly text: string; readonly mentions?: readonly Mention[] }, text: string): readonly Mention[] {
  let from = 0;
  const moved = (before.mentions ?? []).flatMap((mention) => {
    const name = before.text.slice(mention.start, mention.start + mention.length);
    const start = text.indexOf(name, from);
    if (start < 0) return [];
    from = start + name.length;
    return [{ ...mention, start }];
  });
  return fittingMentions(text, moved);
}
