// Looking a multisig up by the id of its contract.
import type { ReactElement } from "react";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { FindDialog, type TypedFind } from "../found/find-dialog.tsx";
import { usePurses } from "./purses.ts";

const DEBOUNCE_MS = 250;

export function FindPurseDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  return (
    <FindDialog
      kind="multisigs"
      title={t("multisig.find")}
      description={t("multisig.findText")}
      label={t("explorer.contractId")}
      confirmLabel={t("multisig.show")}
      useTyped={useTypedPurse}
      onClose={onClose}
    />
  );
}

function useTypedPurse(text: string): TypedFind {
  const t = useMessages();
  const typed = text.trim().toLowerCase();
  const id = useDebounced(typed, DEBOUNCE_MS);
  const [query] = usePurses(isContractId(id) ? [id] : []);
  const none = (problem: string | undefined): TypedFind => ({ found: undefined, problem });
  if (typed !== "" && !isContractId(typed)) return none(t("multisig.idWrong"));
  if (id !== typed || query === undefined) return none(undefined);
  if (isCodedError(query.error, "NOT_FOUND") || query.data === null) return none(t("multisig.noSuchPurse"));
  if (query.error !== null) return none(errorInWords(t, query.error).text);
  return { found: query.data === undefined ? undefined : id, problem: undefined };
}
