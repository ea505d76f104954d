// Block 0 as the start of trust: no validator signs it, every node makes it from the genesis file.
import { createGenesisBlock } from "#node/engine/execution/genesis-block.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";

/** Block 0 of a network. */
export function createTrustedGenesis(genesis: Genesis): TrustedBlock {
  const { previous, ...plain } = genesis;
  const { block, hash, nextValidators } = createGenesisBlock(plain);
  // Block 0 changes no set, so the first set is the one that it names.
  if (previous === undefined) return { header: block.header, commit: null, validators: nextValidators, hash };
  // The state of a chain that continues another one is not here, but its root is in the file.
  const header = { ...block.header, parentHash: genesisHash(genesis), stateRoot: previous.first_root };
  return { header, commit: null, validators: nextValidators, hash: headerHash(header) };
}
