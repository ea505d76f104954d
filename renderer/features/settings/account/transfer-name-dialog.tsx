// Giving one's username to a person who has none.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import styles from "../settings.module.css";

export interface TransferNameDialogProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function TransferNameDialog({ name, onClose }: TransferNameDialogProps): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  const [isReviewing, setReviewing] = useState(false);
  const { data: theirs } = useQuery({ ...useNetworkQueries().username(to ?? ""), enabled: to !== undefined });
  const isReady = to !== undefined && theirs === null;
  return (
    <Dialog
      open
      keepOpen
      onOpenChange={onClose}
      title={t("settings.transferNameTitle", { name })}
      description={t("settings.transferNameText")}
    >
      <form
        className={shared.stack4}
        onSubmit={(event): void => {
          event.preventDefault();
          if (isReady) setReviewing(true);
        }}
      >
        <RecipientForm onChosen={setTo} />
        {to !== undefined && typeof theirs === "string" && <Banner tone="warning">{t("settings.theyHaveName", { name: theirs })}</Banner>}
        <footer className={styles.footer}>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {isReviewing && to !== undefined && <Review name={name} to={to} onBack={(): void => setReviewing(false)} onSent={onClose} />}
    </Dialog>
  );
}

interface ReviewProps {
  readonly name: string;
  readonly to: PublicKeyHex;
  readonly onBack: () => void;
  readonly onSent: () => void;
}

function Review({ name, to, onBack, onSent }: ReviewProps): ReactElement {
  const t = useMessages();
  const person = useLabelOf(to);
  return (
    <CallSheet
      danger
      call={{ contractId: nativeContractId("username_registry"), method: "transfer", args: [name, to] }}
      title={t("settings.transferNameTitle", { name })}
      sentence={t("settings.transferNameSentence", { name, person })}
      rows={[{ label: t("common.address"), value: formatAddress(to), mono: true }]}
      confirmLabel={t("settings.signAndTransfer")}
      onClose={onBack}
      onSent={onSent}
    />
  );
}
