// Genesis: the one file that defines a network. Its hash is SHA-256 of its canonical JSON (RFC 8785).
import canonicalize from "canonicalize";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { type AmountUt, addAmounts, isAmount } from "../primitives/amount.ts";
import { sha256 } from "../primitives/hash.ts";
import { HEADER_VERSION, MAX_VALIDATORS, MAX_VERSION } from "../primitives/limits.ts";
import type { GenesisParams } from "../primitives/params.ts";
import { isAcceptablePublicKey } from "../primitives/signature.ts";
import { parseTimestamp } from "../primitives/timestamp.ts";
import { NATIVE_CONTRACTS, type NativeContractName } from "../transactions/contracts.ts";
import { fieldsOf, invalidGenesis } from "./genesis-fields.ts";
import type { HashHex } from "./header.ts";
import { checkPreviousChain, type PreviousChain } from "./previous-chain.ts";

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
  readonly contracts: readonly NativeContractName[];
  /** The chain whose state this one begins with; absent for a chain that begins with nothing. */
  readonly previous?: PreviousChain;
}

const CHAIN_ID = /^[a-z0-9][a-z0-9-]{2,49}$/;
const FIELDS = ["chain_id", "genesis_time", "development", "validators", "accounts", "params", "contracts", "previous"] as const;
const PARAM_FIELDS = ["block_reward_ut", "min_block_interval_ms", "heartbeat_interval_ms", "validator_bond_ut"] as const;

/** SHA-256 of the canonical JSON, hex. */
export function genesisHash(genesis: Genesis): HashHex {
  const text = canonicalize(genesis);
  if (text === undefined) throw new CodedError("CONFIG_INVALID", "The genesis file is empty");
  return toHex(sha256(utf8(text)));
}

/** Supply of a genesis without a previous chain: balances and bonds, µT. @throws CodedError CONFIG_INVALID when it exceeds the largest supply. */
export function genesisSupply(genesis: Genesis): AmountUt {
  let supply: AmountUt = 0;
  const amounts = [...genesis.accounts.map((account) => account.balance_ut), ...genesis.validators.map((validator) => validator.bond_ut)];
  for (const amount of amounts) {
    const sum = addAmounts(supply, amount);
    if (sum === undefined) throw new CodedError("CONFIG_INVALID", "The genesis file gives out more than 2^53 − 1 µT");
    supply = sum;
  }
  return supply;
}

/**
 * Checked genesis of a parsed JSON value. Unknown fields are refused: a node that does not know a rule must not join.
 * @throws CodedError CONFIG_INVALID naming the first field that is wrong.
 */
export function parseGenesis(value: unknown): Genesis {
  const genesis = fieldsOf(value, "the file", FIELDS);
  if (!isChainId(genesis.chain_id)) throw invalidGenesis("chain_id is 3–50 lower-case letters, digits and dashes");
  if (typeof genesis.genesis_time !== "string" || parseTimestamp(genesis.genesis_time) === undefined)
    throw invalidGenesis("genesis_time is YYYY-MM-DDThh:mm:ssZ");
  if (typeof genesis.development !== "boolean") throw invalidGenesis("development is true or false");
  checkParams(genesis.params);
  checkEntries(genesis.validators, "validators", "bond_ut");
  checkEntries(genesis.accounts, "accounts", "balance_ut");
  const { length: validators } = genesis.validators as readonly unknown[];
  if (validators === 0 || validators > MAX_VALIDATORS) throw invalidGenesis(`validators lists 1 to ${MAX_VALIDATORS}`);
  checkContracts(genesis.contracts);
  checkPrevious(genesis);
  const checked = value as Genesis;
  genesisSupply(checked);
  return checked;
}

/** True for a text that can name a chain. */
export function isChainId(text: unknown): text is string {
  return typeof text === "string" && CHAIN_ID.test(text);
}

/** The version that networks begin with has no name, so that one network has one genesis file. */
function checkParams(value: unknown): void {
  const params = fieldsOf(value, "params", [...PARAM_FIELDS, "version"]);
  for (const name of PARAM_FIELDS) if (!isAmount(params[name])) throw invalidGenesis(`params.${name} is a non-negative integer`);
  const { version } = params;
  if (version !== undefined && (!isAmount(version) || version <= HEADER_VERSION || version > MAX_VERSION))
    throw invalidGenesis(`params.version is later than ${HEADER_VERSION}, or absent`);
}

/** A chain that continues another one gets accounts and contracts from there: what a genesis file gave beside them would be new money. */
function checkPrevious({ chain_id, accounts, contracts, previous }: Readonly<Record<string, unknown>>): void {
  if (previous === undefined) return;
  const checked = checkPreviousChain(previous, isChainId);
  if (checked.chain_id === chain_id) throw invalidGenesis("chain_id is another one than previous.chain_id");
  for (const [name, items] of Object.entries({ accounts, contracts }))
    if ((items as readonly unknown[]).length > 0) throw invalidGenesis(`${name} is empty where previous is given`);
}

function checkEntries(list: unknown, name: string, amountField: string): void {
  if (!Array.isArray(list)) throw invalidGenesis(`${name} is a list`);
  const seen = new Set<string>();
  for (const item of list as readonly unknown[]) {
    const entry = fieldsOf(item, `an entry of ${name}`, ["pub_key", amountField]);
    const key = entry.pub_key;
    if (!isHex(key, 32) || key !== key.toLowerCase() || !isAcceptablePublicKey(key))
      throw invalidGenesis(`${String(key).slice(0, 80)} in ${name} is not an Ed25519 key in lower-case hex`);
    if (seen.has(key)) throw invalidGenesis(`${key} is listed twice in ${name}`);
    if (!isAmount(entry[amountField])) throw invalidGenesis(`${amountField} of ${key} is a non-negative integer`);
    seen.add(key);
  }
}

function checkContracts(list: unknown): void {
  const known: readonly unknown[] = NATIVE_CONTRACTS;
  if (!Array.isArray(list) || !list.every((name) => known.includes(name)) || new Set(list).size !== list.length)
    throw invalidGenesis(`contracts lists, once each, names of native contracts: ${NATIVE_CONTRACTS.join(", ")}`);
}
