// What the network gets. Fuller blocks take higher fees first; on an idle network the lowest is enough.

import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { FEE_LEVELS, type FeeLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { SegmentedControl } from "../controls/segmented-control.tsx";
import styles from "./payment-review.module.css";

export interface FeeChoiceProps {
  readonly level: FeeLevel;
  /** What it comes to. */
  readonly feeUt: AmountUt;
  readonly onChange: (level: FeeLevel) => void;
}

export function FeeChoice({ level, feeUt, onChange }: FeeChoiceProps): ReactElement {
  const t = useMessages();
  return (
    <div className={styles.fee}>
      <span className={shared.hint}>
        {t("transactions.fee")} · {amountText(t, feeUt)}
      </span>
      <SegmentedControl
        label={t("transactions.fee")}
        value={level}
        onChange={onChange}
        options={FEE_LEVELS.map((name) => ({ value: name, label: t(`wallet.fee.${name}`) }))}
      />
    </div>
  );
}
