// Transfers and reads against a node of ours, in the form that the load generators take.
import { type BenchAccount, createAccount, signedTransfer } from "./accounts.ts";
import type { Blast } from "./blast.ts";
import { type HttpResponse, httpRequest } from "./raw-http.ts";

/** Who pays whom on which node. */
export interface ParleyTransfers {
  readonly port: number;
  readonly chainId: string;
  /** Senders, each of which pays in turn. */
  readonly senders: readonly BenchAccount[];
  /** Recipients, each of which is paid in turn; one fresh account by default. */
  readonly recipients?: readonly string[];
  readonly total: number;
  readonly connections: number;
}

/** Pre-signed transfers of one µT. */
export function parleyBlast(transfers: ParleyTransfers): Blast {
  const { port, chainId, senders, total, connections, recipients = [createAccount().publicKey] } = transfers;
  const submissions: Buffer[][] = Array.from({ length: connections }, () => []);
  const lastIds: string[] = [];
  for (let i = 0; i < total; i += 1) {
    const tx = signedTransfer(senders[i % senders.length] as BenchAccount, { to: recipients[i % recipients.length] as string, chainId });
    submissions[i % connections]?.push(httpRequest("POST", "/api/tx", JSON.stringify(tx)));
    lastIds[i % connections] = tx.id;
  }
  return {
    port,
    submissions,
    outcome: submissionOutcome,
    requests: lastIds.map((id) => httpRequest("GET", `/api/tx/${id}`)),
    // One that waits for a block is found too.
    isFinal: ({ status, body }) => status === 200 && !body.includes('"status":"pending"'),
  };
}

/** A full pool is asked again. @throws Error for every other refusal. */
export function submissionOutcome({ status, body }: HttpResponse): "taken" | "later" {
  if (status === 200) return "taken";
  if (/pool of pending transactions is full|pending transactions: wait/.test(body)) return "later";
  throw new Error(`The node refused a transfer: ${status} ${body}`);
}
