// Below a list that is read from what a contract logged: how to look further back.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ContractLines } from "#renderer/lib/node/lists/use-contract-lines.ts";
import { Button } from "../controls/button.tsx";
import shared from "../styles/shared.module.css";
import { UnverifiedNote } from "./unverified-note.tsx";

export function OlderLines({ query }: Pick<ContractLines, "query">): ReactElement {
  const t = useMessages();
  return (
    <>
      {query.hasNextPage && (
        <div className={shared.between}>
          <span className={shared.hint}>{t("transactions.olderNotSearched")}</span>
          <Button size="small" busy={query.isFetchingNextPage} onClick={(): void => void query.fetchNextPage()}>
            {t("transactions.searchOlder")}
          </Button>
        </div>
      )}
      <UnverifiedNote kind="list" />
    </>
  );
}
