// A statement of a period: its sums on the screen, all of it as CSV, or for paper: the desktop app writes a PDF file, a browser prints one.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download, FileDown, Printer } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { saveTextFile } from "#renderer/lib/browser/save-file.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useAccountHistory } from "#renderer/lib/node/use-account-history.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { Statement } from "./make-statement.ts";
import { customPeriod, dayText, firstPeriodKind, PERIOD_KINDS, type Period, type PeriodKind, periodOf } from "./period.ts";
import { MAX_PRINTED_LINES, PrintedStatement } from "./printed-statement.tsx";
import { statementCsv } from "./statement-csv.ts";
import { type ReadStatement, useLineWords, useStatement } from "./use-statement.ts";

/** The dialog, open as long as its route is. */
export function StatementDialog(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const [nowMs] = useState(() => Date.now());
  const { first, isPending } = useFirstKind(nowMs);
  const [chosen, setKind] = useState<PeriodKind>();
  const kind = chosen ?? first;
  const [days, setDays] = useState(() => ({ from: dayText(periodOf("thisMonth", nowMs).fromMs), to: dayText(nowMs) }));
  const period = kind === "custom" ? customPeriod(days.from, days.to) : periodOf(kind, nowMs);
  return (
    <Dialog
      open
      placement="sheet"
      onOpenChange={(): void => void navigate({ to: "/wallet" })}
      title={t("statement.page")}
      description={t("statement.text")}
    >
      <div className={shared.stack4}>
        <Select
          label={t("statement.period")}
          options={PERIOD_KINDS.map((value) => ({ value, label: t(`statement.period.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        {kind === "custom" && (
          <>
            <TextField
              label={t("statement.from")}
              type="date"
              value={days.from}
              onChange={(from): void => setDays({ ...days, from })}
              error={period === undefined ? t("statement.periodWrong") : undefined}
            />
            <TextField label={t("statement.to")} type="date" value={days.to} onChange={(to): void => setDays({ ...days, to })} />
          </>
        )}
        {chosen === undefined && isPending ? (
          <SkeletonRows count={4} />
        ) : (
          period !== undefined && <PeriodStatement key={`${period.fromMs} ${period.toMs}`} period={period} />
        )}
      </div>
    </Dialog>
  );
}

/** It stays what it was at first, whatever comes later. */
function useFirstKind(nowMs: number): { readonly first: PeriodKind; readonly isPending: boolean } {
  const { masterPub } = useAccount();
  const { transactions, hasMore, isPending } = useAccountHistory(masterPub);
  const [first, setFirst] = useState<PeriodKind>();
  const now = firstPeriodKind(
    transactions.map(({ time }) => Date.parse(time)),
    hasMore,
    nowMs,
  );
  if (first === undefined && !isPending) setFirst(now);
  return { first: first ?? now, isPending };
}

function PeriodStatement({ period }: { readonly period: Period }): ReactElement {
  const t = useMessages();
  const query = useStatement(period);
  if (query.data === undefined) return <QueryState query={query} rows={4} />;
  const { statement, missingBelow } = query.data;
  if (statement === undefined) return <Banner tone="warning" title={t("statement.missing", { height: missingBelow ?? 0 })} />;
  return <Sums read={query.data} statement={statement} />;
}

function Sums({ read, statement }: { readonly read: ReadStatement; readonly statement: Statement }): ReactElement {
  const t = useMessages();
  const wordsOf = useLineWords(read);
  const { lines, openingUt, closingUt, receivedUt, sentUt, feesUt, otherUt, unlistedUt, period } = statement;
  const isTooLong = lines.length > MAX_PRINTED_LINES;
  const name = `parley-${dayText(period.fromMs)}-${dayText(period.toMs - 1)}`;
  const shell = desktopApi();
  const toasts = useToasts();
  const pdf = useMutation({
    mutationFn: (desktop: DesktopApi) => desktop.call("savePdf", { name: `${name}.pdf` }),
    onSuccess: (isSaved) => {
      if (isSaved) toasts.show({ title: t("statement.pdfSaved"), tone: "success" });
    },
    onError: toasts.showError,
  });
  return (
    <>
      <KeyValueList
        rows={[
          { label: t("statement.opening"), value: signed(openingUt) },
          { label: t("statement.received"), value: <Amount amountUt={receivedUt} direction="in" /> },
          { label: t("statement.sent"), value: <Amount amountUt={sentUt} direction="out" /> },
          { label: t("statement.fees"), value: <Amount amountUt={feesUt} direction="out" /> },
          ...(otherUt === 0 ? [] : [{ label: t("statement.other"), value: signed(otherUt) }]),
          { label: t("statement.closing"), value: signed(closingUt), strong: true },
        ]}
      />
      <p className={shared.muted}>{t("statement.count", { count: lines.length })}</p>
      {unlistedUt !== undefined && unlistedUt !== 0 && (
        <p className={shared.muted}>{t("statement.unlisted", { amount: signed(unlistedUt) })}</p>
      )}
      {isTooLong && <p className={shared.muted}>{t("statement.tooLong", { limit: MAX_PRINTED_LINES })}</p>}
      <div className={shared.buttons}>
        <Button icon={Download} onClick={(): void => saveTextFile(`${name}.csv`, statementCsv(t, statement, wordsOf), "text/csv")}>
          {t("statement.saveCsv")}
        </Button>
        {shell !== undefined && (
          <Button icon={FileDown} disabled={isTooLong} busy={pdf.isPending} onClick={(): void => pdf.mutate(shell)}>
            {t("statement.savePdf")}
          </Button>
        )}
        <Button icon={Printer} disabled={isTooLong} onClick={(): void => window.print()}>
          {t(shell === undefined ? "statement.print" : "statement.printOnly")}
        </Button>
      </div>
      {!isTooLong && <PrintedStatement statement={statement} wordsOf={wordsOf} />}
    </>
  );

  function signed(amountUt: number): string {
    return amountUt < 0 ? `−${amountText(t, -amountUt)}` : amountText(t, amountUt);
  }
}
