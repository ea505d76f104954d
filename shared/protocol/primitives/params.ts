// Parameters of a network at a height: those of its genesis file and first values for the rest, until UPGRADE transactions change them.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { list, nullable, record } from "#shared/codec/composites.ts";
import { integer, textUpTo } from "#shared/codec/scalars.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { AmountUt } from "./amount.ts";
import { type Sha256, sha256 } from "./hash.ts";
import {
  HEADER_VERSION,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_GAS,
  MAX_BLOCK_TXS,
  MIN_FEE_UT,
  MOST_BLOCK_TXS,
  MOST_MIN_FEE_UT,
  RETENTION_S,
} from "./limits.ts";

/** Parameters that a genesis file names. */
export interface GenesisParams {
  /** Newly made µT for the proposer of a block that moved something. */
  readonly block_reward_ut: AmountUt;
  /** Shortest time between two blocks, ms. */
  readonly min_block_interval_ms: number;
  /** An empty block may follow its parent after this time, ms. */
  readonly heartbeat_interval_ms: number;
  /** Bond that ADD_VALIDATOR locks, µT. */
  readonly validator_bond_ut: AmountUt;
  /** Version of headers and rules that it begins with; HEADER_VERSION when absent. */
  readonly version?: number;
}

/** What holds at one height. An array of the fields in this order is what is stored and hashed. */
export const networkParamsCodec = record({
  block_reward_ut: integer(),
  min_block_interval_ms: integer(),
  heartbeat_interval_ms: integer(),
  validator_bond_ut: integer(),
  /** Largest total of the encoded transactions of a block. */
  max_block_bytes: integer(),
  /** Most transactions of a block. */
  max_block_txs: integer(),
  /** Most gas of a block. */
  max_block_gas: integer(),
  /** Smallest fee of a transaction, µT. */
  min_fee_ut: integer(),
  /** How long nodes that drop old blocks promise to have them, seconds. */
  retention_s: integer(),
  /** Version of headers and of the rules behind them. */
  version: integer(),
});

/** The parameters of one height. */
export type NetworkParams = TypeOf<typeof networkParamsCodec>;

/** Smallest and largest value that UPGRADE gives each parameter, in the order of their names. The bond is not among them. */
export const PARAM_BOUNDS = {
  block_reward_ut: [0, Number.MAX_SAFE_INTEGER],
  heartbeat_interval_ms: [10_000, 3_600_000],
  max_block_bytes: [262_144, 4_194_304],
  max_block_gas: [10_000_000, 1_000_000_000],
  max_block_txs: [256, MOST_BLOCK_TXS],
  min_block_interval_ms: [0, 10_000],
  min_fee_ut: [1, MOST_MIN_FEE_UT],
  retention_s: [1_814_400, 3_153_600_000],
} as const satisfies Partial<Record<keyof NetworkParams, readonly [least: number, most: number]>>;

/** A parameter that UPGRADE can change. */
export type ParamName = keyof typeof PARAM_BOUNDS;

/** All of them, in ascending order. */
export const PARAM_NAMES = Object.keys(PARAM_BOUNDS) as readonly ParamName[];

/** New values by name. */
export type ParamChanges = { readonly [Name in ParamName]?: number };

const changeCodec = record({ name: textUpTo(), value: integer() });

/** What an UPGRADE asks for: [[[name, value]…], version or null, height]. */
export const upgradeCodec = record({
  /** In ascending order of the names. */
  set: list(changeCodec),
  version: nullable(integer()),
  /** Not before this height. */
  atHeight: integer(),
});

/** A change of the network. */
export type Upgrade = TypeOf<typeof upgradeCodec>;

const FIRST = {
  max_block_bytes: MAX_BLOCK_BYTES,
  max_block_txs: MAX_BLOCK_TXS,
  max_block_gas: MAX_BLOCK_GAS,
  min_fee_ut: MIN_FEE_UT,
  retention_s: RETENTION_S,
  version: HEADER_VERSION,
} as const satisfies Omit<NetworkParams, Exclude<keyof GenesisParams, "version">>;

/** The parameters of a network before any UPGRADE. */
export function firstParams({ version = FIRST.version, ...params }: GenesisParams): NetworkParams {
  return { ...params, ...FIRST, version };
}

/** What a genesis file says of them. */
export function genesisParams(params: NetworkParams): GenesisParams {
  const { block_reward_ut, min_block_interval_ms, heartbeat_interval_ms, validator_bond_ut, version } = params;
  const named = { block_reward_ut, min_block_interval_ms, heartbeat_interval_ms, validator_bond_ut };
  return version === FIRST.version ? named : { ...named, version };
}

/**
 * `params_hash` of headers, hex: SHA-256 of the CBOR of all fields. While none but those of the genesis file has left its first value,
 * it is over these four alone.
 */
export function paramsHash(params: NetworkParams, hash: Sha256 = sha256): string {
  const names = Object.keys(FIRST) as readonly (keyof typeof FIRST)[];
  const isChanged = names.some((name) => params[name] !== FIRST[name]);
  return toHex(hash(isChanged ? encode(networkParamsCodec, params) : encode(genesisParamsCodec, params)));
}

const genesisParamsCodec = record({
  block_reward_ut: integer(),
  min_block_interval_ms: integer(),
  heartbeat_interval_ms: integer(),
  validator_bond_ut: integer(),
});

/** An upgrade in the one order that is signed and stored. */
export function upgradeOf(set: ParamChanges, version: number | undefined, atHeight: number): Upgrade {
  const changes = PARAM_NAMES.flatMap((name) => {
    const value = set[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return { set: changes, version: version ?? null, atHeight };
}

/** Name of an upgrade, hex: SHA-256 of its CBOR. */
export function upgradeId(upgrade: Upgrade): string {
  return toHex(sha256(encode(upgradeCodec, upgrade)));
}

/** The parameters once an upgrade is active. */
export function upgradedParams(params: NetworkParams, { set, version }: Pick<Upgrade, "set" | "version">): NetworkParams {
  const changed = Object.fromEntries(set.map(({ name, value }) => [name, value]));
  return { ...params, ...changed, ...(version === null ? {} : { version }) };
}

/** The values that one upgrade may give a parameter, both ends included: twice or half of what holds, within its bounds. */
export function reachableValues(name: ParamName, current: number): readonly [least: number, most: number] {
  const [least, most] = PARAM_BOUNDS[name];
  const doubled = name === "block_reward_ut" ? current : Math.max(1, 2 * current);
  return [Math.max(least, Math.floor(current / 2)), Math.min(most, doubled)];
}
