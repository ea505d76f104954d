// What the chain says about a payment that a message speaks of.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import styles from "./bubble.module.css";

/** Props of {@link PaymentState}. */
export interface PaymentStateProps {
  readonly txId: string;
  readonly amountUt: AmountUt;
  /** The other person. */
  readonly peer: PublicKeyHex;
  /** `out`: one paid oneself. */
  readonly direction: "in" | "out";
}

const AGAIN_MS = 3_000;

/** In a block, not there yet, or not what the message says. A transaction that is not on the chain yet is looked for again. */
export function PaymentState({ txId, amountUt, peer, direction }: PaymentStateProps): ReactElement {
  const t = useMessages();
  const queries = useNodeQueries();
  const { masterPub } = useAccount();
  const { data, error } = useQuery({
    ...queries.transaction(txId),
    refetchInterval: ({ state }) => (state.data === undefined ? AGAIN_MS : false),
  });
  if (data === undefined) {
    const isUnknown = isCodedError(error, "NOT_FOUND");
    return <p role="status">{isUnknown ? t("inbox.paymentWaiting") : t("inbox.paymentUnknown")}</p>;
  }
  const [payer, payee] = direction === "out" ? [masterPub, peer] : [peer, masterPub];
  const isSame = data.type === "TRANSFER" && data.from === payer && data.to === payee && data.amount_ut === amountUt;
  if (!isSame) return <p className={styles.wrong}>{t("inbox.paymentOther")}</p>;
  return (
    <p role="status">
      <Link className={styles.link} to="/explorer/tx/$id" params={{ id: txId }}>
        {t("inbox.paymentInBlock", { height: String(data.block_index) })}
      </Link>
    </p>
  );
}
