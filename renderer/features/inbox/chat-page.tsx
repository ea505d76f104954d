// The right side with a conversation: checks the address bar and the state of the messenger, then shows the chat.
import { Navigate, useParams } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { Chat } from "./chat/chat.tsx";
import { rememberOpen } from "./model/inbox-store.ts";
import { NotRunning } from "./model/not-running.tsx";

const UNKNOWN_SENDER = /^unknown:[0-9a-f]{64}$/;
const GROUP = /^group:[0-9a-f]{32}$/;

/** The chat of the address bar, or why it cannot be shown. */
export function ChatPage(): ReactElement {
  const t = useMessages();
  const { conversation = "" } = useParams({ strict: false });
  const messenger = useMessenger();
  const phase = useMessengerValue((messenger) => messenger.phase);
  const id = parseConversation(conversation);
  useEffect(() => {
    if (id !== undefined) rememberOpen(id);
  }, [id]);
  if (id === undefined) return <EmptyState icon={SearchX} title={t("inbox.notFoundTitle")} text={t("inbox.notFoundText")} />;
  if (messenger === undefined || phase !== "running") return <NotRunning />;
  if (id !== conversation) return <Navigate to="/inbox/$conversation" params={{ conversation: id }} replace />;
  return <Chat key={id} id={id} messenger={messenger} />;
}

/** Id of a conversation; addresses and keys in capitals lead to the same one. */
function parseConversation(text: string): ConversationId | undefined {
  if (UNKNOWN_SENDER.test(text) || GROUP.test(text)) return text;
  const input = parseRecipient(text);
  return input.kind === "account" ? input.request.to : undefined;
}
