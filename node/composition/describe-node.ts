// What a full node says of itself to the interface: chain, mode, synchronisation, validator, contracts, peers, files.
import type { ConsensusDescription, NodeDescription } from "#node/api/services.ts";
import { readVersion } from "#node/config/build-info.ts";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { NodeMode } from "#node/config/node-config.ts";
import { systemClock } from "#node/config/system-clock.ts";
import type { LiePool } from "#node/duties/lie-pool.ts";
import type { ContractWatch } from "#node/observability/contract-watch.ts";
import { storageSizes } from "#node/observability/storage-sizes.ts";
import type { ArchiveReads } from "#node/queries/archive-reads.ts";
import type { RemoteSignerClient } from "#node/signer/client/remote-signer.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { BackfillView } from "#node/sync/backfill/backfill.ts";
import { describeSync } from "#node/sync/describe-sync.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import type { Chain } from "./chain.ts";
import type { UpgradeNotice } from "./changes/upgrade-notice.ts";
import { type BackfillReads, describeBackfill } from "./history/backfill.ts";
import type { Peers } from "./network/peers.ts";
import type { Snapshots } from "./network/snapshots.ts";
import type { ContractProcess } from "./reads/contract-process.ts";
import { versionInfo } from "./version-info.ts";

/** The parts that are described. */
export interface DescribedNode {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly chain: Chain;
  /** What is kept of old blocks. */
  readonly keptHistory: NonNullable<NodeDescription["keptHistory"]>;
  readonly watch: ContractWatch;
  readonly contracts: ContractProcess;
  /** Where the validator's key is; undefined where the node's own key votes. */
  readonly signer?: RemoteSignerClient | undefined;
  /** Evidence against keepers. */
  readonly lies: Pick<LiePool, "size">;
  readonly snapshots: Pick<Snapshots, "figures">;
  /** How far fetching older blocks is. */
  readonly backfill: BackfillReads;
  /** Blocks that others hold; undefined for a node alone. */
  readonly archive: Pick<ArchiveReads, "nodes"> | undefined;
  /** Null for a node without any. */
  readonly peers: Peers | null;
  readonly startedAtMs: number;
  /** Approved changes of the network. */
  readonly upgrades: UpgradeNotice;
}

/** The description that the interface reads; figures are of the moment in which they are asked for. */
export function describeNode(described: DescribedNode): NodeDescription {
  const {
    folder,
    database,
    chain,
    backfill,
    archive,
    keptHistory,
    watch,
    contracts,
    signer,
    lies,
    snapshots,
    peers,
    upgrades,
    startedAtMs,
  } = described;
  const { genesis, genesisHash } = folder;
  return {
    chainId: genesis.chain_id,
    genesis,
    genesisHash,
    genesisTime: genesis.genesis_time,
    isDevelopment: genesis.development,
    get mode(): NodeMode {
      return chain.mode;
    },
    version: versionInfo(readVersion(), genesis.chain_id),
    startedAtMs,
    sync: (): ReturnType<NodeDescription["sync"]> => {
      const tip = chain.executor.tip();
      return describeSync({
        tip,
        sync: peers?.status() ?? null,
        peers: peers?.list().length ?? 0,
        isSoleVoter: chain.engine.status().isVoting && isQuorum(1, tip.nextValidators.length),
        round: chain.engine.status().round,
        nextBlockMs: tip.timeMs + chain.executor.params.heartbeat_interval_ms,
        nowMs: systemClock.nowMs(),
        missingVersion: chain.executor.missingVersion?.(),
      });
    },
    history: () => describeHistory(database, backfill.view(), archive?.nodes),
    keptHistory,
    knownVersions: upgrades.knownVersions,
    upgrade: () => upgrades.describe(),
    consensus: describeConsensus({ folder, database, chain, signer }),
    contracts: () => ({
      engineFaults: watch.faults + contracts.faults,
      interpretedModules: watch.marks.modules + contracts.modules,
    }),
    keptLies: () => lies.size,
    damagedFiles: () => database.history.damaged().length,
    oldBlocks: () => ({ firstHeight: database.blocks.firstHeight(), ...backfill.figures() }),
    snapshots: () => snapshots.figures(),
    peers: () => [...(peers?.list() ?? [])],
    network: () => peers?.figures(),
    p2pAddresses: () => peers?.addresses() ?? [],
    storage: storageSizes(folder.paths, systemClock),
  };
}

/** The first block that the node holds. */
function describeHistory(
  { blocks }: Pick<ChainDatabase, "blocks">,
  backfill: BackfillView | undefined,
  olderNodes: number | undefined,
): NodeStatus["history"] {
  const first = blocks.firstHeight();
  const timeMs = blocks.summary(first)?.timeMs ?? 0;
  const isComplete = first === 0;
  const found = {
    ...{ from_height: first, from_time: new Date(timeMs).toISOString(), complete: isComplete },
    ...(isComplete || olderNodes === undefined ? {} : { older_nodes: olderNodes }),
  };
  return backfill === undefined ? found : { ...found, backfill: describeBackfill(backfill) };
}

function describeConsensus({
  folder,
  database,
  chain,
  signer,
}: Pick<DescribedNode, "folder" | "database" | "chain" | "signer">): ConsensusDescription {
  const nodeKey = folder.nodeKey.publicKey;
  const validatorKey = signer?.publicKey ?? nodeKey;
  return {
    nodeKey,
    validatorKey,
    ...(signer === undefined ? {} : { signer: () => ({ isConnected: signer.isReady, answers: signer.counts }) }),
    status: (): ReturnType<ConsensusDescription["status"]> => {
      const { round, isVoting } = chain.engine.status();
      return { round, isVoting, isValidator: chain.executor.tip().nextValidators.some(({ publicKey }) => publicKey === validatorKey) };
    },
    validatorsAt: (height) => database.validatorSets.at(height),
    onLogSync: chain.onLogSync,
  };
}
