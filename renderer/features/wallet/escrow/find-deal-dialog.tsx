// Looking a deal up by its id: for an arbiter, or one that was opened long ago.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { query } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { isDealId } from "#shared/protocol/primitives/asset-rules.ts";
import send from "../send/send.module.css";
import { addFoundDeal, type DealState, ESCROW, readState } from "./deals.ts";

const DEBOUNCE_MS = 250;

/** State of the deal of a typed id: null for none, undefined until it is known. */
export function useDealState(typed: string): DealState | null | undefined {
  const { client } = useNode();
  const id = useDebounced(typed, DEBOUNCE_MS);
  const { data } = useQuery({
    ...query([...queryKeys.contractState(ESCROW, `e:${id}:x`), "deal"], (call) => readState(client, id, call)),
    enabled: isDealId(id),
  });
  return id === typed ? data : undefined;
}

export function FindDealDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const id = text.trim();
  const state = useDealState(id);
  const isFound = state !== null && state !== undefined;
  const problem = (): string | undefined => {
    if (id !== "" && !isDealId(id)) return t("escrow.idWrong");
    return state === null ? t("escrow.noSuchDeal", { id }) : undefined;
  };
  return (
    <Dialog open onOpenChange={onClose} title={t("escrow.find")} description={t("escrow.findText")}>
      <form
        className={shared.stack4}
        onSubmit={(event): void => {
          event.preventDefault();
          if (!isFound) return;
          addFoundDeal(id);
          onClose();
        }}
      >
        <TextField label={t("escrow.dealId")} autoFocus mono spellCheck={false} value={text} onChange={setText} error={problem()} />
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isFound}>
            {t("escrow.showDeal")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
