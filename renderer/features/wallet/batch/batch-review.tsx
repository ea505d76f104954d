// Second step: every payment with its marks, the sum, and one confirmation. All are signed and stored before the first one leaves.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useSpendable } from "#renderer/components/transactions/use-spendable.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type FeeLevel, feeOfLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./batch.module.css";
import { BatchTable } from "./batch-table.tsx";
import type { MarkedRow } from "./mark-rows.ts";
import type { TypedRow } from "./read-rows.ts";
import { useMarkedRows } from "./use-marked-rows.ts";
import { useSignBatch } from "./use-sign-batch.ts";

export interface BatchReviewProps {
  readonly typed: readonly TypedRow[];
  readonly fee: FeeLevel;
  readonly onBack: () => void;
}

export function BatchReview({ typed, fee, onBack }: BatchReviewProps): ReactElement {
  const { rows, error, retry } = useMarkedRows(typed);
  if (rows !== undefined) return <Review rows={rows} fee={fee} onBack={onBack} />;
  return error === null ? <SkeletonRows count={4} /> : <ErrorState error={error} onRetry={retry} />;
}

function Review({ rows, fee, onBack }: { readonly rows: readonly MarkedRow[] } & Pick<BatchReviewProps, "fee" | "onBack">): ReactElement {
  const t = useMessages();
  const feeUt = feeOfLevel(fee, useLeastFee());
  const spendable = useSpendable(0);
  const toasts = useToasts();
  const send = useMutation({
    mutationFn: useSignBatch(),
    onSuccess: (isStored): void => {
      if (!isStored) toasts.show({ title: t("batch.otherWindow"), tone: "warning" });
    },
  });
  const [overridden, setOverridden] = useState<readonly PublicKeyHex[]>([]);
  const amountUt = rows.reduce((sum, row) => sum + row.amountUt, 0);
  const totalUt = amountUt + rows.length * feeUt;
  const wrong = rows.filter(({ mark }) => mark !== undefined).length;
  const imitating = rows.filter(({ lookAlike, repeats }) => lookAlike !== undefined && repeats === 0);
  const missingUt = spendable === undefined ? 0 : totalUt - spendable.availableUt;
  const isAllowed = imitating.every(({ to }) => to !== undefined && overridden.includes(to));
  const confirm = (): void => send.mutate({ rows, feeUt, isRaised: fee !== "normal" });
  return (
    <div className={shared.stack4}>
      <Sentence amountUt={amountUt} totalUt={totalUt} count={rows.length} />
      {wrong > 0 && <Banner tone="danger" title={t("batch.wrongRows", { count: wrong })} />}
      {missingUt > 0 && (
        <Banner
          tone="danger"
          title={t("batch.tooMuch", { available: amountText(t, spendable?.availableUt ?? 0), missing: amountText(t, missingUt) })}
        />
      )}
      <BatchTable rows={rows} />
      {imitating.map(({ line, to, lookAlike }) =>
        lookAlike === undefined || to === undefined ? null : (
          <LookAlikeWarning
            key={line}
            lookAlike={lookAlike}
            isOverridden={overridden.includes(to)}
            onOverride={(yes): void => setOverridden(yes ? [...overridden, to] : overridden.filter((key) => key !== to))}
          />
        ),
      )}
      <p className={shared.hint}>{t("batch.confirmHint")}</p>
      {send.error !== null && (
        <Banner tone="danger" title={errorInWords(t, send.error).title}>
          {isCodedError(send.error) && send.error.code.startsWith("SPENDING_") && errorInWords(t, send.error).text}
        </Banner>
      )}
      <footer className={shared.footer}>
        <Button onClick={onBack} disabled={send.isPending}>
          {t("common.back")}
        </Button>
        <Button
          variant="primary"
          disabled={wrong > 0 || missingUt > 0 || spendable === undefined || !isAllowed}
          busy={send.isPending}
          onClick={confirm}
        >
          {t("batch.signAll")}
        </Button>
      </footer>
    </div>
  );
}

/** Takes the focus, so that it is read first and a second Enter does not send. */
function Sentence({
  amountUt,
  totalUt,
  count,
}: {
  readonly amountUt: number;
  readonly totalUt: number;
  readonly count: number;
}): ReactElement {
  const t = useMessages();
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <p ref={sentence} className={styles.sentence} tabIndex={-1}>
      <RichText
        text={t("batch.sentence", { count, amount: slot("amount"), total: slot("total") })}
        parts={{ amount: <Amount amountUt={amountUt} size="strong" />, total: <Amount amountUt={totalUt} size="strong" /> }}
      />
    </p>
  );
}
