// Looking a multisig up by the id of its contract.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import send from "../send/send.module.css";
import { addFoundPurse, usePurses } from "./purses.ts";

const DEBOUNCE_MS = 250;

export function FindPurseDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const typed = text.trim().toLowerCase();
  const id = useDebounced(typed, DEBOUNCE_MS);
  const [query] = usePurses(isContractId(id) ? [id] : []);
  const purse = id === typed ? query?.data : undefined;
  const error = id === typed ? (query?.error ?? null) : null;
  const problem = (): string | undefined => {
    if (typed !== "" && !isContractId(typed)) return t("multisig.idWrong");
    if (isCodedError(error, "NOT_FOUND") || purse === null) return t("multisig.noSuchPurse");
    return error === null ? undefined : errorInWords(t, error).text;
  };
  const isFound = purse !== undefined && purse !== null;
  return (
    <Dialog open onOpenChange={onClose} title={t("multisig.find")} description={t("multisig.findText")}>
      <form
        className={shared.stack4}
        onSubmit={(event): void => {
          event.preventDefault();
          if (!isFound) return;
          addFoundPurse(id);
          onClose();
        }}
      >
        <TextField label={t("explorer.contractId")} autoFocus mono spellCheck={false} value={text} onChange={setText} error={problem()} />
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isFound}>
            {t("multisig.show")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
