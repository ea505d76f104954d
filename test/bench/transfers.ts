// Signed transfers over HTTP until they are in a block.

import { pollUntil } from "../support/poll-until.ts";
import type { RunningNode } from "../support/start-node.ts";
import { type BenchAccount, createAccount, signedTransfer } from "./accounts.ts";
import { HttpPool } from "./http-pool.ts";
import { LiveFeed } from "./live.ts";
import { type Percentiles, percentiles } from "./statistics.ts";

/** Result of one run. */
export interface TransferResult extends Percentiles {
  readonly perSecond: number;
  readonly count: number;
}

const FUNDING_UT = 100_000_000;

/** Accounts with tokens of the faucet. */
export async function fundAccounts(node: RunningNode, count: number): Promise<readonly BenchAccount[]> {
  const accounts = Array.from({ length: count }, createAccount);
  for (const account of accounts) await node.client.requestFaucet({ body: { to: account.publicKey, amount_ut: FUNDING_UT } });
  for (const account of accounts) {
    await pollUntil(async () => (await node.client.getAddress({ addr: account.publicKey, limit: 1 })).balance_ut > 0, { what: "funding" });
  }
  return accounts;
}

/** Closed loop: each client submits one transfer, waits until it is in a block and goes on. */
export async function closedLoop(node: RunningNode, accounts: readonly BenchAccount[], perClient: number): Promise<TransferResult> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const pool = new HttpPool(node.port, accounts.length);
  const feed = await LiveFeed.open(node.port, ["txs"]);
  const sink = createAccount().publicKey;
  const samples: number[] = [];
  const started = performance.now();
  await Promise.all(
    accounts.map(async (account) => {
      for (let i = 0; i < perClient; i += 1) {
        const tx = signedTransfer(account, sink, chainId);
        const sent = performance.now();
        await submit(pool, JSON.stringify(tx));
        samples.push((await feed.arrived(tx.id)) - sent);
      }
    }),
  );
  const elapsed = performance.now() - started;
  feed.close();
  pool.close();
  return { ...percentiles(samples), perSecond: (samples.length / elapsed) * 1000, count: samples.length };
}

/** Blast: pre-signed transfers over all connections at once, until the last one is in a block. */
export async function blast(node: RunningNode, accounts: readonly BenchAccount[], total: number): Promise<TransferResult> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const sink = createAccount().publicKey;
  const bodies = Array.from({ length: total }, (_, i) => signedTransfer(accounts[i % accounts.length] as BenchAccount, sink, chainId)).map(
    (tx) => ({
      id: tx.id,
      text: JSON.stringify(tx),
    }),
  );
  const pool = new HttpPool(node.port, accounts.length);
  const feed = await LiveFeed.open(node.port, ["txs"]);
  const samples: number[] = [];
  let next = 0;
  const started = performance.now();
  const arrivals: Promise<void>[] = [];
  await Promise.all(
    accounts.map(async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const sent = performance.now();
        const { id, text } = body;
        await submit(pool, text);
        arrivals.push(feed.arrived(id).then((at) => void samples.push(at - sent)));
      }
    }),
  );
  await Promise.all(arrivals);
  const elapsed = performance.now() - started;
  feed.close();
  pool.close();
  return { ...percentiles(samples), perSecond: (total / elapsed) * 1000, count: total };
}

async function submit(pool: HttpPool, body: string): Promise<void> {
  const answer = await pool.post("/api/tx", body);
  if (answer.status !== 200) throw new Error(`The node refused a transfer: ${answer.status} ${answer.text}`);
}
