// Transactions that call and deploy contracts.

import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { type ContractAbi, NATIVE_CONTRACTS, type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { buildModule } from "../vm/wasm-builder.ts";
import { type Actor, GENESIS, signed } from "../worlds/ledger-world.ts";

/** A genesis with all native contracts. */
export const CONTRACTS_GENESIS: Genesis = { ...GENESIS, contracts: [...NATIVE_CONTRACTS] };

/** A module whose methods do nothing. */
export function emptyModule(...methods: readonly string[]): Uint8Array {
  return buildModule({ functions: methods.map((method) => ({ code: [], export: method })) });
}

/** What a call carries besides its method. */
export interface CallOptions {
  readonly args?: readonly unknown[];
  readonly amountUt?: number;
}

/** A call of a native contract. */
export function callNative(caller: Actor, name: NativeContractName, method: string, options: CallOptions = {}): Transaction {
  const { args = [], amountUt = 0 } = options;
  const payload = { contract_id: nativeContractId(name), method, args_json: JSON.stringify(args) };
  return signed(caller, { type: "CALL_CONTRACT", amount: amountUt, payload });
}

/** A deployment of a contract whose methods do nothing. */
export function deployEmpty(deployer: Actor, abi: Partial<ContractAbi> = {}): Transaction {
  const whole: ContractAbi = { contract: "shop", version: "1.0", methods: [], ...abi };
  const code = emptyModule(...whole.methods.map(({ name }) => name));
  const payload = { wasm_b64: toBase64(code), abi_json: JSON.stringify(whole), gas_limit: 1_000_000 };
  return signed(deployer, { type: "DEPLOY_CONTRACT", payload });
}
