// Sending a token: whom, how much, one last check.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import { type ReactElement, useState } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type TokenHolding, useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import send from "../send/send.module.css";
import { readUnits, TokenAmountField } from "./token-amount-field.tsx";

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
  const [text, setText] = useState("");
  const [to, setTo] = useState<PublicKeyHex>();
  const [isReviewing, setReviewing] = useState(false);
  const { units, problem } = readUnits(t, text, token, { max: { units: balance, problem: t("wallet.tokenTooMuch") } });
  const isReady = to !== undefined && units !== undefined;
  return (
    <form
      className={shared.stack4}
      onSubmit={(event): void => {
        event.preventDefault();
        if (isReady) setReviewing(true);
      }}
    >
      <RecipientForm onChosen={setTo} />
      <TokenAmountField
        token={token}
        value={text}
        onChange={setText}
        error={problem}
        hint={t("wallet.tokenAvailable", { amount: tokenAmountText(t, balance, token) })}
        max={balance}
      />
      <footer className={send.footer}>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {t("transactions.review")}
        </Button>
      </footer>
      {isReviewing && isReady && (
        <TokenReview token={token} units={units} to={to} onBack={(): void => setReviewing(false)} onSent={onClose} />
      )}
    </form>
  );
}

interface TokenReviewProps {
  readonly token: Token;
  readonly units: bigint;
  readonly to: PublicKeyHex;
  readonly onBack: () => void;
  readonly onSent: () => void;
}

function TokenReview({ token, units, to, onBack, onSent }: TokenReviewProps): ReactElement {
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
      onClose={onBack}
      onSent={onSent}
    />
  );
}
