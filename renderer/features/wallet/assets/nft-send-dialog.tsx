// Giving an NFT to a person.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewForm, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Nft } from "#shared/api/schemas/contracts.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The dialog, open as long as its route is. */
export function NftSendDialog(): ReactElement {
  const { id } = useParams({ from: "/shell/wallet/nfts/$id" });
  const t = useMessages();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(useNetworkQueries().nft(id));
  const close = (): void => void navigate({ to: "/wallet" });
  return (
    <Dialog open keepOpen onOpenChange={close} title={t("wallet.giveNft", { name: data?.name ?? id })}>
      {data === undefined && error === null && <SkeletonRows count={2} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} />}
      {data !== undefined && <NftForm nft={data} onClose={close} />}
    </Dialog>
  );
}

function NftForm({ nft, onClose }: { readonly nft: Nft; readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  return (
    <ReviewForm
      draft={to}
      beside={
        <ButtonLink to="/explorer/nft/$id" params={{ id: nft.nft_id }}>
          {t("common.openInExplorer")}
        </ButtonLink>
      }
      review={(person, ends): ReactElement => <NftReview nft={nft} to={person} ends={ends} />}
      onDone={onClose}
    >
      <KeyValueList rows={[{ label: t("explorer.nftId"), value: nft.nft_id, mono: true }]} />
      <RecipientForm onChosen={setTo} />
    </ReviewForm>
  );
}

interface NftReviewProps {
  readonly nft: Nft;
  readonly to: PublicKeyHex;
  readonly ends: SheetEnds;
}

function NftReview({ nft, to, ends }: NftReviewProps): ReactElement {
  const t = useMessages();
  const name = useLabelOf(to);
  return (
    <CallSheet
      call={{ contractId: nft.contract_id, method: "transfer", args: [nft.nft_id, to] }}
      title={t("wallet.giveNftTitle")}
      sentence={t("wallet.giveNftSentence", { name: nft.name, person: name })}
      rows={[{ label: t("common.address"), value: formatAddress(to), mono: true }]}
      confirmLabel={t("wallet.signAndSend")}
      {...ends}
    />
  );
}
