// Signed transfers over HTTP, each client waiting for its own until it is in a block.
import { pollUntil } from "../../support/host/poll-until.ts";
import type { RunningNode } from "../../support/nodes/start-node.ts";
import { type Percentiles, percentiles } from "../measure/statistics.ts";
import { type BenchAccount, createAccount, signedTransfer } from "./accounts.ts";
import { LiveFeed } from "./live.ts";
import { type HttpConnection, httpRequest, withConnections } from "./raw-http.ts";

/** Result of one run. */
export interface ClosedLoopResult extends Percentiles {
  readonly perSecond: number;
}

const FUNDING_UT = 100_000_000;

/** Accounts with tokens of the faucet. */
export async function fundAccounts(node: Pick<RunningNode, "client">, count: number): Promise<readonly BenchAccount[]> {
  const accounts = Array.from({ length: count }, createAccount);
  for (const account of accounts) await node.client.requestFaucet({ body: { to: account.publicKey, amount_ut: FUNDING_UT } });
  for (const account of accounts) {
    await pollUntil(async () => (await node.client.getAddress({ addr: account.publicKey, limit: 1 })).balance_ut > 0, { what: "funding" });
  }
  return accounts;
}

/** Closed loop: each client submits one transfer, waits until it is in a block and continues. */
export async function closedLoop(
  node: Pick<RunningNode, "client" | "port">,
  accounts: readonly BenchAccount[],
  perClient: number,
): Promise<ClosedLoopResult> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const feed = await LiveFeed.open(node.port, ["txs"]);
  const to = createAccount().publicKey;
  const samples: number[] = [];
  const started = performance.now();
  await withConnections(node.port, accounts.length, async (connections) => {
    await Promise.all(
      accounts.map(async (account, client) => {
        for (let i = 0; i < perClient; i += 1) {
          const tx = signedTransfer(account, { to, chainId });
          const sent = performance.now();
          await submit(connections[client], JSON.stringify(tx));
          samples.push((await feed.arrived(tx.id)) - sent);
        }
      }),
    );
  });
  const elapsed = performance.now() - started;
  feed.close();
  return { ...percentiles(samples), perSecond: (samples.length / elapsed) * 1000 };
}

async function submit(connection: HttpConnection | undefined, json: string): Promise<void> {
  const response = await connection?.send(httpRequest("POST", "/api/tx", json));
  if (response?.status !== 200) throw new Error(`The node refused a transfer: ${response?.status} ${response?.body}`);
}
