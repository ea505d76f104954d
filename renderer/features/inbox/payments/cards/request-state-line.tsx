// The line of a request that says what has become of it.

import { Link } from "@tanstack/react-router";
import { Ban, CalendarClock, Check, CircleX, Clock, Hourglass } from "lucide-react";
import type { ReactElement } from "react";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { RequestState } from "../request-state.ts";
import styles from "./card.module.css";
import { WaitsUntil } from "./waits-until.tsx";

export interface RequestStateLineProps {
  readonly state: RequestState;
  /** One's own request. */
  readonly isOwn: boolean;
  /** The other person. */
  readonly name: string;
}

/** Icon and words; of a payment in a block, a link to it. */
export function RequestStateLine({ state, isOwn, name }: RequestStateLineProps): ReactElement {
  const t = useMessages();
  switch (state.kind) {
    case "paid":
      return (
        <p className={styles.state} data-tone="good" role="status">
          <Check size={15} aria-hidden="true" />
          <span>
            <strong>{t("payments.paidAmount", { amount: amountText(t, state.amountUt) })}</strong>
            {" · "}
            <Link className={styles.link} to="/explorer/tx/$id" params={{ id: state.txId }}>
              {t("transactions.inBlock", { height: String(state.height) })}
            </Link>
            {state.count > 1 && ` · ${t("payments.paidTimes", { count: state.count })}`}
          </span>
        </p>
      );
    case "paying":
      return (
        <p className={styles.state} role="status">
          <Hourglass size={15} aria-hidden="true" />
          <span>{isOwn ? t("payments.saysPaid", { name }) : t("payments.paying")}</span>
        </p>
      );
    case "waits":
      return (
        <p className={styles.state} role="status">
          <Hourglass size={15} aria-hidden="true" />
          <span>
            <WaitsUntil payment={state.payment} />
          </span>
        </p>
      );
    case "cancelled":
    case "declined":
      return (
        <p className={styles.state} role="status">
          {state.kind === "cancelled" ? <Ban size={15} aria-hidden="true" /> : <CircleX size={15} aria-hidden="true" />}
          <span>{t(`payments.${state.kind}`)}</span>
        </p>
      );
    case "overdue":
      return (
        <p className={styles.state} data-tone="late" role="status">
          <CalendarClock size={15} aria-hidden="true" />
          <span>{state.hasFailed ? t("payments.lastFailed") : t("payments.overdue")}</span>
        </p>
      );
    case "open":
      return (
        <p className={styles.state} data-tone={state.hasFailed ? "bad" : undefined} role="status">
          <Clock size={15} aria-hidden="true" />
          <span>{t(state.hasFailed ? "payments.lastFailed" : "payments.requested")}</span>
        </p>
      );
  }
}
