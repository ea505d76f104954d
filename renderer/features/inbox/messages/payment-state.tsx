// What the chain says about a payment that a message speaks of.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import styles from "./bubble.module.css";

/** A payment as a message states it. */
export interface StatedPayment {
  readonly txId: string;
  readonly amountUt: AmountUt;
  /** The other person. */
  readonly peer: PublicKeyHex;
  /** `out`: one paid oneself. */
  readonly direction: "in" | "out";
}

/** Not answered yet, not on the chain yet, not what the message says, or in a block. */
export type PaymentOnChain =
  | { readonly kind: "checking" | "waiting" | "different" }
  | { readonly kind: "inBlock"; readonly height: number };

const AGAIN_MS = 3_000;

/** Compares a payment with the chain. A transaction that is not on the chain yet is looked for again. */
export function usePaymentOnChain({ txId, amountUt, peer, direction }: StatedPayment): PaymentOnChain {
  const queries = useNodeQueries();
  const { masterPub } = useAccount();
  const { data, error } = useQuery({
    ...queries.transaction(txId),
    refetchInterval: ({ state }) => (state.data === undefined ? AGAIN_MS : false),
  });
  if (data === undefined) return { kind: isCodedError(error, "NOT_FOUND") ? "waiting" : "checking" };
  const [payer, payee] = direction === "out" ? [masterPub, peer] : [peer, masterPub];
  const isSame = data.type === "TRANSFER" && data.from === payer && data.to === payee && data.amount_ut === amountUt;
  return isSame ? { kind: "inBlock", height: data.block_index } : { kind: "different" };
}

export interface PaymentStateProps {
  readonly txId: string;
  readonly payment: PaymentOnChain;
}

/** The line below the amount; of a payment in a block, a link to it. */
export function PaymentState({ txId, payment }: PaymentStateProps): ReactElement {
  const t = useMessages();
  if (payment.kind === "different") return <p className={shared.strong}>{t("inbox.paymentOther")}</p>;
  if (payment.kind !== "inBlock")
    return <p role="status">{t(payment.kind === "waiting" ? "inbox.paymentWaiting" : "inbox.paymentUnknown")}</p>;
  return (
    <p role="status">
      <Link className={styles.link} to="/explorer/tx/$id" params={{ id: txId }}>
        {t("transactions.inBlock", { height: String(payment.height) })}
      </Link>
    </p>
  );
}
