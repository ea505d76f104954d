// Block 0 as the start of trust: no validator signs it, every node makes it from the genesis file.
import { createGenesisBlock } from "#node/engine/execution/genesis-block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";

/** Block 0 of a network. */
export function createTrustedGenesis(genesis: Genesis): TrustedBlock {
  const { block, hash, nextValidators } = createGenesisBlock(genesis);
  // Block 0 changes no set, so the first set is the one that it names.
  return { header: block.header, commit: null, validators: nextValidators, hash };
}
