// What the inbox says while the messenger does not run in this window.
import { Copy, Hourglass } from "lucide-react";
import type { ReactElement } from "react";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Why nothing is shown, and what helps. */
export function NotRunning(): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const { phase, problem } = useMessengerSnapshot();
  const isReached = useLiveState() === "open";
  if (phase === "otherTab") return <EmptyState icon={Copy} title={t("inbox.otherTabTitle")} text={t("inbox.otherTabText")} />;
  if (phase === "failed") {
    const error = new CodedError(problem?.code ?? "INTERNAL", problem?.message ?? t("inbox.failedText"));
    return <ErrorState error={error} onRetry={(): void => void messenger?.start().catch(() => undefined)} />;
  }
  if (messenger === undefined && !isReached) {
    return <EmptyState icon={Hourglass} title={t("inbox.waitingTitle")} text={t("inbox.waitingText")} />;
  }
  return <SkeletonRows />;
}
