// What the chain says about a payment that a message speaks of.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { HistoryPage } from "#renderer/lib/node/account-pages.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { findOnPage } from "#renderer/lib/transactions/find-pending.ts";
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
  /** When the message was written, milliseconds since 1970. */
  readonly at: number;
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

/** How often it is looked for what no push has announced. */
const AGAIN_MS = 3_000;
/** A payment that is said to be made is asked for itself from this age on: until then it may be on its way. */
const PATIENCE_MS = 60_000;

/** Compares a payment with the chain. A transaction that is not on the chain yet is looked for again, among one's own newest ones. */
export function usePaymentOnChain(stated: StatedPayment): PaymentOnChain {
  const queries = useNodeQueries();
  const { masterPub } = useAccount();
  const now = useNow(PATIENCE_MS / 2);
  const known = useQueryClient().getQueryData<TransactionEntry>(queries.transaction(stated.txId).queryKey);
  const isRecent = known === undefined && now - stated.at < PATIENCE_MS;
  const { data: page } = useQuery({
    ...queries.newestTransactions(masterPub),
    enabled: isRecent,
    refetchInterval: ({ state }) => (isMissing(state.data, stated) ? AGAIN_MS : false),
  });
  const seen = page === undefined ? undefined : findOnPage(page, stated.txId, stated.at);
  const { data, error } = useQuery({
    ...queries.transaction(stated.txId),
    enabled: !isRecent || seen?.kind === "unknown",
    refetchInterval: ({ state }) => (state.data === undefined ? PATIENCE_MS : false),
  });
  const entry = data ?? (seen?.kind === "found" ? seen.entry : undefined);
  if (entry !== undefined) return compareWithChain(stated, masterPub, entry);
  return { kind: isCodedError(error, "NOT_FOUND") || seen?.kind === "missing" ? "waiting" : "checking" };
}

function isMissing(page: HistoryPage | undefined, { txId, at }: StatedPayment): boolean {
  return page === undefined || findOnPage(page, txId, at).kind === "missing";
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
