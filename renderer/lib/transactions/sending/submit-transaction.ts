// Hands a signed transaction to the node: over the live connection where there is one, else over HTTP. The id is the hash of the
// content, so handing it over twice cannot pay twice.
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Both ways to the node. */
export interface SubmitPaths {
  readonly client: Pick<NodeClient, "submitTransaction">;
  readonly live: Pick<LiveConnection, "submit">;
}

/** Submits. @throws CodedError: the node's refusal in its own words, or UNAVAILABLE when it cannot be reached. */
export async function submitTransaction(paths: SubmitPaths, transaction: Transaction): Promise<void> {
  if (await isTakenLive(paths.live, transaction)) return;
  try {
    await paths.client.submitTransaction({ body: transaction });
  } catch (error) {
    if (!isKnownAlready(error, transaction.id)) throw error;
  }
}

/** False when the live connection could not take it, or the node refused it: HTTP then gives the reason with its code. */
async function isTakenLive(live: SubmitPaths["live"], transaction: Transaction): Promise<boolean> {
  try {
    await live.submit(transaction);
    return true;
  } catch (error) {
    if (isCodedError(error)) return false;
    throw error;
  }
}

/** An earlier try may have arrived without its response: then the node names the id as known, and that is success. */
function isKnownAlready(error: unknown, id: string): boolean {
  return (
    error instanceof HttpError && error.httpStatus === 400 && error.message.includes(id) && /\b(duplicate|already)\b/i.test(error.message)
  );
}
