// Names of chats in one text, where each is named among others.
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { groupOf } from "#shared/messenger/model/conversation-id.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";

/** Names as they are shown, to find a chat by. */
export function useChatNames(targets: readonly ConversationId[]): (id: ConversationId) => string {
  const t = useMessages();
  const { masterPub } = useAccount();
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const names = useNames(targets.filter((id) => groupOf(id) === undefined));
  return (id) => {
    if (id === masterPub) return t("inbox.noteToSelf");
    if (groupOf(id) === undefined) return names.get(id) ?? shorten(formatAddress(id));
    return visibleText(conversations.find((conversation) => conversation.id === id)?.group?.name ?? "");
  };
}
