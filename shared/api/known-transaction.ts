// What a node knows of a transaction: in a block, or waiting for one.
import type { Output } from "./api.ts";
import type { NodeClient } from "./client.ts";
import type { TransactionDetail } from "./schemas/chain.ts";

/** True when a block holds it; else it waits for one. */
export function isInBlock(tx: Output<"getTransaction">): tx is TransactionDetail {
  return "block_index" in tx;
}

/** The transaction of a block; undefined while it waits for one. @throws HttpError with 404 when the node does not know it */
export async function readCommitted(
  client: Pick<NodeClient, "getTransaction">,
  txid: string,
  call?: Parameters<NodeClient["getTransaction"]>[1],
): Promise<TransactionDetail | undefined> {
  const tx = await client.getTransaction({ txid }, call);
  return isInBlock(tx) ? tx : undefined;
}
