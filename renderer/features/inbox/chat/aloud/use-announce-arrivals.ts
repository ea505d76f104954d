// Reads messages aloud that arrive in the open chat.
import { useEffect, useEffectEvent, useState } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ConversationSnapshot } from "#shared/messenger/model/conversation.ts";
import type { MessageKey } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { previewOf } from "../model/message-text.ts";
import { useMemberNames } from "../model/use-name-of.ts";

/** Announces what arrives after the first page was loaded. */
export function useAnnounceArrivals(header: ConversationHeader, { newest, isLoading }: ConversationSnapshot): void {
  const t = useMessages();
  const nameOf = useMemberNames(header);
  const [announced, setAnnounced] = useState<{ readonly key: MessageKey | undefined }>();
  const tell = useEffectEvent(() => {
    const isNew = announced !== undefined && newest !== undefined && newest.key !== announced.key;
    if (!isNew || newest.direction !== "in") return;
    const name = newest.author === null ? header.name : nameOf(newest.author);
    announce(t("inbox.arrived", { name, text: previewOf(t, newest.body, nameOf) }));
  });
  useEffect(() => {
    if (isLoading) return;
    tell();
    setAnnounced({ key: newest?.key });
  }, [newest?.key, isLoading]);
}
