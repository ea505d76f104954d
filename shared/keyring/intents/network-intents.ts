// Intents about the network: contract calls, payment channels, the validator set.
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_ARGUMENTS_BYTES, MAX_GAS_LIMIT, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { isContractId, isMethodName, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import { encodePayload, type PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { assertNever } from "#shared/util/assert.ts";
import { base64Length, isHex, tryFromBase64 } from "#shared/util/bytes.ts";
import { type AnyDraft, amount, check, checkText, feeOf, type IntentSigner, other, recipient } from "./intent-checks.ts";
import type { CallContractIntent, DeployContractIntent, NetworkIntent } from "./intents.ts";

const CHANNEL_ID_BYTES = 16;
const SIGNATURE_BYTES = 64;

/** The transaction of an intent. @throws CodedError BAD_REQUEST naming the field. */
export function draftOfNetworkIntent(intent: NetworkIntent, signer: IntentSigner, leastFeeUt?: AmountUt): AnyDraft {
  const base = { from: signer.masterPub, fee: feeOf(intent, leastFeeUt) };
  switch (intent.kind) {
    case "callContract": {
      const payload = callOf(intent);
      const fee = intent.feeUt === undefined ? minimumFeeUt(encodePayload<"CALL_CONTRACT">(payload), leastFeeUt) : base.fee;
      return { ...base, type: "CALL_CONTRACT", fee, amount: amount(intent.amountUt), payload };
    }
    case "deployContract": {
      const payload = deploymentOf(intent);
      const fee = intent.feeUt === undefined ? minimumFeeUt(encodePayload<"DEPLOY_CONTRACT">(payload), leastFeeUt) : base.fee;
      return { ...base, type: "DEPLOY_CONTRACT", fee, payload };
    }
    case "openChannel":
      check(intent.amountUt >= 1, "amountUt", "is at least 1 µT");
      check(Number.isSafeInteger(intent.expiresAt) && intent.expiresAt > 0, "expiresAt", "is a time in unix seconds");
      return {
        ...base,
        type: "OPEN_PAY_CHAN",
        to: other(intent.to, "to", signer),
        amount: amount(intent.amountUt),
        payload: { channel_id: channelId(intent.channelId), expires_at: intent.expiresAt },
      };
    case "closeChannel":
      return {
        ...base,
        type: "CLOSE_PAY_CHAN",
        to: other(intent.to, "to", signer),
        payload: { channel_id: channelId(intent.channelId), paid_ut: amount(intent.paidUt), ...voucherField(intent.voucher) },
      };
    case "addValidator":
      return { ...base, type: "ADD_VALIDATOR", payload: { pub_key: recipient(intent.validator, "validator") } };
    case "removeValidator":
      return { ...base, type: "REMOVE_VALIDATOR", payload: { pub_key: recipient(intent.validator, "validator") } };
    default:
      return assertNever(intent);
  }
}

/** What an intent does, in words without a full stop. */
export function actionOfNetworkIntent(intent: NetworkIntent): string {
  switch (intent.kind) {
    case "callContract": {
      const attached = intent.amountUt === 0 ? "" : ` with ${formatAmount(intent.amountUt)} attached`;
      return `Call ${intent.method} of the contract ${intent.contractId}${attached}`;
    }
    case "deployContract":
      return `Deploy the contract ${parseContractAbi(intent.abiJson)?.contract ?? ""}, a module of ${base64Length(intent.wasmB64)} bytes`;
    case "openChannel":
      return `Lock ${formatAmount(intent.amountUt)} in the payment channel ${intent.channelId} to ${formatAddress(intent.to)}`;
    case "closeChannel":
      return `Close the payment channel ${intent.channelId} with ${formatAmount(intent.paidUt)} for its payee`;
    case "addValidator":
      return `Approve ${formatAddress(intent.validator)} as a validator`;
    case "removeValidator":
      return `Approve that ${formatAddress(intent.validator)} leaves the validators`;
    default:
      return assertNever(intent);
  }
}

/** What becomes public with an intent. */
export function publicTextOfNetworkIntent(intent: NetworkIntent): string | null {
  switch (intent.kind) {
    case "callContract":
      return `${intent.method}${intent.argsJson === "" ? "[]" : intent.argsJson}`;
    case "deployContract":
      return parseContractAbi(intent.abiJson)?.contract ?? null;
    case "openChannel":
    case "closeChannel":
      return intent.channelId;
    case "addValidator":
    case "removeValidator":
      return null;
    default:
      return assertNever(intent);
  }
}

interface CallPayload {
  readonly contract_id: string;
  readonly method: string;
  readonly args_json: string;
  readonly gas_limit: number;
}

function callOf({ contractId, method, argsJson, gasLimit }: CallContractIntent): CallPayload {
  check(isContractId(contractId), "contractId", "is 16 hex characters");
  check(isMethodName(method), "method", "is an identifier");
  checkText("argsJson", argsJson, { maxBytes: MAX_ARGUMENTS_BYTES });
  check(argsJson === "" || isList(argsJson), "argsJson", "is a JSON list");
  checkGas(gasLimit);
  return { contract_id: contractId.toLowerCase(), method, args_json: argsJson, gas_limit: gasLimit };
}

function deploymentOf({ wasmB64, abiJson, initArgsJson, gasLimit }: DeployContractIntent): PayloadOf<"DEPLOY_CONTRACT"> {
  const code = tryFromBase64(wasmB64);
  check(code !== undefined && code.length <= MAX_WASM_BYTES, "wasmB64", `is base64 of a module of at most ${MAX_WASM_BYTES} bytes`);
  check(parseContractAbi(abiJson) !== undefined, "abiJson", "is the JSON of an ABI");
  checkGas(gasLimit);
  const payload = { wasm_b64: wasmB64, abi_json: abiJson, gas_limit: gasLimit };
  if (initArgsJson === undefined) return payload;
  checkText("initArgsJson", initArgsJson, { maxBytes: MAX_ARGUMENTS_BYTES });
  check(isList(initArgsJson), "initArgsJson", "is a JSON list");
  return { ...payload, init_args_json: initArgsJson };
}

function checkGas(gasLimit: number): void {
  check(Number.isSafeInteger(gasLimit) && gasLimit >= 1 && gasLimit <= MAX_GAS_LIMIT, "gasLimit", `is between 1 and ${MAX_GAS_LIMIT}`);
}

function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

function channelId(id: string): string {
  check(isHex(id, CHANNEL_ID_BYTES), "channelId", "is 32 hex characters");
  return id.toLowerCase();
}

function voucherField(voucher: string | undefined): { readonly voucher_sig?: string } {
  if (voucher === undefined) return {};
  check(tryFromBase64(voucher)?.length === SIGNATURE_BYTES, "voucher", "is a signature in base64");
  return { voucher_sig: voucher };
}
