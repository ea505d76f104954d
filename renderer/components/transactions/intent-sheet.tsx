// The last check before anything but a payment is signed: what the keyring says it costs, and one sentence. One sheet for every intent.

import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useIsLeft } from "#renderer/lib/browser/window/use-is-left.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { isUncertain } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { leftBehind } from "#renderer/lib/transactions/sending/left-behind.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { Intent, IntentSummary, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { Banner } from "../feedback/banner.tsx";
import { useToasts } from "../feedback/toast.tsx";
import type { KeyValueRow } from "../layout/key-value-list.tsx";
import { ConfirmSheet } from "../overlays/confirm-sheet.tsx";
import { refusalInWords, SpendingNote, useSpendingVerdict } from "./spending-note.tsx";
import { type Hold, useHoldPayment } from "./use-hold-payment.ts";

export interface IntentSheetProps {
  readonly intent: Intent;
  readonly title: string;
  readonly sentence: ReactNode;
  /** Details above the cost. */
  readonly rows?: readonly KeyValueRow[];
  readonly children?: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Why it would not take effect: then it cannot be signed. */
  readonly problem?: string | undefined;
  /** It is still being found out whether it would take effect. */
  readonly isChecking?: boolean;
  readonly onClose: () => void;
  /** Ends before a node gets what was signed; what it refuses is not sent. */
  readonly onSigned?: (() => Promise<void>) | undefined;
  /** The node has taken it; it is not in a block yet. */
  readonly onSent?: (signed: SignedIntent) => void;
}

/** The sheet, open while it is shown. */
export function IntentSheet(props: IntentSheetProps): ReactElement {
  const { intent, title, sentence, rows = [], children, confirmLabel, danger = false, onClose, onSent } = props;
  const { problem, isChecking = false } = props;
  const t = useMessages();
  const keyring = useKeyring();
  const leastFeeUt = useLeastFee();
  const toasts = useToasts();
  const isLeft = useIsLeft();
  const summary = useQuery({
    queryKey: ["intent-summary", JSON.stringify(intent), leastFeeUt],
    queryFn: () => keyring.summarize({ intent, leastFeeUt }),
    retry: false,
    gcTime: 0,
  });
  const send = useMutation({
    mutationFn: useSendIntent(props.onSigned),
    onSuccess: (signed) => {
      // What becomes of it takes its place.
      toasts.show({ id: signed.transaction.id, title: t("transactions.submitted"), description: t("transactions.submittedText") });
      announce(t("transactions.submitted"));
      onSent?.(signed);
      onClose();
    },
    onError: (error) => {
      if (isLeft()) toasts.show(leftBehind(t, intent.kind, error));
    },
  });
  const costs = useCostRows(summary.data);
  const shortfall = useShortfall(summary.data);
  const hasUnknownFate = isUncertain(send.error);
  // What may have taken effect already says nothing about itself.
  const isOver = send.isPending || send.isSuccess || hasUnknownFate;
  const reason = isOver ? undefined : (shortfall ?? problem);
  const { hold, waits, isRefused, note } = useRules({ intent, isOver, onHeld: onClose, onHold: props.onSigned });
  return (
    <ConfirmSheet
      open
      danger={danger}
      title={title}
      sentence={sentence}
      rows={[...rows, ...(isChecking ? [{ label: t("transactions.totalAtMost"), value: "…", strong: true }] : costs)]}
      confirmLabel={waits ? t("spending.hold") : confirmLabel}
      busy={send.isPending || hold.isPending}
      disabled={summary.data === undefined || (isChecking && !hasUnknownFate) || reason !== undefined || isRefused}
      error={hasUnknownFate ? undefined : (send.error ?? hold.error ?? summary.error)}
      onCancel={onClose}
      onConfirm={(): void => (waits ? hold.mutate() : send.mutate(intent))}
    >
      {children}
      {note}
      {hasUnknownFate && (
        <Banner tone="danger" title={errorInWords(t, send.error).title}>
          {t("transactions.uncertain")}
        </Banner>
      )}
      {reason !== undefined && (
        <Banner tone="warning" title={t("transactions.wouldFail")}>
          {reason}
        </Banner>
      )}
    </ConfirmSheet>
  );
}

/** What the spending rules say, unless it is signed already. */
function useRules({ intent, isOver, onHeld, onHold }: RulesOptions): RulesState {
  const t = useMessages();
  const { data } = useSpendingVerdict(intent);
  const hold = useHoldPayment(intent, onHeld, { onHold });
  const verdict = isOver ? undefined : data;
  return {
    hold,
    waits: verdict?.kind === "waits",
    isRefused: refusalInWords(t, verdict) !== undefined,
    note: <SpendingNote verdict={verdict} />,
  };
}

interface RulesOptions {
  readonly intent: Intent;
  readonly isOver: boolean;
  readonly onHeld: () => void;
  readonly onHold: (() => Promise<void>) | undefined;
}

interface RulesState {
  readonly hold: Hold;
  readonly waits: boolean;
  readonly isRefused: boolean;
  readonly note: ReactElement;
}

/** Words for a balance that does not cover what may leave the account; undefined where it does, or is not known. */
function useShortfall(summary: IntentSummary | undefined): string | undefined {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { data: balance } = useQuery(useNodeQueries().balance(masterPub));
  if (summary === undefined || balance === undefined || balance.balanceUt >= summary.totalUt) return undefined;
  return t("transactions.shortfall", { total: amountText(t, summary.totalUt), balance: amountText(t, balance.balanceUt) });
}

function useCostRows(summary: IntentSummary | undefined): readonly KeyValueRow[] {
  const t = useMessages();
  if (summary === undefined) return [];
  const { amountUt, feeUt, maxGasUt, totalUt } = summary;
  return [
    ...(amountUt === 0 ? [] : [{ label: t("transactions.amount"), value: amountText(t, amountUt) }]),
    { label: t("transactions.fee"), value: amountText(t, feeUt) },
    ...(maxGasUt === 0 ? [] : [{ label: t("transactions.gasAtMost"), value: amountText(t, maxGasUt) }]),
    { label: t(maxGasUt === 0 ? "transactions.total" : "transactions.totalAtMost"), value: amountText(t, totalUt), strong: true },
  ];
}
