// DEPLOY_CONTRACT: checks a WebAssembly module, stores it with its interface under an id that follows from sender and transaction, and
// initialises it.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { MAX_ABI_BYTES, MAX_GAS_LIMIT, MAX_PAYLOAD_BYTES, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import {
  type ContractAbi,
  type ContractId,
  deployedContractId,
  INIT_METHOD,
  parseContractAbi,
} from "#shared/protocol/transactions/contracts.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { base64Length, fromBase64, toHex, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import type { TransactionContext } from "../../context.ts";
import { deploymentGas } from "../../contracts/call-contract.ts";
import { parseArguments } from "../../contracts/contract-value.ts";
import { VM_VERSION } from "../../contracts/contract-vm.ts";
import { readContract, writeContract, writeContractCode } from "../../records/contract-records.ts";
import type { StateView } from "../../state-view.ts";
import { checkedField, integerField, optional } from "../payload-fields.ts";
import type { Effects, TransactionRule } from "../transaction-rule.ts";
import { runTransactionCall } from "./run-transaction-call.ts";

/** Base64 of the magic number and version 1 of a module, as far as it is whole characters. */
const MODULE_START = "AGFzbQEAAA";

export const deployContract: TransactionRule<"DEPLOY_CONTRACT"> = {
  recipient: "none",
  minimumAmountUt: "none",
  fields: {
    wasm_b64: checkedField(`base64 of a WebAssembly module of at most ${MAX_WASM_BYTES} bytes`, isModule),
    abi_json: checkedField(`the JSON of an ABI of at most ${MAX_ABI_BYTES} bytes`, (text) => parseContractAbi(text) !== undefined),
    init_args_json: optional(checkedField("the JSON of a list of arguments", (text) => parseArguments(text) !== undefined)),
    gas_limit: integerField(1, MAX_GAS_LIMIT),
  },
  maxPayloadBytes: MAX_PAYLOAD_BYTES,
  gasLimit: (payload) => payload.gas_limit,
  failure: (state, tx) => (readContract(state, deployedContractId(tx.from, tx.id)) === undefined ? undefined : "CONTRACT_EXISTS"),
  apply: (view, tx, payload, context) => {
    const { abi_json: abiJson, gas_limit: gasLimit } = payload;
    const storeGas = deploymentGas(base64Length(payload.wasm_b64), utf8(abiJson).length);
    if (storeGas > gasLimit) return { failure: "CONTRACT_OUT_OF_GAS", gasUsed: gasLimit };
    const { trial } = context;
    // What would cost too much to try is admitted, and pays in its block for what it turns out to be.
    if (trial !== undefined && storeGas > trial.gas) return { gasUsed: gasLimit };
    if (trial !== undefined) trial.gas -= storeGas;
    const code = fromBase64(payload.wasm_b64);
    const inspection = context.vm.inspect(code);
    if (!inspection.isValid) return { failure: "CONTRACT_MODULE_INVALID", gasUsed: storeGas };
    if (!hasMethods(inspection.entries, parseContractAbi(abiJson))) return { failure: "CONTRACT_ABI_MISMATCH", gasUsed: storeGas };
    const id = deployedContractId(tx.from, tx.id);
    storeModule(view, { id, deployer: tx.from, height: context.height, code, abiJson, weight: inspection.weight });
    return initialise(view, tx, { id, payload, storeGas }, context);
  },
};

/** A module that was inspected, to be stored with its interface. */
export interface NewModule {
  readonly id: ContractId;
  readonly deployer: PublicKeyHex;
  readonly height: Height;
  readonly code: Uint8Array;
  readonly abiJson: string;
  readonly weight: number;
}

/** Stores a module under its id. */
export function storeModule(view: StateView, { id, deployer, height, code, abiJson, weight }: NewModule): void {
  const module = { wasmSize: code.length, wasmWeight: weight, vmVersion: VM_VERSION, codeHash: toHex(sha256(code)) };
  writeContract(view, { id, deployerPub: deployer, deployedAt: height, native: "", abiJson, ...module });
  writeContractCode(view, id, code);
}

function hasMethods(entries: ReadonlySet<string>, abi: ContractAbi | undefined): boolean {
  return abi?.methods.every(({ name }) => entries.has(name)) ?? false;
}

interface Deployment {
  readonly id: ContractId;
  readonly payload: PayloadOf<"DEPLOY_CONTRACT">;
  readonly storeGas: number;
}

/** Calls the contract's own `init`, when it has one; arguments without one are an error. */
function initialise(view: StateView, tx: Transaction, { id, payload, storeGas }: Deployment, context: TransactionContext): Effects {
  const { abi_json: abiJson, init_args_json: argsJson = "", gas_limit: gasLimit } = payload;
  const hasInit = parseContractAbi(abiJson)?.methods.some(({ name }) => name === INIT_METHOD);
  if (!hasInit)
    return parseArguments(argsJson)?.length === 0 ? { gasUsed: storeGas } : { failure: "CONTRACT_ARGUMENTS", gasUsed: storeGas };
  const call = { contractId: id, method: INIT_METHOD, argsJson, amountUt: 0, gasLimit: gasLimit - storeGas, isDeployment: true };
  const effects = runTransactionCall(view, tx, call, context);
  return { ...effects, gasUsed: storeGas + (effects.gasUsed ?? 0) };
}

/** The shape of the whole, the content of its start: decoding all of it again at every check would cost more than it shows. */
function isModule(text: string): boolean {
  if (text.length % 4 !== 0 || base64Length(text) > MAX_WASM_BYTES || !text.startsWith(MODULE_START)) return false;
  const isShaped = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && tryFromBase64(text.slice(-4)) !== undefined;
  return isShaped && fromBase64(text.slice(0, 12))[7] === 0;
}
