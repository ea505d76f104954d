// Nodes and relays in the words of the public interface.

import type { KeeperRecord } from "#node/ledger/records/keeper-records.ts";
import type { NodeQueries } from "#node/queries/read-queries.ts";
import type { NodeStats, RegisteredRelay } from "#shared/api/schemas/nodes.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { NodeExplorer, RegisteredRelay as NodeExplorerRelay } from "../node-explorer.ts";
import type { ValidatorStatus } from "../validator-status.ts";

/** Queries of the public interface over the nodes of a chain. */
export function createNodeQueries(explorer: NodeExplorer): NodeQueries {
  return {
    nodeStats: (publicKey, windowBlocks) => nodeStats(explorer, publicKey, windowBlocks),
    relays: (page) => explorer.relays(page).map(registeredRelay),
  };
}

/** A relay as the public interface shows it. */
export function registeredRelay({
  publicKey,
  x25519Pub,
  feePerMessageUt,
  multiaddr,
  lastHeartbeatAt,
  keeper,
  suspension,
}: NodeExplorerRelay): RegisteredRelay {
  return {
    pub_key: publicKey,
    address: formatAddress(publicKey),
    relay: { x25519_pub_key: x25519Pub, fee_per_msg_ut: feePerMessageUt, ...(multiaddr === "" ? {} : { multiaddr }) },
    ...(lastHeartbeatAt === 0 ? {} : { last_heartbeat: lastHeartbeatAt }),
    ...(keeper === undefined ? {} : { keeper: { ...keeperFields(keeper), ...suspensionFields(suspension) } }),
  };
}

function keeperFields({ bondUt, withdrawnUt, availableAt, standing }: KeeperRecord): NonNullable<RegisteredRelay["keeper"]> {
  return {
    bond_ut: bondUt,
    ...(withdrawnUt === 0 ? {} : { withdrawn_ut: withdrawnUt, available_at: availableAt }),
    standing: standing?.is ?? "none",
    ...(standing?.is === "out" ? { left_at: standing.leftS } : {}),
  };
}

function suspensionFields(
  suspension: NodeExplorerRelay["suspension"],
): Pick<NonNullable<RegisteredRelay["keeper"]>, "suspended_until" | "suspension_votes"> {
  const { untilS = 0, votes = [] } = suspension ?? {};
  return {
    ...(untilS === 0 ? {} : { suspended_until: untilS }),
    ...(votes.length === 0 ? {} : { suspension_votes: votes.length }),
  };
}

function nodeStats(explorer: NodeExplorer, publicKey: PublicKeyHex, windowBlocks: number): NodeStats {
  const stats = explorer.nodeStats(publicKey, windowBlocks);
  return {
    pub_key: publicKey,
    address: formatAddress(publicKey),
    node_balance_ut: stats.balanceUt,
    node_balance: formatAmount(stats.balanceUt),
    wallet_binding_address: stats.wallet === undefined ? "" : formatAddress(stats.wallet.publicKey),
    wallet_binding_balance_ut: stats.wallet?.balanceUt ?? 0,
    reputation_score: stats.score,
    reputation_rank: stats.rank,
    blocks_produced: stats.blocksProduced,
    ...(stats.producedFrom === undefined ? {} : { from_height: stats.producedFrom }),
    ...(stats.counted === undefined ? {} : { counted_blocks: { blocks: stats.counted.blocks, since_height: stats.counted.since } }),
    relay_proofs: stats.relayProofs,
    slash_count: stats.slashCount,
    heartbeats: stats.heartbeats,
    recent_window_blocks: windowBlocks,
    recent_blocks_produced: stats.recent.blocks,
    recent_rewards_ut: stats.recent.rewardsUt,
    recent_rewards: formatAmount(stats.recent.rewardsUt),
    ...(stats.validator === undefined ? {} : { validator: validatorFields(stats.validator) }),
  };
}

function validatorFields({ bondAvailableAt, bannedUntil, isSetAside, ...validator }: ValidatorStatus): NonNullable<NodeStats["validator"]> {
  return {
    in_set: validator.isInSet,
    bond_ut: validator.bondUt,
    ...(bondAvailableAt === undefined ? {} : { bond_available_at: bondAvailableAt }),
    ...(isSetAside ? { set_aside: true } : {}),
    ...(bannedUntil === 0 ? {} : { banned_until: bannedUntil }),
    commits_expected: validator.commitsExpected,
    commits_signed: validator.commitsSigned,
    recent_commits: validator.recentCommits,
  };
}
