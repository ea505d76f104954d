// First step: the payments as lines, typed, pasted or from a file.
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { FileField } from "#renderer/components/controls/file-field.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { FeeChoice } from "#renderer/components/transactions/fee-choice.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_BATCH_ROWS } from "#renderer/lib/transactions/sending/batch-store.ts";
import { feeOfLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { BatchDraft } from "./batch-draft.ts";
import { MAX_BATCH_CHARS, readRows, type TypedRow } from "./read-rows.ts";
import { textOfFile } from "./text-of-file.ts";

const ROWS = 8;

export interface BatchEntryProps {
  readonly draft: BatchDraft;
  readonly onChange: (changes: Partial<BatchDraft>) => void;
  readonly onReady: (rows: readonly TypedRow[]) => void;
}

export function BatchEntry({ draft, onChange, onReady }: BatchEntryProps): ReactElement {
  const t = useMessages();
  const [problem, setProblem] = useState<string>();
  const [fileName, setFileName] = useState<string>();
  const feeUt = feeOfLevel(draft.fee, useLeastFee());
  const tooLong = t("batch.tooLong", { limit: MAX_BATCH_ROWS });
  const change = (changes: Partial<BatchDraft>): void => {
    setProblem(undefined);
    onChange(changes);
  };
  const open = async (file: File): Promise<void> => {
    setFileName(file.name);
    // A character is four bytes at most.
    if (file.size > 4 * MAX_BATCH_CHARS) return setProblem(tooLong);
    try {
      change({ text: textOfFile(new Uint8Array(await file.arrayBuffer())) });
    } catch {
      setProblem(t("batch.unreadable"));
    }
  };
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    const typed = readRows(draft.text, t.locale);
    if (typed.kind === "tooLong") setProblem(tooLong);
    else if (typed.rows.length === 0) setProblem(t("batch.empty"));
    else onReady(typed.rows);
  };
  return (
    <form className={shared.stack4} onSubmit={goOn} noValidate>
      <TextArea
        label={t("batch.lines")}
        hint={t("batch.linesHint", { limit: MAX_BATCH_ROWS })}
        placeholder={t("batch.example")}
        rows={ROWS}
        mono
        autoFocus
        spellCheck={false}
        value={draft.text}
        onChange={(text): void => change({ text })}
        error={problem}
      />
      <FileField label={t("batch.file")} accept=".csv,.tsv,.txt" fileName={fileName} onChoose={(file): void => void open(file)} />
      <FeeChoice level={draft.fee} feeUt={feeUt} onChange={(fee): void => change({ fee })} />
      <footer className={shared.footer}>
        <Button type="submit" variant="primary">
          {t("transactions.review")}
        </Button>
      </footer>
    </form>
  );
}
