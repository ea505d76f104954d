// Transactions that call and deploy contracts.
import { type ContractAbi, NATIVE_CONTRACTS, type NativeContractName, nativeContractId } from "#shared/protocol/contracts.ts";
import type { Genesis } from "#shared/protocol/genesis.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { type Actor, GENESIS, signed } from "./ledger-world.ts";

/** A genesis with all native contracts. */
export const CONTRACTS_GENESIS: Genesis = { ...GENESIS, contracts: [...NATIVE_CONTRACTS] };

/** The smallest WebAssembly module. */
export const EMPTY_MODULE = toBase64(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

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

/** A deployment of {@link EMPTY_MODULE} under an interface. */
export function deployEmpty(deployer: Actor, abi: Partial<ContractAbi> = {}): Transaction {
  const abiJson = JSON.stringify({ contract: "shop", version: "1.0", methods: [], ...abi });
  return signed(deployer, { type: "DEPLOY_CONTRACT", payload: { wasm_b64: EMPTY_MODULE, abi_json: abiJson, gas_limit: 1_000_000 } });
}
