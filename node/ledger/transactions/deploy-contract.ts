// DEPLOY_CONTRACT: stores a WebAssembly module and its interface under an id that follows from sender and transaction.
import { deployedContractId, parseContractAbi } from "#shared/protocol/contracts.ts";
import { MAX_ABI_BYTES, MAX_GAS_LIMIT, MAX_PAYLOAD_BYTES, MAX_WASM_BYTES } from "#shared/protocol/limits.ts";
import { base64Length, fromBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import { readContract, writeContract, writeContractCode } from "../contract-records.ts";
import { deploymentGas } from "../contracts/call-contract.ts";
import { parseArguments } from "../contracts/contract-value.ts";
import { checkedField, integerField, optional } from "./payload-fields.ts";
import type { TransactionRule } from "./transaction-rule.ts";

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
  failure: (state, tx, payload) => {
    // Nothing can run a module yet, so one that wants to be initialised would stay useless.
    if (payload.init_args_json !== undefined) return "CONTRACT_NOT_RUNNABLE";
    return readContract(state, deployedContractId(tx.from, tx.id)) === undefined ? undefined : "CONTRACT_EXISTS";
  },
  apply: (view, tx, payload, context) => {
    const code = fromBase64(payload.wasm_b64);
    const gasUsed = deploymentGas(code.length);
    if (gasUsed > payload.gas_limit) return { failure: "CONTRACT_OUT_OF_GAS", gasUsed: payload.gas_limit };
    const id = deployedContractId(tx.from, tx.id);
    const { abi_json: abiJson } = payload;
    writeContract(view, { id, deployerPub: tx.from, deployedAt: context.height, wasmSize: code.length, native: "", abiJson });
    writeContractCode(view, id, code);
    return { gasUsed };
  },
};

/** The shape of the whole, the content of its start: decoding all of it again at every check would cost more than it tells. */
function isModule(text: string): boolean {
  if (text.length % 4 !== 0 || base64Length(text) > MAX_WASM_BYTES || !text.startsWith(MODULE_START)) return false;
  const isShaped = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && tryFromBase64(text.slice(-4)) !== undefined;
  return isShaped && fromBase64(text.slice(0, 12))[7] === 0;
}
