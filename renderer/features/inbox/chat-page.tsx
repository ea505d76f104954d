// The right side with a conversation: checks the address bar and the state of the messenger, then shows the chat.
import { useParams } from "@tanstack/react-router";
import { Copy, Hourglass, SearchX } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { EmptyState } from "#renderer/components/empty-state.tsx";
import { ErrorState } from "#renderer/components/error-state.tsx";
import { SkeletonRows } from "#renderer/components/skeleton.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLiveState } from "#renderer/lib/node/node-context.tsx";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { ConversationId, Messenger, MessengerSnapshot } from "#renderer/messenger/messenger.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { Chat } from "./chat.tsx";
import { rememberOpen } from "./inbox-store.ts";

const UNKNOWN_SENDER = /^unknown:[0-9a-f]{64}$/;

/** The chat of the address bar, or why it cannot be shown. */
export function ChatPage(): ReactElement {
  const t = useMessages();
  const { conversation = "" } = useParams({ strict: false });
  const messenger = useMessenger();
  const snapshot = useMessengerSnapshot();
  const id = parseConversation(conversation);
  useEffect(() => {
    if (id !== undefined) rememberOpen(id);
  }, [id]);
  if (id === undefined) return <EmptyState icon={SearchX} title={t("inbox.notFoundTitle")} text={t("inbox.notFoundText")} />;
  if (messenger === undefined || snapshot.phase !== "running") return <NotRunning messenger={messenger} snapshot={snapshot} />;
  return <Chat key={id} id={id} messenger={messenger} />;
}

/** Id of a conversation; addresses and keys in capitals lead to the same one. */
function parseConversation(text: string): ConversationId | undefined {
  if (UNKNOWN_SENDER.test(text)) return text;
  const input = parseRecipient(text);
  return input.kind === "account" ? input.request.to : undefined;
}

interface NotRunningProps {
  readonly messenger: Messenger | undefined;
  readonly snapshot: MessengerSnapshot;
}

function NotRunning({ messenger, snapshot }: NotRunningProps): ReactElement {
  const t = useMessages();
  const isReached = useLiveState() === "open";
  if (snapshot.phase === "otherTab") return <EmptyState icon={Copy} title={t("inbox.otherTabTitle")} text={t("inbox.otherTabText")} />;
  if (snapshot.phase === "failed") {
    const { code, message } = snapshot.problem ?? { code: "INTERNAL", message: t("inbox.failedText") };
    return <ErrorState error={new CodedError(code, message)} onRetry={(): void => void messenger?.start().catch(() => undefined)} />;
  }
  if (messenger === undefined && !isReached) {
    return <EmptyState icon={Hourglass} title={t("inbox.waitingTitle")} text={t("inbox.waitingText")} />;
  }
  return <SkeletonRows />;
}
