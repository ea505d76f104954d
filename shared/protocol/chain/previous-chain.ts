// What a genesis file says of the chain whose state it continues. The state itself is in a file beside it, which these hashes bind.
import { isHex } from "#shared/util/bytes.ts";
import { fieldsOf, invalidGenesis } from "./genesis-fields.ts";
import type { HashHex, Height } from "./header.ts";

/** The block whose state is carried on, and the hashes of what is carried. Field names are those of the JSON. */
export interface PreviousChain {
  readonly chain_id: string;
  readonly height: Height;
  readonly block_hash: HashHex;
  /** State root of that block: the records of the state file give it. */
  readonly state_root: HashHex;
  /** SHA-256 of the state file. */
  readonly file_hash: HashHex;
  /** State root of block 0 of the new chain, after the changes that follow from the genesis file. */
  readonly first_root: HashHex;
}

const FIELDS = ["chain_id", "height", "block_hash", "state_root", "file_hash", "first_root"] as const;
const HASHES = ["block_hash", "state_root", "file_hash", "first_root"] as const;

/** Checks the field `previous`. @throws CodedError CONFIG_INVALID naming the first field that is wrong. */
export function checkPreviousChain(value: unknown, isChainId: (text: unknown) => boolean): PreviousChain {
  const previous = fieldsOf(value, "previous", FIELDS);
  if (!isChainId(previous.chain_id)) throw invalidGenesis("previous.chain_id is a chain id");
  const { height } = previous;
  if (typeof height !== "number" || !Number.isSafeInteger(height) || height < 0)
    throw invalidGenesis("previous.height is a non-negative integer");
  for (const name of HASHES) {
    const hash = previous[name];
    if (!isHex(hash, 32) || hash !== hash.toLowerCase()) throw invalidGenesis(`previous.${name} is a hash in lower-case hex`);
  }
  return value as PreviousChain;
}
