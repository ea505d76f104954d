// Fees of setting up keys and devices in one row, which opens to its entries.
import { ChevronDown, Settings2 } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import styles from "./activity-row.module.css";

export interface SetUpRowProps {
  readonly count: number;
  readonly feesUt: AmountUt;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function SetUpRow({ count, feesUt, isOpen, onToggle }: SetUpRowProps): ReactElement {
  const t = useMessages();
  return (
    <ListRow
      expanded={isOpen}
      onClick={onToggle}
      leading={
        <span className={styles.icon}>
          <Settings2 size={17} aria-hidden="true" />
        </span>
      }
      heading={t("wallet.setUp")}
      meta={
        feesUt > 0 && (
          <span className={styles.amount}>
            <Amount amountUt={feesUt} direction="out" size="strong" />
          </span>
        )
      }
      subtitle={t("wallet.setUpCount", { count })}
      trailing={<ChevronDown size={15} aria-hidden="true" className={styles.chevron} data-open={isOpen} />}
    />
  );
}
