// Genesis of a development network: fast blocks, a faucet that holds nearly all tokens, which are worth nothing.

import { type Genesis, parseGenesis } from "#shared/protocol/chain/genesis.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { NATIVE_CONTRACTS } from "#shared/protocol/transactions/contracts.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";

export interface DevelopmentNetwork {
  /** Ed25519 keys of the validators, hex. */
  readonly validatorKeys: readonly string[];
  /** Ed25519 key of the faucet's account, hex. */
  readonly faucetKey: string;
  readonly nowMs: number;
  readonly random: RandomBytes;
}

/** µT of the faucet at the start: more than half of the largest supply, with room for rewards. */
const FAUCET_BALANCE_UT = 5_000_000_000_000_000;
const VALIDATOR_BOND_UT = 1_000_000_000;

/** A new network has no nodes of earlier programs. */
const NEWEST_VERSION = Math.max(...KNOWN_VERSIONS);

/** A fresh network named `parley-dev-` and 8 random hex digits. */
export function createDevelopmentGenesis(network: DevelopmentNetwork): Genesis {
  return parseGenesis({
    chain_id: `parley-dev-${toHex(network.random(4))}`,
    genesis_time: formatTimestamp(network.nowMs),
    development: true,
    validators: network.validatorKeys.map((key) => ({ pub_key: key, bond_ut: VALIDATOR_BOND_UT })),
    accounts: [{ pub_key: network.faucetKey, balance_ut: FAUCET_BALANCE_UT }],
    params: {
      block_reward_ut: 10_000,
      min_block_interval_ms: 50,
      heartbeat_interval_ms: 60_000,
      validator_bond_ut: VALIDATOR_BOND_UT,
      version: NEWEST_VERSION,
    },
    contracts: [...NATIVE_CONTRACTS],
  });
}
