// What the chain says about a payment that a message speaks of.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
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

/**
 * Not answered yet, not on the chain yet, not what the message says, named by an earlier message already, refused by its block, or in a
 * block.
 */
export type PaymentOnChain =
  | { readonly kind: "checking" | "waiting" | "different" | "repeated" | "failed" }
  | { readonly kind: "inBlock"; readonly height: number };

const AGAIN_MS = 3_000;

/** Compares a payment with the chain. A transaction that is not on the chain yet is looked for again. */
export function usePaymentOnChain(stated: StatedPayment): PaymentOnChain {
  const queries = useNodeQueries();
  const { masterPub } = useAccount();
  const { data, error } = useQuery({
    ...queries.transaction(stated.txId),
    refetchInterval: ({ state }) => (state.data === undefined ? AGAIN_MS : false),
  });
  if (data === undefined) return { kind: isCodedError(error, "NOT_FOUND") ? "waiting" : "checking" };
  return compareWithChain(stated, masterPub, data);
}

/** What the chain says of a payment that this account and another one speak of. */
export function compareWithChain(
  { amountUt, peer, direction }: StatedPayment,
  masterPub: PublicKeyHex,
  data: Pick<TransactionEntry, "type" | "from" | "to" | "amount_ut" | "status" | "block_index">,
): PaymentOnChain {
  const [payer, payee] = direction === "out" ? [masterPub, peer] : [peer, masterPub];
  const isSame = data.type === "TRANSFER" && data.from === payer && data.to === payee && data.amount_ut === amountUt;
  if (!isSame) return { kind: "different" };
  return data.status === "ok" ? { kind: "inBlock", height: data.block_index } : { kind: "failed" };
}

export interface PaymentStateProps {
  readonly txId: string;
  readonly payment: PaymentOnChain;
}

/** The line below the amount; of a payment in a block, a link to it. */
export function PaymentState({ txId, payment }: PaymentStateProps): ReactElement {
  const t = useMessages();
  if (payment.kind === "failed") return <p className={shared.strong}>{t("inbox.paymentFailed")}</p>;
  if (payment.kind === "repeated") return <p className={shared.strong}>{t("inbox.paymentRepeated")}</p>;
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
