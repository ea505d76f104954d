// From an intent to its transaction and its summary. Limits are checked here again: the interface is not trusted to have done so.
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/address.ts";
import { type AmountUt, addAmounts, formatAmount, isAmount } from "#shared/protocol/amount.ts";
import type { TransactionDraft } from "#shared/protocol/build-transaction.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";
import {
  MAX_DEVICE_NAME_BYTES,
  MAX_INTRO_CHARS,
  MAX_MEMO_BYTES,
  MAX_NICKNAME_BYTES,
  MIN_CONTACT_FEE_UT,
  MIN_FEE_UT,
} from "#shared/protocol/limits.ts";
import { countCodePoints, isPrintable } from "#shared/protocol/printable.ts";
import { isAcceptablePublicKey } from "#shared/protocol/signature.ts";
import type { TransactionType } from "#shared/protocol/transaction.ts";
import { isAcceptableX25519Key } from "#shared/protocol/x25519-key.ts";
import { assertNever } from "#shared/util/assert.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { Intent, IntentSummary } from "./intents.ts";

/** Who signs, and with which device. */
export interface IntentSigner {
  readonly masterPub: PublicKeyHex;
  readonly devicePub: X25519KeyHex;
}

type AnyDraft = { [T in TransactionType]: TransactionDraft<T> }[TransactionType];

/** The transaction that an intent stands for. @throws CodedError BAD_REQUEST naming the field. */
export function draftOfIntent(intent: Intent, signer: IntentSigner): AnyDraft {
  const base = { from: signer.masterPub, fee: feeOf(intent) };
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
export function summarizeIntent(intent: Intent, signer: IntentSigner): IntentSummary {
  const draft = draftOfIntent(intent, signer);
  const amountUt = draft.amount ?? 0;
  const feeUt = feeOf(intent);
  const totalUt = addAmounts(amountUt, feeUt);
  if (totalUt === undefined) throw invalid("amountUt", "and fee together exceed the largest possible amount");
  const to = draft.to ?? null;
  const toAddress = to === null ? null : formatAddress(to);
  const cost = `${formatAmount(totalUt)} in all, ${formatAmount(feeUt)} of it the fee`;
  return {
    kind: intent.kind,
    from: signer.masterPub,
    to,
    toAddress,
    amountUt,
    feeUt,
    totalUt,
    publicText: publicTextOf(intent),
    sentence: `${actionOf(intent, toAddress ?? "", signer)}. Cost: ${cost}.`,
  };
}

function actionOf(intent: Intent, address: string, signer: IntentSigner): string {
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

function publicTextOf(intent: Intent): string | null {
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

function feeOf(intent: Intent): AmountUt {
  const fee = intent.feeUt ?? MIN_FEE_UT;
  check(isAmount(fee) && fee >= MIN_FEE_UT, "feeUt", `is at least ${MIN_FEE_UT} µT`);
  return fee;
}

function amount(value: AmountUt): AmountUt {
  check(isAmount(value), "amountUt", "is a whole number of µT");
  return value;
}

function recipient(key: PublicKeyHex, field: string): PublicKeyHex {
  const hex = key.toLowerCase();
  check(isAcceptablePublicKey(hex), field, "is 64 hex characters of a usable key");
  return hex;
}

function other(key: PublicKeyHex, field: string, signer: IntentSigner): PublicKeyHex {
  const hex = recipient(key, field);
  check(hex !== signer.masterPub, field, "is another person than yourself");
  return hex;
}

function device(key: X25519KeyHex): X25519KeyHex {
  check(isAcceptableX25519Key(key), "devicePub", "is 64 hex characters of a usable X25519 key");
  return key.toLowerCase();
}

interface TextRule {
  readonly maxBytes?: number;
  readonly maxChars?: number;
  readonly printable?: boolean;
}

function optionalText<Name extends string>(name: Name, text: string | undefined, rule: TextRule): { readonly [N in Name]?: string } {
  if (text === undefined || text === "") return {};
  checkText(name, text, rule);
  return { [name]: text } as { readonly [N in Name]?: string };
}

function checkText(field: string, text: string, rule: TextRule): void {
  if (rule.maxBytes !== undefined) check(utf8(text).length <= rule.maxBytes, field, `is at most ${rule.maxBytes} bytes`);
  if (rule.maxChars !== undefined) check(countCodePoints(text) <= rule.maxChars, field, `is at most ${rule.maxChars} characters`);
  if (rule.printable === true) check(isPrintable(text), field, "has no control or invisible characters");
}

function check(condition: boolean, field: string, rule: string): void {
  if (!condition) throw invalid(field, rule);
}

function invalid(field: string, rule: string): CodedError {
  return new CodedError("BAD_REQUEST", `${field} ${rule}`, { details: { field } });
}
