// Sending a token: whom, how much, one last check.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import type { ReactElement } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import type { SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type TokenHolding, useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type TokenTransfer, TokenTransferForm } from "./token-transfer-form.tsx";

/** The dialog, open as long as its route is. */
export function TokenSendDialog(): ReactElement {
  const { id } = useParams({ from: "/shell/wallet/tokens/$id" });
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const { data, error, refetch } = useQuery(useNetworkQueries().holdings(masterPub));
  const holding = data?.find(({ token }) => token.token_id === id);
  const close = (): void => void navigate({ to: "/wallet" });
  return (
    <Dialog open keepOpen onOpenChange={close} title={t("wallet.sendToken", { name: holding?.token.name ?? id })}>
      {data === undefined && error === null && <SkeletonRows count={2} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} />}
      {data !== undefined && holding === undefined && (
        <EmptyState icon={Coins} title={t("wallet.noSuchToken")} text={t("wallet.noSuchTokenText")} />
      )}
      {holding !== undefined && <TokenForm holding={holding} onClose={close} />}
    </Dialog>
  );
}

function TokenForm({ holding, onClose }: { readonly holding: TokenHolding; readonly onClose: () => void }): ReactElement {
  const { token, balance } = holding;
  const t = useMessages();
  return (
    <TokenTransferForm
      token={token}
      max={{ units: balance, problem: t("wallet.tokenTooMuch") }}
      review={(transfer, ends): ReactElement => <TokenReview token={token} transfer={transfer} ends={ends} />}
      onDone={onClose}
    />
  );
}

interface TokenReviewProps {
  readonly token: Token;
  readonly transfer: TokenTransfer;
  readonly ends: SheetEnds;
}

function TokenReview({ token, transfer: { to, units }, ends }: TokenReviewProps): ReactElement {
  const t = useMessages();
  const person = useLabelOf(to);
  return (
    <CallSheet
      call={{ contractId: token.contract_id, method: "transfer", args: [token.token_id, to, units] }}
      title={t("wallet.sendTokenTitle")}
      sentence={t("wallet.sendTokenSentence", { amount: tokenAmountText(t, units, token), person })}
      rows={[
        { label: t("common.address"), value: formatAddress(to), mono: true },
        { label: t("wallet.tokenLabel"), value: <TokenAmount units={units} token={token} /> },
      ]}
      confirmLabel={t("wallet.signAndSend")}
      {...ends}
    />
  );
}
