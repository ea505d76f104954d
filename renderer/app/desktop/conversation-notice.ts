// Of what in a chat one is notified, and whether its words are shown. Pure.
import { mentionedIn } from "#renderer/features/inbox/model/use-name-of.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Arrivals, hasRung } from "./arrivals.ts";

/**
 * What a notification shows: the last message, or that one is mentioned, where that stands further up in a muted chat. Undefined for none:
 * what came while a chat was silent is old once it rings again.
 */
export function noticeOf(
  { lastMessage, mutedUntil }: ConversationSummary,
  about: { readonly before: Arrivals; readonly now: Arrivals; readonly nowMs: number; readonly me: PublicKeyHex },
): "message" | "mention" | undefined {
  const { before, now, nowMs, me } = about;
  if (!hasRung(before, now) || lastMessage === null) return undefined;
  if (mutedUntil > nowMs && !mentionedIn(lastMessage.body).includes(me)) return "mention";
  return lastMessage.direction === "in" ? "message" : undefined;
}
