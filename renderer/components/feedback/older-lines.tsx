// Below a list that is searched in what is newest on the chain: how to look further back.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Older } from "#renderer/lib/node/lists/use-older.ts";
import { Button } from "../controls/button.tsx";
import shared from "../styles/shared.module.css";
import { UnverifiedNote } from "./unverified-note.tsx";

export function OlderLines({ older }: { readonly older: Older }): ReactElement {
  const t = useMessages();
  return (
    <>
      {older.hasOlder && (
        <div className={shared.between}>
          <span className={shared.hint}>{t("transactions.olderNotSearched")}</span>
          <Button size="small" busy={older.isSearching} onClick={older.searchOlder}>
            {t("transactions.searchOlder")}
          </Button>
        </div>
      )}
      <UnverifiedNote kind="list" />
    </>
  );
}
