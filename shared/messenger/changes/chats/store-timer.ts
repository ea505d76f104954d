// The time until messages of a conversation disappear, as its messages set it.

import type { MessageBody } from "../../model/message.ts";
import type { Change } from "../change.ts";

/** A message that sets the time until messages disappear; the latest holds. */
export function storeTimer(
  change: Change,
  { conversation, body, at }: { readonly conversation: string; readonly body: MessageBody; readonly at: number },
): void {
  if (body.kind !== "timer") return;
  const known = change.conversation(conversation).timer;
  if (known === undefined || at > known.at) change.updateConversation(conversation, { timer: { seconds: body.seconds, at } });
}
