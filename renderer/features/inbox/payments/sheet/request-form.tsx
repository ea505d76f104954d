// The asking half of the sheet: how much and what for, and what makes an invoice of it.
import { useMutation } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { type FormEvent, type ReactElement, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Field } from "#renderer/components/controls/field.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_PAY_LINES, MAX_PAY_NUMBER_BYTES } from "#shared/content/pay-content.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { FormProps } from "./form-props.ts";
import { endOfDay, type ReadLines, readLines, type TypedLine } from "./invoice.ts";
import { LargeAmount } from "./large-amount.tsx";
import { NoteField, tooLong } from "./note-field.tsx";
import styles from "./pay-sheet.module.css";

interface InvoiceDraft {
  readonly lines: readonly TypedLine[];
  readonly number: string;
  readonly due: string;
}

const NO_LINES: InvoiceDraft = { lines: [], number: "", due: "" };

export function RequestForm({ header, messenger, draft, onChange, onDone }: FormProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [invoice, setInvoice] = useState<InvoiceDraft>();
  const [wasTried, setTried] = useState(false);
  const { lines, number, due } = invoice ?? NO_LINES;
  const read = readLines(lines, t.locale);
  const hasLines = read.kind !== "none";
  const amountTyped = read.kind === "ok" ? typedAmount(read.sumUt, t.locale) : hasLines ? "" : draft.amount;
  const amount = readAmount(amountTyped, t.locale);
  const dueMs = endOfDay(due);
  const problem = hasLines
    ? undefined
    : (amountProblem(t, amount) ?? (wasTried && amount.kind === "empty" ? t("wallet.amountEmpty") : undefined));
  const noteProblem = tooLong(t, draft.note);
  const numberProblem = utf8Length(number.trim()) > MAX_PAY_NUMBER_BYTES ? t("payments.numberLong") : undefined;
  const dueProblem = dueMs !== undefined && dueMs < Date.now() ? t("payments.pastDue") : undefined;
  const isReady =
    amount.kind === "ok" && [noteProblem, numberProblem, dueProblem].every((wrong) => wrong === undefined) && read.kind !== "wrong";
  const ask = useMutation({
    mutationFn: async () => {
      if (amount.kind !== "ok") return;
      await messenger.sendPayRequest(header.peer, {
        amountUt: amount.amountUt,
        note: draft.note.trim(),
        ...(dueMs !== undefined && { due: dueMs }),
        ...(number.trim() !== "" && { number: number.trim() }),
        ...(read.kind === "ok" && { lines: read.lines }),
      });
    },
    onSuccess: onDone,
    onError: toasts.showError,
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isReady && !ask.isPending) ask.mutate();
  };
  return (
    <form className={shared.stack4} onSubmit={send}>
      <LargeAmount
        value={amountTyped}
        onChange={(text): void => onChange({ amount: text })}
        error={problem}
        hint={hasLines ? t("payments.sum") : ""}
        readOnly={hasLines}
      />
      <NoteField
        note={draft.note}
        hint={t("payments.noteHint", { name: header.name })}
        error={noteProblem}
        onChange={(note): void => onChange({ note })}
      />
      {invoice === undefined ? (
        <div className={styles.more}>
          <Button size="small" variant="ghost" onClick={(): void => setInvoice({ ...NO_LINES, lines: [emptyLine(0)] })}>
            {t("payments.addInvoice")}
          </Button>
        </div>
      ) : (
        <>
          <Lines lines={lines} read={read} wasTried={wasTried} onChange={(changed): void => setInvoice({ ...invoice, lines: changed })} />
          <NumberAndDue invoice={invoice} numberProblem={numberProblem} dueProblem={dueProblem} onChange={setInvoice} />
        </>
      )}
      <footer className={styles.footer}>
        <Button type="submit" variant="primary" busy={ask.isPending} disabled={problem !== undefined}>
          {t("payments.sendRequest")}
        </Button>
      </footer>
    </form>
  );
}

interface NumberAndDueProps {
  readonly invoice: InvoiceDraft;
  readonly numberProblem: string | undefined;
  readonly dueProblem: string | undefined;
  readonly onChange: (invoice: InvoiceDraft) => void;
}

function NumberAndDue({ invoice, numberProblem, dueProblem, onChange }: NumberAndDueProps): ReactElement {
  const t = useMessages();
  return (
    <div className={styles.pair}>
      <TextField
        label={t("payments.invoiceNumber")}
        optional
        value={invoice.number}
        onChange={(text): void => onChange({ ...invoice, number: text })}
        error={numberProblem}
      />
      <Field label={t("payments.dueDate")} optional hint={t("payments.dueHint")} error={dueProblem}>
        {(control): ReactElement => (
          <input
            {...control}
            type="date"
            className={styles.date}
            value={invoice.due}
            onChange={(event): void => onChange({ ...invoice, due: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

interface LinesProps {
  readonly lines: readonly TypedLine[];
  readonly read: ReadLines;
  readonly wasTried: boolean;
  readonly onChange: (lines: readonly TypedLine[]) => void;
}

function Lines({ lines, read, wasTried, onChange }: LinesProps): ReactElement {
  const t = useMessages();
  const nextId = useRef(lines.length);
  const add = (): void => {
    nextId.current += 1;
    onChange([...lines, emptyLine(nextId.current)]);
  };
  const change = (id: number, changes: Partial<TypedLine>): void =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...changes } : line)));
  return (
    <fieldset className={styles.lines}>
      <legend className={styles.legend}>{t("payments.lines")}</legend>
      {lines.map(({ id, text, amount }, position) => {
        const index = position + 1;
        return (
          <div key={id} className={styles.line}>
            <TextField
              label={t("payments.lineText", { index })}
              hideLabel
              placeholder={t("payments.linePlaceholder")}
              value={text}
              onChange={(typed): void => change(id, { text: typed })}
            />
            <TextField
              label={t("payments.lineAmount", { index })}
              hideLabel
              mono
              inputMode="decimal"
              placeholder="0"
              affix="T"
              value={amount}
              onChange={(typed): void => change(id, { amount: typed })}
            />
            <IconButton
              icon={X}
              size="small"
              label={t("payments.removeLine", { index })}
              onClick={(): void => onChange(lines.filter((line) => line.id !== id))}
            />
          </div>
        );
      })}
      {wasTried && read.kind === "wrong" && (
        <p className={styles.problem} role="alert">
          {problemOfLines(t, read.problem)}
        </p>
      )}
      <div className={styles.more}>
        <Button size="small" variant="ghost" icon={Plus} disabled={lines.length >= MAX_PAY_LINES} onClick={add}>
          {t("payments.addLine")}
        </Button>
      </div>
    </fieldset>
  );
}

function problemOfLines(t: ReturnType<typeof useMessages>, problem: "text" | "long" | "amount"): string {
  if (problem === "amount") return t("wallet.amountEmpty");
  return t(problem === "text" ? "payments.lineEmpty" : "payments.lineLong");
}

function emptyLine(id: number): TypedLine {
  return { id, text: "", amount: "" };
}
