// The right side of the inbox when there is nothing to show: what one can begin with.
import { MessageSquareText } from "lucide-react";
import { lazy, type ReactElement, Suspense } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";

const FirstSteps = lazy(async () => ({ default: (await import("./first-steps.tsx")).FirstSteps }));

/** A friendly blank; while there is no chat at all, what to begin with. */
export function Blank(): ReactElement {
  const t = useMessages();
  const { phase, conversations } = useMessengerSnapshot();
  return (
    <>
      <title>{`${t("inbox.title")} · ${t("common.appName")}`}</title>
      {phase === "running" && conversations.length === 0 ? (
        <Suspense fallback={null}>
          <FirstSteps />
        </Suspense>
      ) : (
        <Choice />
      )}
    </>
  );
}

function Choice(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  return (
    <EmptyState
      icon={MessageSquareText}
      title={t("inbox.chooseTitle")}
      text={t("inbox.chooseText")}
      actions={
        <>
          <ButtonLink to="/inbox/new" variant="primary">
            {t("inbox.new")}
          </ButtonLink>
          <ButtonLink to="/inbox/$conversation" params={{ conversation: masterPub }}>
            {t("inbox.noteToSelf")}
          </ButtonLink>
        </>
      }
    />
  );
}
