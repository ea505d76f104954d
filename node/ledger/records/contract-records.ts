// Records of contracts: what was deployed, its code, its state and its balance.
import { encode, type TypeOf } from "#shared/codec/codec.ts";
import { array, record } from "#shared/codec/composites.ts";
import { hexUpTo, integer, textUpTo } from "#shared/codec/scalars.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex, toHex, writeHex } from "#shared/util/bytes.ts";
import { decodeRecord } from "../record-codec.ts";
import type { StateReader, StateView } from "../state-view.ts";

/** Bytes of a contract id, which the keys of its state begin with. */
export const CONTRACT_ID_BYTES = 8;

const contractCodec = record({
  /** "" for a native contract. */
  deployerPub: hexUpTo(32),
  /** Height of the block. */
  deployedAt: integer(),
  /** Bytes of its WebAssembly module; 0 for a native contract. */
  wasmSize: integer(),
  /** Name of the native contract, or "". */
  native: textUpTo(),
  abiJson: textUpTo(),
  /** Hex of the SHA-256 of its module; "" for a native contract. */
  codeHash: hexUpTo(32),
  /** Version of the host interface that its module was checked for; 0 for a native contract. */
  vmVersion: integer(),
  /** What loading its module costs, in bytes of metered code; 0 for a native contract. */
  wasmWeight: integer(),
});

export type ContractRecord = { readonly id: ContractId } & TypeOf<typeof contractCodec>;

const balanceCodec = array(integer());

/** A contract, or undefined. */
export function readContract(reader: StateReader, id: ContractId): ContractRecord | undefined {
  const value = readContractBytes(reader, id);
  return value === undefined ? undefined : decodeContract(fromHex(id), value);
}

/** Bytes of a contract's record, for {@link decodeContract}: who is paid by the byte asks for its price before. */
export function readContractBytes(reader: StateReader, id: ContractId): Uint8Array | undefined {
  return reader.get("contract", fromHex(id));
}

/** Contract of a key and value of the namespace `contract`. */
export function decodeContract(key: Uint8Array, value: Uint8Array): ContractRecord {
  return { id: toHex(key), ...decodeRecord(contractCodec, value) };
}

/** CBOR [deployer, height, code size, native name, ABI, code hash, version of the machine, code weight] under the id. */
export function writeContract(view: StateView, contract: ContractRecord): void {
  view.set("contract", fromHex(contract.id), encode(contractCodec, contract));
}

/** The WebAssembly module of a contract. */
export function readContractCode(reader: StateReader, id: ContractId): Uint8Array | undefined {
  return reader.get("contract_code", fromHex(id));
}

/** The module's bytes under the id. */
export function writeContractCode(view: StateView, id: ContractId, code: Uint8Array): void {
  view.set("contract_code", fromHex(id), code);
}

/** Key of a contract's value in the namespace `contract_state`: id ‖ key. */
export function contractStateKey(id: ContractId, key: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(CONTRACT_ID_BYTES + key.length);
  writeHex(id, bytes, 0);
  bytes.set(key, CONTRACT_ID_BYTES);
  return bytes;
}

/** Balance of a contract, µT. */
export function readContractBalance(reader: StateReader, id: ContractId): AmountUt {
  const value = reader.get("contract_balance", fromHex(id));
  return value === undefined ? 0 : decodeRecord(balanceCodec, value);
}

/** CBOR [µT] under the id; none for a balance of 0. */
export function writeContractBalance(view: StateView, id: ContractId, balanceUt: AmountUt): void {
  if (balanceUt === 0) view.delete("contract_balance", fromHex(id));
  else view.set("contract_balance", fromHex(id), encode(balanceCodec, balanceUt));
}
