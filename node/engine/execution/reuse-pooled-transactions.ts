// Puts the pool's own objects in for equal transactions of a received block: they are checked and encoded already, and
// nothing of that is done again. Equal in every field, they make the same block.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** The same block; `find` gives the pooled transaction with an id. */
export function reusePooledTransactions(block: Block, find: (id: string) => Transaction | undefined): Block {
  let reused = 0;
  const transactions = block.transactions.map((tx) => {
    const pooled = find(tx.id);
    if (pooled === undefined || pooled === tx || !isSameTransaction(pooled, tx)) return tx;
    reused += 1;
    return pooled;
  });
  return reused === 0 ? block : { ...block, transactions };
}

/** True when two transactions are equal in every field, and so in their bytes. */
export function isSameTransaction(a: Transaction, b: Transaction): boolean {
  if (a === b) return true;
  return (
    a.signature === b.signature &&
    a.id === b.id &&
    a.type === b.type &&
    a.from === b.from &&
    a.to === b.to &&
    a.amount === b.amount &&
    a.fee === b.fee &&
    a.payload === b.payload &&
    a.timestamp === b.timestamp
  );
}
