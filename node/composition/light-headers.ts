// The verified headers of a node that trusts no peer: where trust begins, the chain that follows from there, and what is read by it.
import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { LightFollower } from "#node/light/chain/light-follower.ts";
import { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import { ForkReports } from "#node/light/peers/fork-reports.ts";
import { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import { VerifiedSource } from "#node/light/proofs/verified-source.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { openLightDatabase } from "#node/storage/light-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import { CLOCK_DRIFT_MS, TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import type { LightNetwork } from "./network/light-network.ts";
import type { NodeDependencies } from "./node-start.ts";

/** A folder, and the block at which trust begins beside genesis. */
export interface LightFolder {
  readonly folder: DataFolder;
  readonly checkpoint: Checkpoint | undefined;
}

export interface HeaderDependencies extends LightFolder {
  readonly config: NodeConfig;
  readonly network: LightNetwork;
  readonly verify: ReturnType<typeof createNativeVerifier>;
  readonly knownVersions: readonly number[];
  readonly log: NodeDependencies["log"];
}

/** Verified headers, and what is read by them. */
export interface Headers {
  /** Where trust began in this run. */
  readonly checkpoint: Checkpoint | undefined;
  readonly chain: TrustedChain;
  readonly source: VerifiedSource;
  readonly follower: LightFollower;
  readonly peers: NetworkLightPeers;
}

/** Opens what was verified and follows the chain, until `opened` ends. */
export function openHeaders(dependencies: HeaderDependencies, opened: AsyncDisposableStack): Headers {
  const { config, folder, network, verify, knownVersions, log: nodeLog } = dependencies;
  const { genesis, genesisHash } = folder;
  const log = nodeLog.child("light");
  const store = openLightDatabase(config.dataDir, { chainId: genesis.chain_id, genesisHash });
  opened.defer(() => store.close());
  const isUndecided = config.checkpoint === undefined && store.fork() === undefined;
  const checkpoint = isUndecided ? newerOf(dependencies.checkpoint, ownTip(config.dataDir, log)) : dependencies.checkpoint;
  const common = { clock: systemClock, timers: systemTimers, log };
  const peers = new NetworkLightPeers({ network, ...common });
  const forks = new ForkReports({ peers, ...common });
  opened.defer(() => forks.stop());
  const chain = new TrustedChain({
    genesis: createTrustedGenesis(genesis),
    store,
    peers,
    rules: {
      chainId: genesis.chain_id,
      verify,
      hash: nativeSha256,
      trustingPeriodMs: TRUSTING_PERIOD_MS,
      clockDriftMs: CLOCK_DRIFT_MS,
      knownVersions,
    },
    ...(checkpoint === undefined ? {} : { checkpoint }),
    onFork: (fork): void => forks.report(fork),
    ...common,
  });
  opened.defer(() => chain.stop());
  const follower = new LightFollower({ chain, peers, ...common });
  opened.defer(() => follower.stop());
  follower.start();
  if (chain.tip().validators.some(({ publicKey }) => publicKey === folder.nodeKey.publicKey))
    log.warn({ node_key: folder.nodeKey.publicKey }, "The node's key is in the validator set, but a light node does not vote");
  return { checkpoint, chain, follower, peers, source: new VerifiedSource({ chain, peers, hash: nativeSha256, ...common }) };
}

/** The newest block that this folder verified as a full node. A chain that cannot be read is no reason not to run without it. */
function ownTip(directory: string, log: NodeDependencies["log"]): Checkpoint | undefined {
  try {
    return readChainTip(directory);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    log.warn({ err: error }, "The chain that this folder keeps from running as a full node cannot be read");
    return undefined;
  }
}

function newerOf(first: Checkpoint | undefined, second: Checkpoint | undefined): Checkpoint | undefined {
  return second === undefined || (first !== undefined && first.height >= second.height) ? first : second;
}
