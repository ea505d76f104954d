// Whether there is a chat with a person in which one can pay.
import type { MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** True for one that is neither a request nor blocked. */
export function hasOpenChat({ conversations }: Pick<MessengerSnapshot, "conversations">, person: PublicKeyHex): boolean {
  return conversations.some(({ id, isRequest, isBlocked }) => id === person && !isRequest && !isBlocked);
}
