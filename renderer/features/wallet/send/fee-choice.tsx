// What the network gets. Fuller blocks take higher fees first; on an idle network the lowest is enough.

import type { ReactElement } from "react";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import styles from "./send.module.css";

const CHOICES = { normal: MIN_FEE_UT, high: 2 * MIN_FEE_UT, highest: 10 * MIN_FEE_UT } as const;
type Choice = keyof typeof CHOICES;
const NAMES: readonly Choice[] = ["normal", "high", "highest"];

export interface FeeChoiceProps {
  readonly feeUt: AmountUt;
  readonly onChange: (feeUt: AmountUt) => void;
}

export function FeeChoice({ feeUt, onChange }: FeeChoiceProps): ReactElement {
  const t = useMessages();
  const value = NAMES.find((name) => CHOICES[name] === feeUt) ?? "normal";
  return (
    <div className={styles.fee}>
      <span className={shared.hint}>
        {t("transactions.fee")} · {amountText(t, feeUt)}
      </span>
      <SegmentedControl
        label={t("transactions.fee")}
        value={value}
        onChange={(choice): void => onChange(CHOICES[choice])}
        options={NAMES.map((name) => ({ value: name, label: t(`wallet.fee.${name}`) }))}
      />
    </div>
  );
}
