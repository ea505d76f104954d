// Sending tokens of an owner who approved it: one of the known allowances, or one that is looked up by owner and token.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import type { SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAssetId } from "#shared/protocol/primitives/asset-rules.ts";
import { type Allowance, useAllowance } from "./allowances.ts";
import { type TokenTransfer, TokenTransferForm } from "./token-transfer-form.tsx";

const DEBOUNCE_MS = 250;

export interface SpendDialogProps {
  /** Asked for by owner and token when not given. */
  readonly allowance?: Allowance;
  readonly onClose: () => void;
}

export function SpendDialog({ allowance, onClose }: SpendDialogProps): ReactElement {
  const t = useMessages();
  const [found, setFound] = useState(allowance);
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("assets.spendTitle")} description={t("assets.spendText")}>
      {found === undefined ? <FindForm onFound={setFound} /> : <SpendForm allowance={found} onClose={onClose} />}
    </Dialog>
  );
}

function FindForm({ onFound }: { readonly onFound: (allowance: Allowance) => void }): ReactElement {
  const t = useMessages();
  const { masterPub: spender } = useAccount();
  const [owner, setOwner] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const typed = text.trim();
  const id = useDebounced(typed, DEBOUNCE_MS);
  const isId = isAssetId(typed);
  const query = useQuery({ ...useNetworkQueries().token(id), enabled: isAssetId(id), retry: false });
  const token = id === typed ? query.data : undefined;
  const units = useAllowance(token === undefined || owner === undefined ? undefined : { id, owner, spender });
  const found =
    token !== undefined && owner !== undefined && units !== undefined && units > 0n ? { token, owner, spender, units } : undefined;
  const problem = (): string | undefined => {
    if (typed === "") return undefined;
    if (!isId) return t("assets.idWrong");
    if (id === typed && isCodedError(query.error, "NOT_FOUND")) return t("assets.noSuchToken", { id });
    return units === 0n ? t("assets.notApproved") : undefined;
  };
  return (
    <form
      className={shared.stack4}
      onSubmit={(event): void => {
        event.preventDefault();
        if (found !== undefined) onFound(found);
      }}
    >
      <RecipientForm label={t("assets.owner")} onChosen={setOwner} />
      <TextField label={t("assets.tokenId")} mono value={text} onChange={setText} spellCheck={false} error={problem()} />
      <footer className={shared.footer}>
        <Button type="submit" variant="primary" disabled={found === undefined}>
          {t("common.continue")}
        </Button>
      </footer>
    </form>
  );
}

function SpendForm({ allowance, onClose }: { readonly allowance: Allowance; readonly onClose: () => void }): ReactElement {
  const { token, owner, spender, units } = allowance;
  const t = useMessages();
  const allowed = useAllowance({ id: token.token_id, owner, spender }) ?? units;
  const { data: held } = useQuery(useNetworkQueries().tokenBalance(token.token_id, owner));
  const isShort = held !== undefined && held < allowed;
  return (
    <TokenTransferForm
      allowsSelf
      token={token}
      max={isShort ? { units: held, problem: t("assets.ownerHasLess") } : { units: allowed, problem: t("assets.moreThanApproved") }}
      review={(transfer, ends): ReactElement => <SpendReview allowance={allowance} transfer={transfer} ends={ends} />}
      onDone={onClose}
    >
      <KeyValueList rows={[{ label: t("assets.owner"), value: <AddressChip publicKey={owner} /> }]} />
    </TokenTransferForm>
  );
}

interface SpendReviewProps {
  readonly allowance: Allowance;
  readonly transfer: TokenTransfer;
  readonly ends: SheetEnds;
}

function SpendReview({ allowance: { token, owner }, transfer: { to, units }, ends }: SpendReviewProps): ReactElement {
  const t = useMessages();
  const [from, person] = [useLabelOf(owner), useLabelOf(to)];
  return (
    <CallSheet
      call={{ contractId: token.contract_id, method: "transfer_from", args: [token.token_id, owner, to, units] }}
      title={t("assets.spendTitle")}
      sentence={t("assets.spendSentence", { amount: tokenAmountText(t, units, token), from, person })}
      rows={[
        { label: t("assets.owner"), value: formatAddress(owner), mono: true },
        { label: t("common.to"), value: formatAddress(to), mono: true },
      ]}
      confirmLabel={t("wallet.signAndSend")}
      {...ends}
    />
  );
}
