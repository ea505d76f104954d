// The right side while no conversation is chosen. Coming back from another view, the chat that was open is opened again.
import { Navigate } from "@tanstack/react-router";
import { MessageSquareText } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/button-link.tsx";
import { EmptyState } from "#renderer/components/empty-state.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useInboxStore } from "./inbox-store.ts";
import { NotRunning } from "./not-running.tsx";

/** A friendly blank, or the way back. */
export function NothingChosen(): ReactElement {
  const open = useInboxStore((store) => store.open);
  const { phase } = useMessengerSnapshot();
  if (open !== null) return <Navigate to="/inbox/$conversation" params={{ conversation: open }} replace />;
  return phase === "otherTab" || phase === "failed" ? <NotRunning /> : <Blank />;
}

/** The blank alone. */
export function Blank(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  return (
    <>
      <title>{`${t("inbox.title")} · ${t("common.appName")}`}</title>
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
    </>
  );
}
