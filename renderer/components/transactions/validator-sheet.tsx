// Asking to become a validator, approving another key, leaving: what it means and costs. One sheet for explorer and node.
import type { ReactElement } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { IntentSheet } from "./intent-sheet.tsx";

export interface ValidatorSheetProps {
  readonly action: "add" | "remove";
  readonly publicKey: PublicKeyHex;
  readonly onClose: () => void;
}

/** The sheet, open while it is shown. */
export function ValidatorSheet({ action, publicKey, onClose }: ValidatorSheetProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const name = useLabelOf(publicKey);
  const who = publicKey === masterPub ? "self" : "other";
  return (
    <IntentSheet
      intent={{ kind: action === "add" ? "addValidator" : "removeValidator", validator: publicKey }}
      title={t(`transactions.validator.${action}.${who}.title`, { name })}
      sentence={t(`transactions.validator.${action}.${who}.text`, { name })}
      rows={[{ label: t("common.address"), value: formatAddress(publicKey), mono: true }]}
      confirmLabel={t(`transactions.validator.${action}.${who}.action`)}
      danger={action === "remove"}
      onClose={onClose}
    />
  );
}
