// What execution knows besides the state: chain, height, time and parameters. All of it is agreed on by validators.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { ContractVm, TrialBudget } from "./contracts/contract-vm.ts";

/** Surroundings of one transaction. */
export interface TransactionContext {
  readonly chainId: string;
  /** Height of the block that includes the transaction. */
  readonly height: Height;
  /** Time of that block, ms since 1970. */
  readonly timeMs: number;
  /** Those of that height. */
  readonly params: NetworkParams;
  /** Gas that the block has left: a transaction enters only while its gas limit fits. */
  readonly gasLeft: number;
  /** Runs the modules of contracts. */
  readonly vm: ContractVm;
  /** Given while transactions are only tried out: what may still be spent on modules. */
  readonly trial?: TrialBudget;
  /** True for an id of the last two hours of block time. */
  hasSeenId(id: string): boolean;
}

/** Surroundings of a block. */
export interface BlockContext extends TransactionContext {
  readonly proposer: PublicKeyHex;
  /** SHA-256 by a faster way than the portable one. */
  readonly hash?: Sha256;
}
