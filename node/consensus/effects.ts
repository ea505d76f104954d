// Everything the core can ask for. The host executes effects strictly in order.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal, Vote } from "#shared/protocol/chain/vote.ts";
import type { LoggedInput, Timeout } from "./inputs.ts";

/** A message to sign. */
export type UnsignedMessage =
  | { readonly type: "proposal"; readonly proposal: Omit<Proposal, "signature"> }
  | { readonly type: "vote"; readonly vote: Omit<Vote, "signature"> };

/** A message for the other validators. A proposal travels with its block, which the host adds. */
export type OutgoingMessage =
  | { readonly type: "proposal"; readonly proposal: Proposal }
  | { readonly type: "vote"; readonly vote: Vote }
  | { readonly type: "certificate"; readonly votes: readonly Vote[] };

/** Two signed messages of one validator, height, round and step that contradict each other. */
export type Evidence =
  | { readonly type: "vote"; readonly first: Vote; readonly second: Vote }
  | { readonly type: "proposal"; readonly first: Proposal; readonly second: Proposal };

/** Something for the host to do. */
export type ConsensusEffect =
  /** Log an accepted input; `isSync` must be durable before anything later leaves the machine. */
  | { readonly type: "persist"; readonly input: LoggedInput; readonly isSync: boolean }
  /** Sign and hand the signed message back as an input; a refusal is silence. */
  | { readonly type: "sign"; readonly message: UnsignedMessage }
  | { readonly type: "broadcast"; readonly message: OutgoingMessage }
  /** Replaces an earlier timeout of the same kind. */
  | { readonly type: "scheduleTimeout"; readonly timeout: Timeout; readonly durationMs: number }
  | { readonly type: "cancelTimeouts" }
  /** Build a block and respond with `proposalBuilt`, or with `nothingToPropose` until there is something. */
  | { readonly type: "buildBlock"; readonly height: Height; readonly round: number }
  /** Respond with `workAvailable` now when there is something to decide, or once there is: the round waits for it. */
  | { readonly type: "awaitWork"; readonly height: Height; readonly round: number }
  /** Execute a block and respond with `blockValidated`. */
  | { readonly type: "validateBlock"; readonly height: Height; readonly blockHash: HashHex }
  /** The block is final: commit it, then start the next height. */
  | { readonly type: "decide"; readonly blockHash: HashHex; readonly commit: Commit }
  | { readonly type: "reportEvidence"; readonly evidence: Evidence }
  /** This node disagrees with more than two thirds of the validators: stop. */
  | { readonly type: "halt"; readonly reason: string };
