// The last check of a contact request before it is signed.

import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { RequestContactIntent } from "#shared/keyring/intents/intents.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "../person.module.css";

export interface ReviewRequestProps {
  readonly intent: RequestContactIntent;
  readonly onCancel: () => void;
  readonly onSent: (publicKey: PublicKeyHex) => void;
}

/** The sheet, open while it is shown. */
export function ReviewRequest(props: ReviewRequestProps): ReactElement {
  const { intent, onCancel, onSent } = props;
  const { to, amountUt, intro } = intent;
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const name = useLabelOf(to);
  const send = useSendIntent();
  const request = useMutation({ mutationFn: () => send(intent), onSuccess: () => onSent(to) });
  const rows: readonly KeyValueRow[] = [
    { label: t("common.address"), value: formatAddress(to), mono: true },
    { label: t("transactions.amount"), value: amountText(t, amountUt) },
    { label: t("transactions.fee"), value: amountText(t, leastFeeUt) },
    { label: t("contacts.total"), value: amountText(t, amountUt + leastFeeUt), strong: true },
  ];
  return (
    <ConfirmSheet
      open
      title={t("contacts.reviewTitle")}
      sentence={t("contacts.reviewSentence", { name, amount: amountText(t, amountUt) })}
      rows={rows}
      confirmLabel={t("contacts.send")}
      busy={request.isPending}
      error={request.error}
      onCancel={onCancel}
      onConfirm={(): void => request.mutate()}
    >
      {intro !== undefined && (
        <p className={styles.intro} dir="auto">
          {intro}
        </p>
      )}
      <p className={shared.hint}>{t("contacts.reviewPublic")}</p>
    </ConfirmSheet>
  );
}
