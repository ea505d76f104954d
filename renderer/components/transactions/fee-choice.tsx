// What the network gets, and what more of it would buy now: full blocks take higher fees first, else the lowest is enough.

import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { durationInWords } from "#renderer/lib/format/duration.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { FEE_LEVELS, type FeeLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { blocksAhead, expectedWaitMs } from "#renderer/lib/transactions/sending/fee-wait.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_BLOCK_BYTES, MAX_BLOCK_TXS } from "#shared/protocol/primitives/limits.ts";
import { SegmentedControl } from "../controls/segmented-control.tsx";
import styles from "./payment-review.module.css";

/** How often the node is asked what waits: no push says so. */
const REFRESH_MS = 5_000;
/** What is taken while the parameters are unread, ms. */
const DEFAULT_INTERVAL_MS = 1_000;
const SECOND_MS = 1_000;
/** From here on minutes say it better. */
const LONG_MS = 90_000;

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
      <Wait isLowest={level === "normal"} />
    </div>
  );
}

/** Nothing while the node does not follow the chain: then it knows nothing of what waits. */
function Wait({ isLowest }: { readonly isLowest: boolean }): ReactElement | null {
  const t = useMessages();
  const { data: status } = useQuery({ ...useNodeQueries().status(), refetchInterval: REFRESH_MS });
  const { data: parameters } = useQuery(useNetworkQueries().parameters());
  if (status?.sync.state !== "live") return null;
  const { max_block_txs: transactions = MAX_BLOCK_TXS, max_block_bytes: bytes = MAX_BLOCK_BYTES } = parameters?.params ?? {};
  const intervalMs = parameters?.params.min_block_interval_ms ?? DEFAULT_INTERVAL_MS;
  const ahead = blocksAhead(status.pending_txs, { transactions, bytes });
  const timeOf = (blocks: number): string => waitInWords(t, expectedWaitMs(blocks, intervalMs));
  return (
    <p className={classNames(shared.hint, styles.wait)}>
      {ahead === 0
        ? t("transactions.feeNoWait", { time: timeOf(0) })
        : isLowest
          ? t("transactions.feeWait", { count: ahead, time: timeOf(ahead) })
          : t("transactions.feeAhead", { time: timeOf(0) })}
    </p>
  );
}

/** Seconds while these say it well. */
function waitInWords(t: Translate, ms: number): string {
  return ms < LONG_MS ? t("common.time.seconds", { count: Math.ceil(ms / SECOND_MS) }) : durationInWords(t, ms);
}
