// Giving one's username to a person who has none.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";

export interface TransferNameDialogProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function TransferNameDialog({ name, onClose }: TransferNameDialogProps): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  const { data: theirs } = useQuery({ ...useNetworkQueries().username(to ?? ""), enabled: to !== undefined });
  return (
    <ReviewDialog
      title={t("settings.transferNameTitle", { name })}
      description={t("settings.transferNameText")}
      onClose={onClose}
      draft={theirs === null ? to : undefined}
      review={(person, ends): ReactElement => <Review name={name} to={person} ends={ends} />}
    >
      <RecipientForm onChosen={setTo} />
      {to !== undefined && typeof theirs === "string" && <Banner tone="warning">{t("settings.theyHaveName", { name: theirs })}</Banner>}
    </ReviewDialog>
  );
}

interface ReviewProps {
  readonly name: string;
  readonly to: PublicKeyHex;
  readonly ends: SheetEnds;
}

function Review({ name, to, ends }: ReviewProps): ReactElement {
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
      {...ends}
    />
  );
}
