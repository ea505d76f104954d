// A network whose chain is one block short of a snapshot, with accounts for some chunks of it.
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { SNAPSHOT_RULE } from "#node/sync/snapshots/snapshot-heights.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { createAccount } from "../bench/load/accounts.ts";
import { agedNetworkOf, type PastBlock, writePast } from "../support/nodes/aged-network.ts";
import { ProcessNetwork, type ProcessNetworkSize } from "../support/nodes/process-network.ts";

const SECOND_MS = 1_000;
/** New accounts of one block. */
const ACCOUNTS = 4;
const GIFT_UT = 1_000;
/** Between the newest block of the past and now. */
const REST_MS = 60_000;

/** Makes the folders; no node is started. The next block has a snapshot: it is in another hour than the one as many blocks before. */
export async function createSnapshotNetwork(size: Pick<ProcessNetworkSize, "validators" | "nodes">): Promise<ProcessNetwork> {
  const { every, periodMs } = SNAPSHOT_RULE;
  const startMs = Math.floor((Date.now() - periodMs - every * SECOND_MS - REST_MS) / SECOND_MS) * SECOND_MS;
  const network = await ProcessNetwork.create({ ...size, isDirect: true, startMs });
  await writePast(agedNetworkOf(network), pastOf(network, startMs));
  return network;
}

/** The first block is a period before the others. */
function pastOf({ genesis, nodes }: ProcessNetwork, startMs: number): readonly PastBlock[] {
  const { every, periodMs } = SNAPSHOT_RULE;
  const faucet = readKey(dataFolderPaths(nodes[0]?.dataDir ?? "").faucetKey, "ed25519");
  if (faucet === undefined) throw new Error("The first node has the faucet's key");
  return Array.from({ length: every - 1 }, (_, at) => {
    const timeMs = startMs + (at + 1) * SECOND_MS + (at === 0 ? 0 : periodMs);
    const give = (): Transaction => {
      const payment = { type: "TRANSFER", from: faucet.publicKey, to: createAccount().publicKey, amount: GIFT_UT, payload: {} } as const;
      const context = { chainId: genesis.chain_id, nowMs: timeMs, random: systemRandom };
      return signTransaction(buildTransaction(payment, context), faucet.secret);
    };
    return { timeMs, transactions: Array.from({ length: ACCOUNTS }, give) };
  });
}
