// Looking a deal up by its id: for an arbiter, or one that was opened long ago.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { query } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { isDealId } from "#shared/protocol/primitives/asset-rules.ts";
import { FindDialog, type TypedFind } from "../found/find-dialog.tsx";
import { type DealState, ESCROW, readState } from "./deals.ts";

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
  return (
    <FindDialog
      kind="deals"
      title={t("escrow.find")}
      description={t("escrow.findText")}
      label={t("escrow.dealId")}
      confirmLabel={t("escrow.showDeal")}
      useTyped={useTypedDeal}
      onClose={onClose}
    />
  );
}

function useTypedDeal(text: string): TypedFind {
  const t = useMessages();
  const id = text.trim();
  const state = useDealState(id);
  if (id !== "" && !isDealId(id)) return { found: undefined, problem: t("escrow.idWrong") };
  if (state === null) return { found: undefined, problem: t("escrow.noSuchDeal", { id }) };
  return { found: state === undefined ? undefined : id, problem: undefined };
}
