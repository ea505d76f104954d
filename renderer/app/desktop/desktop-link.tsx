// Ties the interface to the desktop shell: shows what the shell asks for, reports unread messages to it. Renders nothing.
import { focusManager } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef } from "react";
import { useConversationHeader } from "#renderer/features/inbox/model/conversation-header.tsx";
import { previewOf } from "#renderer/features/inbox/model/message-text.ts";
import { useNamesInLast } from "#renderer/features/inbox/model/use-name-of.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useDesktopState } from "#renderer/lib/desktop/use-desktop-state.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import { type Arrivals, arrivalsIn } from "./arrivals.ts";
import { noticeOf } from "./conversation-notice.ts";

/** Does nothing in a browser. */
export function DesktopLink(): ReactElement | null {
  const desktop = desktopApi();
  return desktop === undefined ? null : <Link desktop={desktop} />;
}

function Link(props: { readonly desktop: DesktopApi }): ReactElement {
  const { desktop } = props;
  const router = useRouter();
  const { live } = useNode();
  const { conversations, totalUnread } = useMessengerSnapshot();
  const chosen = useSettings((settings) => settings.language);
  const language = chosen === PSEUDO_LANGUAGE ? "en" : chosen;
  useEffect(
    () =>
      desktop.onEvent((event) => {
        if (event.type === "open") router.history.push(event.path);
        else if (event.type === "resume") live.reconnect();
      }),
    [desktop, router, live],
  );
  useEffect(() => {
    desktop.call("setUnread", { count: totalUnread }).catch(() => undefined);
  }, [desktop, totalUnread]);
  const state = useDesktopState(desktop).data;
  const known = state?.settings.language;
  const isVisible = state?.window.isVisible;
  // What only refreshes a view rests while none is seen; the messenger does not.
  useEffect(() => focusManager.setFocused(isVisible), [isVisible]);
  useEffect(() => {
    if (known !== undefined && known !== language) desktop.call("changeSettings", { language }).catch(() => undefined);
  }, [desktop, known, language]);
  return (
    <>
      {conversations
        .filter(({ isRequest, isBlocked }) => !isRequest && !isBlocked)
        .map((conversation) => (
          <ConversationNotices key={conversation.id} desktop={desktop} conversation={conversation} />
        ))}
    </>
  );
}

interface NoticesProps {
  readonly desktop: DesktopApi;
  readonly conversation: ConversationSummary;
}

/** Notifies of what arrives while this runs: what was unread before was announced before. Of a muted chat that is who names one. */
function ConversationNotices(props: NoticesProps): null {
  const { desktop, conversation } = props;
  const { id, lastMessage } = conversation;
  const { masterPub } = useAccount();
  const t = useMessages();
  const { name } = useConversationHeader(id);
  const nameOf = useNamesInLast(conversation);
  const announced = useRef<Arrivals>(undefined);
  useEffect(() => {
    const nowMs = Date.now();
    const now = arrivalsIn([conversation], nowMs);
    const before = announced.current ?? now;
    const shown = noticeOf(conversation, { before, now, nowMs, me: masterPub });
    if (shown !== undefined && lastMessage !== null) {
      const text = previewOf(t, lastMessage.body, nameOf);
      const message = lastMessage.author === null ? text : t("inbox.noteBy", { who: nameOf(lastMessage.author), text });
      const body = shown === "mention" ? t("inbox.mentioned") : message;
      const notice = { conversation: id, path: `/inbox/${id}`, title: name, body };
      desktop.call("notify", notice).catch(() => undefined);
    } else if (now.ringing === 0 && before.ringing > 0) {
      desktop.call("clearNotices", { conversation: id }).catch(() => undefined);
    }
    announced.current = now;
  }, [desktop, id, conversation, lastMessage, masterPub, name, nameOf, t]);
  return null;
}
