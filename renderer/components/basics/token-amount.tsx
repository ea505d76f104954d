// An exact amount of a token, with its symbol. Symbols are chosen by issuers: nothing keeps two tokens from having the same.
import type { ReactElement } from "react";
import { groupDigits } from "#renderer/lib/format/amount.ts";
import { decimalMark } from "#renderer/lib/format/decimal.ts";
import { formatTokenAmount } from "#renderer/lib/format/token-amount.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { Token } from "#shared/api/schemas/contracts.ts";
import styles from "./amount.module.css";

export interface TokenAmountProps {
  readonly units: bigint;
  readonly token: Pick<Token, "decimals" | "symbol">;
}

/** For example `1 250.5 GOLD`. */
export function TokenAmount({ units, token }: TokenAmountProps): ReactElement {
  const { locale } = useLanguage();
  const [whole = "0", fraction] = formatTokenAmount("en", units, token.decimals).split(".");
  const groups = groupDigits(whole).map((digits, position) => ({ digits, position }));
  return (
    <span className={styles.amount}>
      {groups.map(({ digits, position }) => (
        <span key={position} className={styles.group}>
          {digits}
        </span>
      ))}
      {fraction !== undefined && (
        <>
          {decimalMark(locale)}
          {fraction}
        </>
      )}{" "}
      <span className={styles.unit}>{token.symbol}</span>
    </span>
  );
}
