// A network of processes whose chain has keepers of mail: its past of four days has relays with bonds and heartbeats, written before any node
// is started.
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey, type StoredKey } from "#node/config/files/key-store.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { agedNetworkOf, type PastBlock, writePast } from "./aged-network.ts";
import { ProcessNetwork, type ProcessNode } from "./process-network.ts";

/** So that the heartbeats of a day are enough, with some to spare. */
const STEP_MS = 1_800_000;
/** From bonds to keepers, so many epochs with enough of them, and the announcement. */
const PAST_HOURS = KEEPER_RULES.entryS / KEEPER_RULES.epochS + KEEPER_RULES.startEpochs + KEEPER_RULES.announcedEpochs + 4;
const HOUR_MS = 3_600_000;
const GIFT_UT = 100_000_000;

export interface KeeperNetworkSize {
  readonly validators: number;
  /** Relays that keep mail, the validators first; eight at least. */
  readonly keepers: number;
  /** Nodes that keep none, behind the keepers. */
  readonly users: number;
}

/**
 * Makes the folders; no node is started. Addresses of keepers are names that lead nowhere, each of a network of its own: loopback is none, and
 * all nodes are connected to each other by their configuration.
 */
export async function createKeeperNetwork({ validators, keepers, users }: KeeperNetworkSize): Promise<ProcessNetwork> {
  const startMs = Math.floor(Date.now() / STEP_MS) * STEP_MS - PAST_HOURS * HOUR_MS;
  const network = await ProcessNetwork.create({ validators, nodes: keepers + users - validators, isDirect: true, startMs });
  await writePast(agedNetworkOf(network), pastOf(network, keepers, startMs));
  return network;
}

function pastOf({ genesis, nodes }: ProcessNetwork, keepers: number, startMs: number): readonly PastBlock[] {
  const bondUt = Math.ceil(genesis.params.validator_bond_ut / KEEPER_RULES.bondDivisor);
  const relays = nodes.slice(0, keepers).map((node, n) => ({ node, n, key: keyIn(node, "nodeKey") }));
  const [first] = nodes;
  const faucet = first && keyIn(first, "faucetKey");
  const count = (PAST_HOURS * HOUR_MS) / STEP_MS - 1;
  return Array.from({ length: count }, (_, at) => {
    const timeMs = startMs + (at + 1) * STEP_MS;
    const context = { chainId: genesis.chain_id, nowMs: timeMs, random: systemRandom };
    const sign = <T extends TransactionType>(key: StoredKey, draft: Omit<TransactionDraft<T>, "from">): Transaction =>
      signTransaction(buildTransaction<T>({ ...draft, from: key.publicKey }, context), key.secret);
    const transactions = relays.map(({ node, n, key }) => {
      if (at === 0 && faucet !== undefined) return sign(faucet, { type: "TRANSFER", to: key.publicKey, amount: GIFT_UT, payload: {} });
      if (at !== 1) return sign(key, { type: "HEARTBEAT", payload: {} });
      const x25519_pub_key = readKey(dataFolderPaths(node.dataDir).relayKey, "x25519")?.publicKey ?? "";
      const multiaddr = `/dns4/keeper-${n}.invalid/tcp/1`;
      return sign(key, { type: "REGISTER_RELAY", payload: { x25519_pub_key, fee_per_msg_ut: 0, multiaddr, bond_ut: bondUt } });
    });
    return { timeMs, transactions };
  });
}

function keyIn({ dataDir, index }: ProcessNode, name: "nodeKey" | "faucetKey"): StoredKey {
  const key = readKey(dataFolderPaths(dataDir)[name], "ed25519");
  if (key === undefined) throw new Error(`Node ${index} has no ${name}`);
  return key;
}
