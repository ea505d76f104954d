// What the chain says about payments that messages speak of.
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import type { HistoryPage } from "#renderer/lib/node/account-pages.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { findOnPage } from "#renderer/lib/transactions/find-pending.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

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
  /** Who pays whom, where neither need be this account. */
  readonly parties?: readonly [payer: PublicKeyHex, payee: PublicKeyHex];
  /** More than the amount will do. */
  readonly isAtLeast?: boolean;
  /** When the request was written that it is to answer, milliseconds since 1970: an older payment answers nothing. */
  readonly since?: number;
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
/** Clocks of author and chain may differ by so much. */
const SKEW_MS = 600_000;

/** Compares payments with the chain. One that is not on the chain yet is looked for again, among one's own newest ones. */
export function usePaymentsOnChain(stated: readonly StatedPayment[]): readonly PaymentOnChain[] {
  const queries = useNodeQueries();
  const cache = useQueryClient();
  const { masterPub } = useAccount();
  const now = useNow(PATIENCE_MS / 2);
  // Payments between others are not among one's own.
  const isRecent = ({ txId, at, parties }: StatedPayment): boolean =>
    parties?.includes(masterPub) !== false &&
    cache.getQueryData<TransactionEntry>(queries.transaction(txId).queryKey) === undefined &&
    now - at < PATIENCE_MS;
  const recent = stated.filter(isRecent);
  const { data: page } = useQuery({
    ...queries.newestTransactions(masterPub),
    enabled: recent.length > 0,
    refetchInterval: ({ state }) => (recent.some((payment) => isMissing(state.data, payment)) ? AGAIN_MS : false),
  });
  const seen = stated.map(({ txId, at }) => (page === undefined ? undefined : findOnPage(page, txId, at)));
  const answers = useQueries({
    queries: stated.map((payment, index) => ({
      ...queries.transaction(payment.txId),
      enabled: !isRecent(payment) || seen[index]?.kind === "unknown",
      refetchInterval: (query: { readonly state: { readonly data: unknown } }): number | false =>
        query.state.data === undefined ? (isBetweenOthers(payment, masterPub) ? AGAIN_MS * 2 : PATIENCE_MS) : false,
    })),
  });
  return stated.map((payment, index) => {
    const found = seen[index];
    const { data, error } = answers[index] ?? {};
    const entry = data ?? (found?.kind === "found" ? found.entry : undefined);
    if (entry !== undefined) return compareWithChain(payment, masterPub, entry);
    return { kind: isCodedError(error, "NOT_FOUND") || found?.kind === "missing" ? "waiting" : "checking" };
  });
}

function isBetweenOthers({ parties, at }: StatedPayment, me: PublicKeyHex): boolean {
  return parties?.includes(me) === false && Date.now() - at < PATIENCE_MS;
}

function isMissing(page: HistoryPage | undefined, { txId, at }: StatedPayment): boolean {
  return page === undefined || findOnPage(page, txId, at).kind === "missing";
}

/** What the chain says of a payment that this account and another one speak of. */
export function compareWithChain(
  { amountUt, peer, direction, parties, isAtLeast = false, since = 0 }: StatedPayment,
  masterPub: PublicKeyHex,
  data: Pick<TransactionEntry, "type" | "from" | "to" | "amount_ut" | "status" | "block_index" | "time">,
): PaymentOnChain {
  const [payer, payee] = parties ?? (direction === "out" ? [masterPub, peer] : [peer, masterPub]);
  const isEnough = data.amount_ut === amountUt || (isAtLeast && data.amount_ut > amountUt);
  const isSame = data.type === "TRANSFER" && data.from === payer && data.to === payee && isEnough;
  if (!isSame || Date.parse(data.time) < since - SKEW_MS) return { kind: "different" };
  return data.status === "ok" ? { kind: "inBlock", height: data.block_index } : { kind: "failed" };
}
