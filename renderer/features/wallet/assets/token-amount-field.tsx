// An amount of a token as it is typed: exact, in the language of the person, with its symbol.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { localNumber } from "#renderer/lib/format/decimal.ts";
import { formatTokenAmount, readTokenAmount } from "#renderer/lib/format/token-amount.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Token } from "#shared/api/schemas/contracts.ts";

/** A typed amount: its units, or why it is none. Nothing typed is neither. */
export interface TypedUnits {
  readonly units: bigint | undefined;
  readonly problem: string | undefined;
}

/** Limits of an amount. */
export interface UnitsRule {
  /** Most units, and the words for more. */
  readonly max?: { readonly units: bigint; readonly problem: string };
  readonly allowsZero?: boolean;
}

/** Reads a typed amount of a token. */
export function readUnits(t: Translate, text: string, { decimals }: Pick<Token, "decimals">, rule: UnitsRule = {}): TypedUnits {
  if (text.trim() === "") return { units: undefined, problem: undefined };
  const input = readTokenAmount(text, t.locale, decimals);
  const wrong = (problem: string): TypedUnits => ({ units: undefined, problem });
  if (input.kind === "ambiguous") return wrong(t("wallet.amountAmbiguous", { small: input.small, large: input.large }));
  if (input.kind === "malformed") return wrong(t("wallet.tokenMalformed", { decimals, example: localNumber(t.locale, "0.5") }));
  if (input.units === 0n && rule.allowsZero !== true) return wrong(t("wallet.amountZero"));
  if (rule.max !== undefined && input.units > rule.max.units) return wrong(rule.max.problem);
  return { units: input.units, problem: undefined };
}

export interface TokenAmountFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly token: Pick<Token, "decimals" | "symbol">;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
  /** Fills in all of it. */
  readonly max?: bigint;
  readonly autoFocus?: boolean;
}

export function TokenAmountField(props: TokenAmountFieldProps): ReactElement {
  const { label, hint, token, value, onChange, error, max, autoFocus = false } = props;
  const t = useMessages();
  return (
    <TextField
      label={label ?? t("transactions.amount")}
      hint={hint}
      mono
      autoFocus={autoFocus}
      inputMode="decimal"
      value={value}
      onChange={onChange}
      error={error}
      affix={
        <span className={shared.row3}>
          <span className={shared.muted}>{token.symbol}</span>
          {max !== undefined && (
            <Button size="small" onClick={(): void => onChange(formatTokenAmount(t.locale, max, token.decimals))}>
              {t("wallet.max")}
            </Button>
          )}
        </span>
      }
    />
  );
}
