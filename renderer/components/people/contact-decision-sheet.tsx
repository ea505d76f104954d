// Accepting, unblocking or blocking a person: what it does, what it costs, and that it is public. One sheet for every view.

import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ConfirmSheet } from "../overlays/confirm-sheet.tsx";

/** What can be decided about a person. */
export type ContactDecision = "accept" | "unblock" | "block";

const DONE: Readonly<Record<ContactDecision, PlainMessageKey>> = {
  accept: "contacts.acceptSent",
  unblock: "contacts.unblockSent",
  block: "contacts.blockSent",
};

export interface ContactDecisionSheetProps {
  readonly decision: ContactDecision;
  readonly publicKey: PublicKeyHex;
  readonly onClose: () => void;
}

/** The sheet, open while it is shown. */
export function ContactDecisionSheet(props: ContactDecisionSheetProps): ReactElement {
  const { decision, publicKey, onClose } = props;
  const leastFeeUt = useLeastFee();
  const t = useMessages();
  const send = useSendIntent();
  const name = useLabelOf(publicKey);
  const decide = useMutation({
    mutationFn: () => send({ kind: decision === "block" ? "blockContact" : "acceptContact", requester: publicKey }),
    onSuccess: () => {
      announce(t(DONE[decision]));
      onClose();
    },
  });
  return (
    <ConfirmSheet
      open
      danger={decision === "block"}
      title={t(`contacts.${decision}Title`, { name })}
      sentence={t(`contacts.${decision}Sentence`, { name })}
      rows={[
        { label: t("common.address"), value: formatAddress(publicKey), mono: true },
        { label: t("transactions.fee"), value: amountText(t, leastFeeUt) },
        { label: t("contacts.publicLabel"), value: t("contacts.publicStep") },
      ]}
      confirmLabel={t(`contacts.${decision}`)}
      busy={decide.isPending}
      error={decide.error}
      onCancel={onClose}
      onConfirm={(): void => decide.mutate()}
    />
  );
}
