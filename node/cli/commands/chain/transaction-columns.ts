// How lists show transactions.
import type { Output } from "#shared/api/api.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";
import type { Column } from "../../session/printing/table.ts";

type Transaction = Output<"listRecentTransactions">[number];

/** Columns of a list about no account of its own. */
export const TRANSACTION_COLUMNS: readonly Column<Transaction>[] = [
  { head: "TIME", cell: ({ time }) => time },
  { head: "BLOCK", cell: ({ block_index }) => String(block_index), isNumber: true },
  { head: "TYPE", cell: ({ type }) => type },
  { head: "AMOUNT", cell: ({ amount }) => amount, isNumber: true },
  { head: "STATUS", cell: ({ status }) => status },
  { head: "FROM", cell: ({ from_addr }) => from_addr },
  { head: "TO", cell: ({ to_addr }) => to_addr },
  { head: "TRANSACTION", cell: ({ id }) => id },
];

/** Wallet address of a key; nothing for none. */
export function addressOf(publicKey: string): string {
  return isHex(publicKey, 32) ? formatAddress(publicKey) : "";
}
