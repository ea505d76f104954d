// Where trust in a proof begins, and how far it reaches in one step.
import type { Genesis } from "../chain/genesis.ts";
import { genesisHash } from "../chain/genesis.ts";
import { headerHash } from "../chain/header.ts";
import type { LightBlock, TrustedBlock } from "../chain/light-block.ts";
import { isMoreThanThird, sortValidators, validatorsHash } from "../chain/validators.ts";
import type { Sha256 } from "../primitives/hash.ts";
import { HEADER_VERSION } from "../primitives/limits.ts";
import { parseTimestamp } from "../primitives/timestamp.ts";
import { trustedSigners } from "./verify-light-block.ts";

const ZEROS = "00".repeat(32);

/**
 * Block 0 without its state, which a page does not compute: set, time and chain follow from the genesis file. Its hash is not that of the
 * chain's block 0, so the parent of block 1 is not compared with it.
 */
export function genesisStart(genesis: Genesis, hash: Sha256): TrustedBlock {
  const validators = sortValidators(genesis.validators.map(({ pub_key, bond_ut }) => ({ publicKey: pub_key, bondUt: bond_ut })));
  const setHash = validatorsHash(validators, hash);
  const header = {
    version: HEADER_VERSION,
    chainId: genesis.chain_id,
    height: 0,
    timeMs: parseTimestamp(genesis.genesis_time) ?? 0,
    parentHash: genesisHash(genesis),
    ...{ lastCommitHash: ZEROS, txRoot: ZEROS, stateRoot: ZEROS, receiptsRoot: ZEROS, paramsHash: ZEROS, evidenceRoot: ZEROS },
    ...{ validatorsHash: setHash, nextValidatorsHash: setHash, proposer: ZEROS, txCount: 0 },
  };
  return { header, validators, commit: null, hash: headerHash(header, hash) };
}

/** True when a trusted block vouches for the signers of a higher one: it names their set, or more than a third of its own signed. */
export function isWithinReach(trusted: Pick<TrustedBlock, "header" | "validators">, { header, commit, validators }: LightBlock): boolean {
  if (commit === null) return false;
  if (header.height === trusted.header.height + 1 && header.validatorsHash === trusted.header.nextValidatorsHash) return true;
  return isMoreThanThird(trustedSigners(trusted.validators, validators, commit), trusted.validators.length);
}
