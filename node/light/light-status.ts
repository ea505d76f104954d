// How far a light node is, and what it says to people when it cannot continue.
import type { Height } from "#shared/protocol/chain/header.ts";

/** How far a light node is. */
export interface LightStatus {
  readonly state: "syncing" | "live" | "stalled" | "expired" | "forked";
  readonly height: Height;
  readonly targetHeight: Height;
  /** The highest block that a second peer confirmed. */
  readonly witnessedHeight: Height;
  /** Why the node does not continue, or what its responses lack. */
  readonly reason?: string;
}

const DAY_MS = 86_400_000;
const GIVE_CHECKPOINT = "give the node a checkpoint (height:hash of a newer block, from someone you trust)";

/** Words of a light node. */
export const LIGHT_MESSAGES = {
  noPeers: "No node is connected yet",
  noProof: "The connected nodes report newer blocks, but none of them proves it",
  noWitness: "No second node confirms what this one receives: connect another one",
  clock: "The newest block is ahead of this computer's clock: set the clock",
  noCheckpointBlock: "No connected node has served the block of the checkpoint yet",
  wrongCheckpoint: (height: Height): string =>
    `The connected nodes have another block ${height} than the checkpoint says: check the checkpoint, or connect to other nodes`,
  oldCheckpoint: (height: Height, periodMs: number): string =>
    `The block ${height} of the checkpoint is more than ${days(periodMs)} days old, so it no longer proves anything: ${GIVE_CHECKPOINT}`,
  expired: (height: Height, periodMs: number): string =>
    height === 0
      ? `This network began more than ${days(periodMs)} days ago by this computer's clock, so a light node cannot start from its first block: ${GIVE_CHECKPOINT}`
      : `The last block that this node verified, ${height}, is more than ${days(periodMs)} days old by this computer's clock: ${GIVE_CHECKPOINT}`,
  forked: (height: Height, reason: string): string =>
    `Validators signed two conflicting blocks at height ${height} (${reason}): nothing new is trusted until a checkpoint at or above that height, from someone you trust, tells which chain is right`,
  missingVersion: (version: number, height: Height): string =>
    `By block ${height} at the latest the network has version ${version} of its rules, which this program lacks: install a release that has it, then start the node again`,
  otherThanCheckpoint: (height: Height): string =>
    `The block ${height} that this node verified is not the one of the checkpoint: one of the two is wrong. Check the checkpoint; if it is right, start again with an empty data folder`,
} as const;

function days(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
