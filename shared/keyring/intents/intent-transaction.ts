// From an intent to its transaction and its summary. Limits are checked here again: the interface is not trusted to have done so.
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, addAmounts, formatAmount } from "#shared/protocol/primitives/amount.ts";
import {
  MAX_DEVICE_NAME_BYTES,
  MAX_INTRO_CHARS,
  MAX_MEMO_BYTES,
  MAX_NICKNAME_BYTES,
  MIN_CONTACT_FEE_UT,
} from "#shared/protocol/primitives/limits.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { assertNever } from "#shared/util/assert.ts";
import {
  type AnyDraft,
  amount,
  check,
  checkText,
  device,
  feeOf,
  type IntentSigner,
  invalid,
  optionalText,
  other,
  recipient,
} from "./intent-checks.ts";
import type { Intent, IntentSummary, NetworkIntent, PersonalIntent } from "./intents.ts";
import { actionOfNetworkIntent, draftOfNetworkIntent, publicTextOfNetworkIntent } from "./network-intents.ts";

const NETWORK_KINDS: ReadonlySet<string> = new Set<NetworkIntent["kind"]>([
  "callContract",
  "deployContract",
  "openChannel",
  "closeChannel",
  "addValidator",
  "removeValidator",
]);

/**
 * The transaction of an intent.
 * @param leastFeeUt smallest fee of the network, µT: what an intent without a fee pays, with more for a large payload
 * @throws CodedError BAD_REQUEST naming the field.
 */
export function draftOfIntent(intent: Intent, signer: IntentSigner, leastFeeUt?: AmountUt): AnyDraft {
  return isNetworkIntent(intent) ? draftOfNetworkIntent(intent, signer, leastFeeUt) : draftOfPersonalIntent(intent, signer, leastFeeUt);
}

function isNetworkIntent(intent: Intent): intent is NetworkIntent {
  return NETWORK_KINDS.has(intent.kind);
}

function draftOfPersonalIntent(intent: PersonalIntent, signer: IntentSigner, leastFeeUt: AmountUt | undefined): AnyDraft {
  const base = { from: signer.masterPub, fee: feeOf(intent, leastFeeUt) };
  switch (intent.kind) {
    case "pay":
      check(intent.amountUt >= 1, "amountUt", "is at least 1 µT");
      return {
        ...base,
        type: "TRANSFER",
        to: recipient(intent.to, "to"),
        amount: amount(intent.amountUt),
        payload: optionalText("memo", intent.memo, { maxBytes: MAX_MEMO_BYTES }),
      };
    case "registerKey":
      return {
        ...base,
        type: "REGISTER_KEY",
        payload: {
          x25519_pub_key: signer.devicePub,
          ...optionalText("nickname", intent.nickname, { maxBytes: MAX_NICKNAME_BYTES, printable: true }),
        },
      };
    case "linkDevice":
      check(intent.deviceName !== "", "deviceName", "is not empty");
      checkText("deviceName", intent.deviceName, { maxBytes: MAX_DEVICE_NAME_BYTES, printable: true });
      return {
        ...base,
        type: "LINK_DEVICE",
        payload: { x25519_pub_key: device(intent.devicePub ?? signer.devicePub), device_name: intent.deviceName },
      };
    case "unlinkDevice":
      return { ...base, type: "UNLINK_DEVICE", payload: { x25519_pub_key: device(intent.devicePub) } };
    case "requestContact":
      check(intent.amountUt >= MIN_CONTACT_FEE_UT, "amountUt", `is at least ${MIN_CONTACT_FEE_UT} µT`);
      return {
        ...base,
        type: "CONTACT_REQUEST",
        to: other(intent.to, "to", signer),
        amount: amount(intent.amountUt),
        payload: optionalText("intro", intent.intro, { maxChars: MAX_INTRO_CHARS }),
      };
    case "acceptContact":
      return { ...base, type: "ACCEPT_CONTACT", to: other(intent.requester, "requester", signer), payload: {} };
    case "blockContact":
      return { ...base, type: "BLOCK_CONTACT", to: other(intent.requester, "requester", signer), payload: {} };
    default:
      return assertNever(intent);
  }
}

/** What an intent does. @throws CodedError BAD_REQUEST as {@link draftOfIntent}. */
export function summarizeIntent(intent: Intent, signer: IntentSigner, leastFeeUt?: AmountUt): IntentSummary {
  const draft = draftOfIntent(intent, signer, leastFeeUt);
  const amountUt = draft.amount ?? 0;
  const feeUt = draft.fee ?? feeOf(intent, leastFeeUt);
  const maxGasUt = intent.kind === "callContract" || intent.kind === "deployContract" ? gasPriceUt(intent.gasLimit) : 0;
  const totalUt = addAmounts(amountUt, feeUt + maxGasUt);
  if (totalUt === undefined) throw invalid("amountUt", "and fee together exceed the largest possible amount");
  const to = draft.to ?? null;
  const toAddress = to === null ? null : formatAddress(to);
  const gas = maxGasUt === 0 ? "" : ` and at most ${formatAmount(maxGasUt)} for gas`;
  const cost = `${formatAmount(totalUt)} in all, ${formatAmount(feeUt)} of it the fee${gas}`;
  return {
    kind: intent.kind,
    from: signer.masterPub,
    to,
    toAddress,
    amountUt,
    feeUt,
    maxGasUt,
    totalUt,
    publicText: isNetworkIntent(intent) ? publicTextOfNetworkIntent(intent) : publicTextOf(intent),
    sentence: `${isNetworkIntent(intent) ? actionOfNetworkIntent(intent) : actionOf(intent, toAddress ?? "", signer)}. Cost: ${cost}.`,
  };
}

function actionOf(intent: PersonalIntent, address: string, signer: IntentSigner): string {
  switch (intent.kind) {
    case "pay":
      return `Pay ${formatAmount(intent.amountUt)} to ${address}`;
    case "registerKey":
      return "Publish this device's encryption key as the key of this identity";
    case "linkDevice":
      return `Link the device "${intent.deviceName}" with the key ${intent.devicePub ?? signer.devicePub}`;
    case "unlinkDevice":
      return `Unlink the device with the key ${intent.devicePub}`;
    case "requestContact":
      return `Ask ${address} to become a contact and pay them ${formatAmount(intent.amountUt)}, which does not come back`;
    case "acceptContact":
      return `Accept ${address} as a contact`;
    case "blockContact":
      return `Block ${address}`;
    default:
      return assertNever(intent);
  }
}

function publicTextOf(intent: PersonalIntent): string | null {
  switch (intent.kind) {
    case "pay":
      return intent.memo ?? null;
    case "registerKey":
      return intent.nickname ?? null;
    case "linkDevice":
      return intent.deviceName;
    case "unlinkDevice":
      return intent.devicePub;
    case "requestContact":
      return intent.intro ?? null;
    case "acceptContact":
    case "blockContact":
      return null;
    default:
      return assertNever(intent);
  }
}
