// What people sign beside transactions: a wallet for a node, a validator for a change of the set, a payer for a channel, a holder for a
// contract.
import { fromHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { domainBytes } from "../primitives/domains.ts";
import type { Upgrade } from "../primitives/params.ts";

/** A change of the validator set that needs approvals. */
export type ValidatorAction = "add" | "remove";

/** Codes of the actions in signed bytes and state keys. */
export const VALIDATOR_ACTION_CODES: Readonly<Record<ValidatorAction, number>> = { add: 1, remove: 2 };

/** An approval of a change, given at a time in unix seconds. */
export interface Approval {
  readonly action: ValidatorAction;
  readonly publicKey: PublicKeyHex;
  readonly signedAt: number;
}

/** A permission for one contract of one chain, good once and until a deadline. */
export interface ContractMessage {
  /** 16 lower-case hex characters. */
  readonly contractId: string;
  /** What is allowed: "permit" for an allowance of a token. */
  readonly purpose: string;
  /** Its particulars as texts: integers in decimal, keys in lower-case hex. */
  readonly fields: readonly string[];
  /** Signatures of the key that the contract has used up. */
  readonly nonce: number | bigint;
  /** Unix seconds of the last block that may take it. */
  readonly deadline: number | bigint;
}

/** Bytes that a wallet signs to receive the earnings of a node: domain `parley-wallet` over [node key]. */
export function walletSignBytes(chainId: string, nodePub: PublicKeyHex): Uint8Array {
  return domainBytes("wallet", chainId, [fromHex(nodePub)]);
}

/** Bytes that a validator (or the candidate) signs: domain `parley-approval` over [1 to add or 2 to remove, key, unix seconds]. */
export function approvalSignBytes(chainId: string, { action, publicKey, signedAt }: Approval): Uint8Array {
  return domainBytes("approval", chainId, [VALIDATOR_ACTION_CODES[action], fromHex(publicKey), signedAt]);
}

/** Bytes that a validator signs to approve an upgrade: domain `parley-upgrade` over [[[name, value] …], version or null, height, unix seconds]. */
export function upgradeSignBytes(chainId: string, { set, version, atHeight }: Upgrade, signedAt: number): Uint8Array {
  return domainBytes("upgrade", chainId, [set.map(({ name, value }) => [name, value]), version, atHeight, signedAt]);
}

/** Bytes that a new key signs to take over from a validator's present key: domain `parley-rotation` over [present key, new key]. */
export function rotationSignBytes(chainId: string, presentPub: PublicKeyHex, newPub: PublicKeyHex): Uint8Array {
  return domainBytes("rotation", chainId, [fromHex(presentPub), fromHex(newPub)]);
}

/** Bytes that the payer of a channel signs: domain `parley-voucher` over [channel id (16 bytes), µT paid in all]. */
export function voucherSignBytes(chainId: string, channelId: string, paidUt: AmountUt): Uint8Array {
  return domainBytes("voucher", chainId, [fromHex(channelId), paidUt]);
}

/** Bytes that the library of contracts checks: domain `parley-contract` over [contract id, purpose, fields …, nonce, deadline] as texts. */
export function contractSignBytes(chainId: string, { contractId, purpose, fields, nonce, deadline }: ContractMessage): Uint8Array {
  return domainBytes("contract", chainId, [contractId, purpose, ...fields, `${nonce}`, `${deadline}`]);
}
