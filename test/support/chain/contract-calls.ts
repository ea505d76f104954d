// Transactions that call and deploy contracts.

import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { type ContractAbi, NATIVE_CONTRACTS, type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { concatBytes, toBase64, utf8 } from "#shared/util/bytes.ts";
import { buildModule } from "../vm/wasm-builder.ts";
import { type Actor, GENESIS, signed } from "../worlds/ledger-world.ts";

/** A genesis with all native contracts. */
export const CONTRACTS_GENESIS: Genesis = { ...GENESIS, contracts: [...NATIVE_CONTRACTS] };

/** A module whose methods do nothing. */
export function emptyModule(...methods: readonly string[]): Uint8Array {
  return buildModule({ functions: methods.map((method) => ({ code: [], export: method })) });
}

const CUSTOM_SECTION = 0;
const LENGTH_BYTES = 3;

/** A valid module of so many bytes, more than 20,000, whose last section means nothing; `salt` makes it another one. */
export function paddedModule(bytes: number, salt: Uint8Array): Uint8Array {
  const module = emptyModule("run");
  const contentBytes = bytes - module.length - 1 - LENGTH_BYTES;
  const content = new Uint8Array(contentBytes);
  // Its first byte is the length of its name.
  content.set(salt, 1);
  const length = Uint8Array.of((contentBytes & 127) | 128, ((contentBytes >> 7) & 127) | 128, contentBytes >> 14);
  return concatBytes(module, Uint8Array.of(CUSTOM_SECTION), length, content);
}

/** A deployment of a module of so many bytes; `times` multiplies the smallest fee of its size. */
export function deployPadded(deployer: Actor, bytes: number, { salt = 0, times = 1 }: { salt?: number; times?: number } = {}): Transaction {
  const wasm_b64 = toBase64(paddedModule(bytes, utf8(String(salt))));
  const abi_json = '{"contract":"x","version":"1","methods":[]}';
  const intent = { type: "DEPLOY_CONTRACT", payload: { wasm_b64, abi_json, gas_limit: 60_000_000 } } as const;
  return times === 1 ? signed(deployer, intent) : signed(deployer, { ...intent, fee: Math.ceil(signed(deployer, intent).fee * times) });
}

/** What a call carries besides its method. */
export interface CallOptions {
  readonly args?: readonly unknown[];
  readonly amountUt?: number;
  readonly nowMs?: number;
}

/** A call of a native contract. */
export function callNative(caller: Actor, name: NativeContractName, method: string, options: CallOptions = {}): Transaction {
  const { args = [], amountUt = 0, nowMs } = options;
  const payload = { contract_id: nativeContractId(name), method, args_json: JSON.stringify(args) };
  return signed(caller, { type: "CALL_CONTRACT", amount: amountUt, payload, ...(nowMs !== undefined && { nowMs }) });
}

/** A deployment of a contract whose methods do nothing. */
export function deployEmpty(deployer: Actor, abi: Partial<ContractAbi> = {}): Transaction {
  const whole: ContractAbi = { contract: "shop", version: "1.0", methods: [], ...abi };
  const code = emptyModule(...whole.methods.map(({ name }) => name));
  const payload = { wasm_b64: toBase64(code), abi_json: JSON.stringify(whole), gas_limit: 1_000_000 };
  return signed(deployer, { type: "DEPLOY_CONTRACT", payload });
}
