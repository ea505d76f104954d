// A node that is killed at any moment under load loses nothing that it vouched for, and its chain stays what its blocks say.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { readAccount, readSupply, readValidators } from "#node/ledger/records/records.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { type Genesis, genesisHash, genesisSupply, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { verifyCommit } from "#shared/protocol/chain/vote.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { findFreePort } from "#test/support/nodes/free-port.ts";
import {
  type Acknowledged,
  findTransaction,
  loadAccount,
  sendEnvelopes,
  sendTransfers,
  watchTransactions,
} from "#test/support/nodes/node-load.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_260_101);
const KILLS = extent(4, 12);
const LONGEST_LIFE_MS = 400;
/** Acknowledged in a life with load before its end comes near. */
const TRANSACTIONS_A_LIFE = 8;
const ENVELOPES_A_LIFE = 2;

const random = createRandom(SEED);
const accounts = Array.from({ length: 4 }, () => loadAccount(Uint8Array.from({ length: 32 }, () => random.between(0, 255))));
const faucetGuest = loadAccount(new Uint8Array(32).fill(9)).publicKey;
const mailbox = toHex(boxKeyPair(new Uint8Array(32).fill(7)).publicKey);
const acknowledged: Acknowledged = { transactions: new Map(), envelopes: new Set() };

let folder: TemporaryFolder;
let genesis: Genesis;
let port: number;
let node: RunningNode;

beforeAll(async () => {
  console.log(`seed ${SEED}`);
  folder = await createTemporaryFolder();
  port = await findFreePort();
  node = await startNode({ dataDir: folder.path, port });
  genesis = parseGenesis(JSON.parse(await readFile(join(folder.path, "genesis.json"), "utf8")));
  for (const { publicKey } of accounts) {
    const { id } = await node.client.requestFaucet({ body: { to: publicKey, amount_ut: 1_000_000_000 } });
    await pollUntil(() => readCommitted(node.client, id));
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await runUntilKilled(node, random.between(0, LONGEST_LIFE_MS), kill % 4 > 0);
    node = await startNode({ dataDir: folder.path, port, args: [] });
  }
}, 600_000);
afterAll(async () => {
  await node.kill();
  await folder.remove();
});

async function runUntilKilled(running: RunningNode, lifeMs: number, hasLoad: boolean): Promise<void> {
  const socket = await watchTransactions(running.baseUrl, acknowledged);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  const load = [
    ...accounts.map((from) => sendTransfers(running.client, genesis.chain_id, from, accounts)),
    sendEnvelopes(running.client, mailbox, acknowledged),
  ];
  // Some lives end at once, most when the load has got somewhere, however slow the machine is.
  const before = { transactions: acknowledged.transactions.size, envelopes: acknowledged.envelopes.size };
  const hasGotSomewhere = (): boolean =>
    acknowledged.transactions.size >= before.transactions + TRANSACTIONS_A_LIFE &&
    acknowledged.envelopes.size >= before.envelopes + ENVELOPES_A_LIFE;
  if (hasLoad) await pollUntil(hasGotSomewhere, { what: "the load to get somewhere" });
  await delay(lifeMs);
  await running.kill();
  await Promise.all([...load, closed]);
}

describe(`a node killed ${KILLS} times under load`, () => {
  it("was under load when it was killed", () => {
    expect(acknowledged.transactions.size).toBeGreaterThan(KILLS * 5);
    expect(acknowledged.envelopes.size).toBeGreaterThan(KILLS);
  });

  it("still has every transaction that it said to be in a block, in that block", async () => {
    const lost: string[] = [];
    for (const [id, { block, blockHash }] of acknowledged.transactions) {
      const found = await findTransaction(node.client, id);
      if (found?.block_index !== block || found.block_hash !== blockHash) lost.push(id);
    }
    expect(lost).toEqual([]);
  });

  it("continues with its chain and ends in order", async () => {
    const { height } = await node.client.getNetstats({});
    const { id } = await node.client.requestFaucet({ body: { to: faucetGuest, amount_ut: 1 } });
    const next = await pollUntil(() => readCommitted(node.client, id));
    expect(next.block_index).toBeGreaterThan(height);
    expect(await node.stop()).toBe(0);
  });

  it("still has every envelope that it took", () => {
    const repository = openMailbox(folder.path);
    try {
      expect([...acknowledged.envelopes].filter((id) => repository.get(mailbox, id) === undefined)).toEqual([]);
    } finally {
      repository.close();
    }
  });

  it("has the state that its blocks give when they are executed again from genesis", () => {
    withDatabase((database) => {
      const roots: string[] = [];
      for (const { executed, isSame, storedHash } of replayFromGenesis(database, genesis)) {
        expect(isSame, `block ${executed.block.header.height} (${storedHash})`).toBe(true);
        roots.push(executed.block.header.stateRoot);
      }
      expect(roots.length).toBe((database.blocks.tipHeight() ?? 0) + 1);
      expect(toHex(stateRoot(database.state))).toBe(roots.at(-1));
    });
  });

  it("has a valid commit for every block and no transaction twice", () => {
    const verify = createNativeVerifier();
    withDatabase((database) => {
      const ids: string[] = [];
      for (let height = 1; height <= (database.blocks.tipHeight() ?? 0); height += 1) {
        const record = database.blocks.get(height);
        expect(record?.commit).toMatchObject({ height, blockHash: record?.hash });
        if (record?.commit) expect(verifyCommit(genesis.chain_id, database.validatorSets.at(height), record.commit, verify)).toBe(true);
        for (const tx of record?.block.transactions ?? []) ids.push(tx.id);
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThanOrEqual(acknowledged.transactions.size);
    });
  });

  it("has not made or lost a single µT", () => {
    withDatabase(({ state, blocks }) => {
      const balances = state.scan("account").map(({ key }) => readAccount(state, toHex(key)).balanceUt);
      const bonds = readValidators(state).map((validator) => validator.bondUt);
      const held = [...balances, ...bonds].reduce((sum, amount) => sum + amount, 0);
      let rewards = 0;
      for (let height = 1; height <= (blocks.tipHeight() ?? 0); height += 1)
        if ((blocks.summary(height)?.txCount ?? 0) > 0) rewards += genesis.params.block_reward_ut;
      expect(held).toBe(genesisSupply(genesis) + rewards);
      expect(readSupply(state)).toBe(held);
    });
  });
});

function withDatabase(work: (database: ChainDatabase) => void): void {
  const database = openChainDatabase(folder.path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  try {
    work(database);
  } finally {
    database.close();
  }
}
