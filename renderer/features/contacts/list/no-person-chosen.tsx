// The right side while no person is chosen.
import { UsersRound } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** A friendly blank. */
export function NoPersonChosen(): ReactElement {
  const t = useMessages();
  return (
    <>
      <title>{`${t("contacts.title")} · ${t("common.appName")}`}</title>
      <EmptyState
        icon={UsersRound}
        title={t("contacts.noneTitle")}
        text={t("contacts.noneText")}
        actions={<ButtonLink to="/contacts/new">{t("contacts.add")}</ButtonLink>}
      />
    </>
  );
}
