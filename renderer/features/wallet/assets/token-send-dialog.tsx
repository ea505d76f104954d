// Sending a token: whom, how much, one last check.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import { type ReactElement, useState } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { formatTokenAmount, readTokenAmount } from "#renderer/lib/format/token-amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type TokenHolding, useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import send from "../send/send.module.css";
import { RecipientForm } from "./recipient-form.tsx";

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
  const input = readTokenAmount(text, t.locale, token.decimals);
  const units = input.kind === "ok" ? input.units : undefined;
  const problem = amountProblem();
  const isReady = to !== undefined && units !== undefined && units > 0n && units <= balance;
  return (
    <form
      className={shared.stack4}
      onSubmit={(event): void => {
        event.preventDefault();
        if (isReady) setReviewing(true);
      }}
    >
      <RecipientForm onChosen={setTo} />
      <TextField
        label={t("transactions.amount")}
        mono
        inputMode="decimal"
        value={text}
        onChange={setText}
        error={problem}
        hint={t("wallet.tokenAvailable", { amount: `${formatTokenAmount(t.locale, balance, token.decimals)} ${token.symbol}` })}
        affix={
          <Button size="small" onClick={(): void => setText(formatTokenAmount(t.locale, balance, token.decimals))}>
            {t("wallet.max")}
          </Button>
        }
      />
      <footer className={send.footer}>
        <Button type="submit" variant="primary" disabled={!isReady}>
          {t("transactions.review")}
        </Button>
      </footer>
      {isReviewing && isReady && (
        <TokenReview holding={holding} units={units} to={to} onBack={(): void => setReviewing(false)} onSent={onClose} />
      )}
    </form>
  );

  function amountProblem(): string | undefined {
    if (text === "") return undefined;
    if (input.kind === "ambiguous") return t("wallet.amountAmbiguous", { small: input.small, large: input.large });
    if (units === undefined) return t("wallet.tokenMalformed", { decimals: token.decimals });
    return units > balance ? t("wallet.tokenTooMuch") : undefined;
  }
}

interface TokenReviewProps {
  readonly holding: TokenHolding;
  readonly units: bigint;
  readonly to: PublicKeyHex;
  readonly onBack: () => void;
  readonly onSent: () => void;
}

function TokenReview({ holding: { token }, units, to, onBack, onSent }: TokenReviewProps): ReactElement {
  const t = useMessages();
  const name = useLabelOf(to);
  return (
    <IntentSheet
      intent={{
        kind: "callContract",
        contractId: token.contract_id,
        method: "transfer",
        argsJson: `[${JSON.stringify(token.token_id)},${JSON.stringify(to)},${units}]`,
        amountUt: 0,
        gasLimit: DEFAULT_GAS_LIMIT,
      }}
      title={t("wallet.sendTokenTitle")}
      sentence={t("wallet.sendTokenSentence", {
        amount: `${formatTokenAmount(t.locale, units, token.decimals)} ${token.symbol}`,
        person: name,
      })}
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
