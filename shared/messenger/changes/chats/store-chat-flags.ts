// Flags of a conversation, as the person sets them on this device or another one.
import type { SyncChatBody } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf, peerOf } from "../../model/conversation-id.ts";
import type { ConversationId } from "../../model/message.ts";
import { type ChatFlags, newId, type SendTask } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

/** Latest time of a date, milliseconds since 1970 … */
const LATEST_MS = 8_640_000_000_000_000;
/** … and changes that may follow one of that time, each a moment later: no device gets to where no number is greater. */
const MAX_LEAD_MS = 1_048_576;

/** Another own device pinned, archived or muted a conversation; the latest holds. What claims a time that no clock shows is left out. */
export function storeChatFlags(
  change: Change,
  conversation: ConversationId,
  {
    flags: { isPinned, isArchived, mutedUntil, ...later },
    at,
  }: { readonly flags: Omit<SyncChatBody, "kind" | "peer">; readonly at: number },
): void {
  const known = change.conversation(conversation).flags;
  const knownAt = timeOf(known);
  if (at <= knownAt || at > Math.max(LATEST_MS, knownAt) + MAX_LEAD_MS) return;
  // What a program does not know of it does not change.
  const mutesMentions = later.mutesMentions ?? known?.mutesMentions ?? false;
  const isMarkedUnread = later.isMarkedUnread ?? known?.isMarkedUnread ?? false;
  const folders = later.folders ?? known?.folders ?? [];
  change.updateConversation(conversation, { flags: { isPinned, isArchived, mutedUntil, mutesMentions, isMarkedUnread, folders, at } });
}

/** Pins, archives, mutes or marks a conversation, on all own devices. */
export function setOwnFlags(
  { account, clock, random }: Pick<EngineContext, "account" | "clock" | "random">,
  change: Change,
  id: ConversationId,
  flags: Partial<Omit<ChatFlags, "at">>,
): void {
  const known = change.conversation(id).flags ?? { isPinned: false, isArchived: false, mutedUntil: 0, at: 0 };
  const next: ChatFlags = { ...known, ...flags, at: Math.max(clock.nowMs(), timeOf(known) + 1) };
  change.updateConversation(id, { flags: next });
  queueForOwn(change, id, account.masterPub, { kind: "chatFlags", id: newId(random), flags: next });
}

/** When flags were set; 0 for none, and for those that no change could follow, as programs took them before. */
function timeOf(flags: ChatFlags | undefined): number {
  return flags === undefined || flags.at > Number.MAX_SAFE_INTEGER - MAX_LEAD_MS ? 0 : flags.at;
}

/** Queues something about a conversation for one's own other devices; nothing where they do not know the conversation. */
export function queueForOwn(
  change: Change,
  id: ConversationId,
  me: PublicKeyHex,
  task: Extract<SendTask, { readonly kind: "chatFlags" | "star" }>,
): void {
  const group = groupOf(id);
  const admin = change.conversation(id).group?.keeper;
  if (peerOf(id) !== undefined) change.queue(id, task);
  else if (group !== undefined && admin !== undefined) change.queue(me, { ...task, group: { id: group, keeper: admin } });
}
