// Letting a person send tokens of one's own, up to an amount; 0 takes that back.
import { type ReactElement, useState } from "react";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog } from "#renderer/components/transactions/review-form.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useAllowance } from "./allowances.ts";
import { readUnits, TokenAmountField } from "./token-amount-field.tsx";

export interface ApproveDialogProps {
  readonly token: Token;
  readonly onClose: () => void;
}

export function ApproveDialog({ token, onClose }: ApproveDialogProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [spender, setSpender] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const before = useAllowance(spender === undefined ? undefined : { id: token.token_id, owner: masterPub, spender });
  const { units, problem } = readUnits(t, text, token, { allowsZero: true });
  return (
    <ReviewDialog
      title={t("assets.approveTitle", { name: token.name })}
      description={t("assets.approveText")}
      onClose={onClose}
      draft={spender !== undefined && units !== undefined ? { spender, units } : undefined}
      review={(draft, ends): ReactElement => <ApproveSheet token={token} {...draft} {...ends} />}
    >
      <RecipientForm label={t("assets.spender")} onChosen={setSpender} />
      <TokenAmountField
        label={t("assets.atMost")}
        token={token}
        value={text}
        onChange={setText}
        error={problem}
        hint={
          before === undefined || before === 0n
            ? t("assets.atMostHint")
            : t("assets.approvedNow", { amount: tokenAmountText(t, before, token) })
        }
      />
    </ReviewDialog>
  );
}

export interface ApproveSheetProps {
  readonly token: Token;
  readonly spender: PublicKeyHex;
  /** 0 takes the allowance back. */
  readonly units: bigint;
  readonly onClose: () => void;
  readonly onSent?: () => void;
}

/** The last check of an allowance. */
export function ApproveSheet({ token, spender, units, onClose, onSent }: ApproveSheetProps): ReactElement {
  const t = useMessages();
  const person = useLabelOf(spender);
  const amount = tokenAmountText(t, units, token);
  return (
    <CallSheet
      call={{ contractId: token.contract_id, method: "approve", args: [token.token_id, spender, units] }}
      title={t(units === 0n ? "assets.revokeTitle" : "assets.approveReview")}
      sentence={units === 0n ? t("assets.revokeSentence", { person, name: token.name }) : t("assets.approveSentence", { person, amount })}
      rows={[{ label: t("common.address"), value: formatAddress(spender), mono: true }]}
      confirmLabel={t(units === 0n ? "assets.signAndRevoke" : "assets.signAndApprove")}
      onClose={onClose}
      {...(onSent !== undefined && { onSent })}
    />
  );
}
