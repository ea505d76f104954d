// The right side of the inbox when there is nothing to show: what one can begin with.
import { MessageSquareText } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** A friendly blank. */
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
