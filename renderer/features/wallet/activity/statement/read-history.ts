// Reads all that a node has of an account, as of one moment: entries that come meanwhile make it read again.
import type { NodeClient } from "#shared/api/client.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { WholeHistory } from "./make-statement.ts";

/** Largest page that the node gives. */
const PAGE = 1_000;
/** An account that takes part in every block may change during each reading. */
const MOST_READINGS = 3;

/** @throws CodedError BUSY while the history keeps changing */
export async function readWholeHistory(client: Pick<NodeClient, "getAddress">, account: PublicKeyHex): Promise<WholeHistory> {
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    const byId = new Map<string, TransactionEntry>();
    let count: number | undefined;
    for (let offset = 0; ; offset += PAGE) {
      const page = await client.getAddress({ addr: account, limit: PAGE, offset });
      for (const entry of page.transactions) byId.set(`${entry.block_index}:${entry.id}`, entry);
      if (page.tx_count !== (count ?? page.tx_count)) break;
      count = page.tx_count;
      if (page.has_more) continue;
      return { account, balanceUt: page.balance_ut, entries: [...byId.values()], missingBelow: page.missing_below };
    }
  }
  throw new CodedError("BUSY", "The history changed while it was read: try again");
}
