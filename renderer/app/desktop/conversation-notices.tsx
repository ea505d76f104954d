// Notices of what arrives in chats. Renders nothing.
import { type ReactElement, useEffect, useRef } from "react";
import { useConversationHeader } from "#renderer/features/inbox/model/conversation-header.tsx";
import { previewOf } from "#renderer/features/inbox/model/message-text.ts";
import { useNamesInLast } from "#renderer/features/inbox/model/use-name-of.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import { type Arrivals, arrivalsIn } from "./arrivals.ts";
import { noticeOf } from "./conversation-notice.ts";
import type { NoticePort } from "./notice-port.ts";

/** Of all chats but those of strangers. */
export function ConversationNotices({ port }: { readonly port: NoticePort }): ReactElement {
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  return (
    <>
      {conversations
        .filter(({ isRequest, isBlocked }) => !isRequest && !isBlocked)
        .map((conversation) => (
          <Notices key={conversation.id} port={port} conversation={conversation} />
        ))}
    </>
  );
}

interface NoticesProps {
  readonly port: NoticePort;
  readonly conversation: ConversationSummary;
}

/** Notifies of what arrives while this runs: what was unread before was announced before. Of a muted chat that is who names one. */
function Notices({ port, conversation }: NoticesProps): null {
  const { id, lastMessage } = conversation;
  const { masterPub } = useAccount();
  const t = useMessages();
  const { name } = useConversationHeader(id);
  const nameOf = useNamesInLast(conversation);
  const isWanted = useSettings((settings) => settings.noticeMessages);
  const announced = useRef<Arrivals>(undefined);
  useEffect(() => {
    const nowMs = Date.now();
    const now = arrivalsIn([conversation], nowMs);
    const before = announced.current ?? now;
    const shown = isWanted ? noticeOf(conversation, { before, now, nowMs, me: masterPub }) : undefined;
    if (shown !== undefined && lastMessage !== null) {
      const text = previewOf(t, lastMessage.body, nameOf);
      const message = lastMessage.author === null ? text : t("inbox.noteBy", { who: nameOf(lastMessage.author), text });
      const body = shown === "mention" ? t("inbox.mentioned") : message;
      port.show({ conversation: id, path: `/inbox/${id}`, title: name, body });
    } else if (now.ringing === 0 && before.ringing > 0) {
      port.clear(id);
    }
    announced.current = now;
  }, [port, id, conversation, lastMessage, masterPub, name, nameOf, t, isWanted]);
  return null;
}
