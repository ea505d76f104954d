// What a person may ask the keyring to sign. The keyring rebuilds the transaction from the intent: it never takes bytes to sign.

import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Pay an amount to a key. */
export interface PayIntent {
  readonly kind: "pay";
  /** Hex master key of the recipient. */
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
  /** Signed with the payment and public; at most 256 bytes. */
  readonly memo?: string;
  /** µT; the minimum when not given. */
  readonly feeUt?: AmountUt;
}

/** Publish this device's encryption key as the identity's own (REGISTER_KEY). */
export interface RegisterKeyIntent {
  readonly kind: "registerKey";
  readonly nickname?: string;
  readonly feeUt?: AmountUt;
}

/** List a device of the identity (LINK_DEVICE): this one unless another key is given. */
export interface LinkDeviceIntent {
  readonly kind: "linkDevice";
  readonly deviceName: string;
  readonly devicePub?: X25519KeyHex;
  readonly feeUt?: AmountUt;
}

/** Revoke a device of the identity (UNLINK_DEVICE). */
export interface UnlinkDeviceIntent {
  readonly kind: "unlinkDevice";
  readonly devicePub: X25519KeyHex;
  readonly feeUt?: AmountUt;
}

/** Ask a person to become a contact; the amount is paid to them and does not come back. */
export interface RequestContactIntent {
  readonly kind: "requestContact";
  readonly to: PublicKeyHex;
  /** At least 5000 µT. */
  readonly amountUt: AmountUt;
  /** Public text, at most 280 characters. */
  readonly intro?: string;
  readonly feeUt?: AmountUt;
}

/** Accept a request, or lift a block. */
export interface AcceptContactIntent {
  readonly kind: "acceptContact";
  readonly requester: PublicKeyHex;
  readonly feeUt?: AmountUt;
}

/** Block the person behind a request. */
export interface BlockContactIntent {
  readonly kind: "blockContact";
  readonly requester: PublicKeyHex;
  readonly feeUt?: AmountUt;
}

/** Call a method of a contract. */
export interface CallContractIntent {
  readonly kind: "callContract";
  /** 16 hex characters. */
  readonly contractId: ContractId;
  readonly method: string;
  /** Text of a JSON list, or "" for no arguments. */
  readonly argsJson: string;
  /** µT attached to the call. */
  readonly amountUt: AmountUt;
  readonly gasLimit: number;
  readonly feeUt?: AmountUt;
}

/** Deploy a contract. */
export interface DeployContractIntent {
  readonly kind: "deployContract";
  /** Base64 of the module. */
  readonly wasmB64: string;
  /** JSON of its interface. */
  readonly abiJson: string;
  /** Text of a JSON list for `init`; left out where the contract has none. */
  readonly initArgsJson?: string;
  readonly gasLimit: number;
  readonly feeUt?: AmountUt;
}

/** Lock a deposit from which a person is paid by vouchers. */
export interface OpenChannelIntent {
  readonly kind: "openChannel";
  readonly to: PublicKeyHex;
  /** The deposit. */
  readonly amountUt: AmountUt;
  /** 32 hex characters, chosen at random. */
  readonly channelId: string;
  /** Unix seconds from which the payer can close it alone. */
  readonly expiresAt: number;
  readonly feeUt?: AmountUt;
}

/** Close a channel: as payee with the payer's voucher, as payer after it has expired. */
export interface CloseChannelIntent {
  readonly kind: "closeChannel";
  /** The other party. */
  readonly to: PublicKeyHex;
  readonly channelId: string;
  /** What the payee gets of the deposit. */
  readonly paidUt: AmountUt;
  /** Base64; the payee's proof. */
  readonly voucher?: string;
  readonly feeUt?: AmountUt;
}

/** Ask to become a validator (one's own key), or approve another's request. */
export interface AddValidatorIntent {
  readonly kind: "addValidator";
  readonly validator: PublicKeyHex;
  readonly feeUt?: AmountUt;
}

/** Leave the validator set (one's own key), or approve that another leaves. */
export interface RemoveValidatorIntent {
  readonly kind: "removeValidator";
  readonly validator: PublicKeyHex;
  readonly feeUt?: AmountUt;
}

/** Intents about the network itself: contracts, channels, the validator set. */
export type NetworkIntent =
  | CallContractIntent
  | DeployContractIntent
  | OpenChannelIntent
  | CloseChannelIntent
  | AddValidatorIntent
  | RemoveValidatorIntent;

/** Intents of a person: money, keys, contacts. */
export type PersonalIntent =
  | PayIntent
  | RegisterKeyIntent
  | LinkDeviceIntent
  | UnlinkDeviceIntent
  | RequestContactIntent
  | AcceptContactIntent
  | BlockContactIntent;

/** Everything the keyring signs as a transaction. */
export type Intent = PersonalIntent | NetworkIntent;

export type IntentKind = Intent["kind"];

/** What an intent does, as data for the interface and one plain English sentence. */
export interface IntentSummary {
  readonly kind: IntentKind;
  readonly from: PublicKeyHex;
  /** The other party, or null where the intent has none. */
  readonly to: PublicKeyHex | null;
  /** Full wallet address of `to`. */
  readonly toAddress: string | null;
  readonly amountUt: AmountUt;
  readonly feeUt: AmountUt;
  /** What the gas limit costs at most, beside the fee; 0 where no contract is called. */
  readonly maxGasUt: AmountUt;
  /** Amount, fee and gas limit together: the most that leaves the account. */
  readonly totalUt: AmountUt;
  /** The memo, intro, nickname, device name, device key, call or channel id that becomes public with it, else null. */
  readonly publicText: string | null;
  /** One sentence with the full address and the exact cost. */
  readonly sentence: string;
}

/** A signed transaction, ready to submit, with what it does. */
export interface SignedIntent {
  readonly transaction: Transaction;
  readonly summary: IntentSummary;
}
