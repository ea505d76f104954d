// To whom tokens go and how many: of one's own, or of an owner who allowed it.
import { type ReactElement, type ReactNode, useState } from "react";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { ReviewForm, type ReviewFormProps } from "#renderer/components/transactions/review-form.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Token } from "#shared/api/schemas/contracts.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { readUnits, TokenAmountField, type UnitsRule } from "./token-amount-field.tsx";

/** What is to be sent. */
export interface TokenTransfer {
  readonly to: PublicKeyHex;
  readonly units: bigint;
}

export interface TokenTransferFormProps extends Pick<ReviewFormProps<TokenTransfer>, "review" | "onDone"> {
  readonly token: Token;
  /** The most that can be sent, and the words for more. */
  readonly max: NonNullable<UnitsRule["max"]>;
  readonly allowsSelf?: boolean;
  /** What stands above the fields. */
  readonly children?: ReactNode;
}

export function TokenTransferForm({ token, max, allowsSelf = false, children, ...form }: TokenTransferFormProps): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const [to, setTo] = useState<PublicKeyHex>();
  const { units, problem } = readUnits(t, text, token, { max });
  return (
    <ReviewForm {...form} draft={to !== undefined && units !== undefined ? { to, units } : undefined}>
      {children}
      <RecipientForm allowsSelf={allowsSelf} onChosen={setTo} />
      <TokenAmountField
        token={token}
        value={text}
        onChange={setText}
        error={problem}
        hint={t("wallet.tokenAvailable", { amount: tokenAmountText(t, max.units, token) })}
        max={max.units}
      />
    </ReviewForm>
  );
}
