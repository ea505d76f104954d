// Hands a signed transaction to the node: over the live connection where there is one, else over HTTP. The id is the hash of the
// content, so handing it over twice cannot pay twice.
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { NodeFrame } from "#shared/api/socket/frames.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Status of an acknowledgement that means yes. */
const ACCEPTED = "accepted";

/** Both ways to the node. */
export interface SubmitPaths {
  readonly client: Pick<NodeClient, "submitTransaction">;
  readonly live: Pick<LiveConnection, "submit">;
}

/** Submits. @throws CodedError: the node's refusal in its own words, or UNAVAILABLE when it cannot be reached. */
export async function submitTransaction(paths: SubmitPaths, transaction: Transaction): Promise<void> {
  const ack = await submitLive(paths.live, transaction);
  if (ack?.status === ACCEPTED) return;
  try {
    await paths.client.submitTransaction({ body: transaction });
  } catch (error) {
    if (!isKnownAlready(error, transaction.id)) throw error;
  }
}

/** The acknowledgement, or undefined when the live connection could not take it. */
async function submitLive(live: SubmitPaths["live"], transaction: Transaction): Promise<NodeFrame<"submit_ack"> | undefined> {
  try {
    return await live.submit(transaction);
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}

/** An earlier try may have arrived without its response: then the node names the id as known, and that is success. */
function isKnownAlready(error: unknown, id: string): boolean {
  return (
    error instanceof HttpError && error.httpStatus === 400 && error.message.includes(id) && /\b(duplicate|already)\b/i.test(error.message)
  );
}
