// Genesis: the one file that defines a network. Its hash is SHA-256 of its canonical JSON (RFC 8785).
import canonicalize from "canonicalize";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { type AmountUt, addAmounts, isAmount } from "./amount.ts";
import { encodeCbor } from "./cbor.ts";
import { sha256 } from "./hash.ts";
import type { HashHex } from "./header.ts";
import { isAcceptablePublicKey } from "./signature.ts";
import { parseTimestamp } from "./timestamp.ts";

/** Parameters that all nodes of a network share. */
export interface GenesisParams {
  /** Newly made µT for the proposer of a block that moved something. */
  readonly block_reward_ut: AmountUt;
  /** Shortest time between two blocks, ms. */
  readonly min_block_interval_ms: number;
  /** An empty block may follow its parent after this time, ms. */
  readonly heartbeat_interval_ms: number;
  /** Bond that ADD_VALIDATOR locks, µT. */
  readonly validator_bond_ut: AmountUt;
}

/** The genesis file. Field names are those of the JSON. */
export interface Genesis {
  readonly chain_id: string;
  /** Time of block 0, `YYYY-MM-DDThh:mm:ssZ`. */
  readonly genesis_time: string;
  /** True on networks with a faucet: tokens there are worth nothing. */
  readonly development: boolean;
  readonly validators: readonly { readonly pub_key: string; readonly bond_ut: AmountUt }[];
  readonly accounts: readonly { readonly pub_key: string; readonly balance_ut: AmountUt }[];
  readonly params: GenesisParams;
  /** Names of the native contracts that exist from the start. */
  readonly contracts: readonly string[];
}

const CHAIN_ID = /^[a-z0-9][a-z0-9-]{2,49}$/;

/** SHA-256 of the canonical JSON, hex. */
export function genesisHash(genesis: Genesis): HashHex {
  const text = canonicalize(genesis);
  if (text === undefined) throw new CodedError("CONFIG_INVALID", "The genesis file is empty");
  return toHex(sha256(utf8(text)));
}

/** SHA-256 of the CBOR of the parameters, hex: `params_hash` of headers. */
export function paramsHash(params: GenesisParams): HashHex {
  return toHex(
    sha256(encodeCbor([params.block_reward_ut, params.min_block_interval_ms, params.heartbeat_interval_ms, params.validator_bond_ut])),
  );
}

/** Supply at genesis: balances and bonds, µT. @throws CodedError CONFIG_INVALID when it exceeds the largest supply. */
export function genesisSupply(genesis: Genesis): AmountUt {
  const supply = addAmounts(
    ...genesis.accounts.map((account) => account.balance_ut),
    ...genesis.validators.map((validator) => validator.bond_ut),
  );
  if (supply === undefined) throw new CodedError("CONFIG_INVALID", "The genesis file gives out more than 2^53 − 1 µT");
  return supply;
}

/**
 * Checked genesis of a parsed JSON value.
 * @throws CodedError CONFIG_INVALID naming the first field that is wrong.
 */
export function parseGenesis(value: unknown): Genesis {
  const genesis = value as Genesis;
  const fail = (reason: string): never => {
    throw new CodedError("CONFIG_INVALID", `The genesis file is invalid: ${reason}`);
  };
  if (typeof value !== "object" || value === null) fail("it is not a JSON object");
  if (typeof genesis.chain_id !== "string" || !CHAIN_ID.test(genesis.chain_id))
    fail("chain_id is 3–50 lower-case letters, digits and dashes");
  if (typeof genesis.genesis_time !== "string" || parseTimestamp(genesis.genesis_time) === undefined)
    fail("genesis_time is YYYY-MM-DDThh:mm:ssZ");
  if (typeof genesis.development !== "boolean") fail("development is true or false");
  if (!Array.isArray(genesis.validators) || genesis.validators.length === 0) fail("validators lists at least one");
  if (!Array.isArray(genesis.accounts)) fail("accounts is a list");
  if (!Array.isArray(genesis.contracts) || !genesis.contracts.every((name) => typeof name === "string"))
    fail("contracts is a list of names");
  const params = genesis.params as GenesisParams | undefined;
  for (const name of ["block_reward_ut", "min_block_interval_ms", "heartbeat_interval_ms", "validator_bond_ut"] as const) {
    if (!isAmount(params?.[name])) fail(`params.${name} is a non-negative integer`);
  }
  checkKeys(genesis.validators, "bond_ut", fail);
  checkKeys(genesis.accounts, "balance_ut", fail);
  genesisSupply(genesis);
  return genesis;
}

function checkKeys(entries: readonly { readonly pub_key: string }[], amountField: string, fail: (reason: string) => never): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (!isHex(entry.pub_key, 32) || entry.pub_key !== entry.pub_key.toLowerCase() || !isAcceptablePublicKey(entry.pub_key))
      fail(`${entry.pub_key} is not an Ed25519 key in lower-case hex`);
    if (seen.has(entry.pub_key)) fail(`${entry.pub_key} is listed twice`);
    if (!isAmount((entry as unknown as Record<string, unknown>)[amountField]))
      fail(`${amountField} of ${entry.pub_key} is a non-negative integer`);
    seen.add(entry.pub_key);
  }
}
