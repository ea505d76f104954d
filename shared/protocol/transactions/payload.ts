// Payloads of transactions: a JSON object, base64 of its UTF-8 text. The rules of each type are in node/ledger/transactions/.
import { fromUtf8, toBase64, tryFromBase64, utf8 } from "#shared/util/bytes.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { MAX_PAYLOAD_DEPTH } from "../primitives/limits.ts";
import type { ParamChanges } from "../primitives/params.ts";
import { parseStrictJson } from "../primitives/strict-json.ts";
import type { TransactionType } from "./transaction.ts";

/** A relay's claim of the fee of one envelope. */
export interface RelayClaim {
  readonly envelope_id: string;
  /** X25519 key of the recipient. */
  readonly recipient_pub: string;
  /** Ed25519 key of the sender, who pays. */
  readonly sender_pub: string;
  readonly fee_ut: AmountUt;
  /** Base64 of the sender's fee authorisation. */
  readonly fee_sig: string;
}

/** An approval of a change of the validator set that was given outside a transaction. */
export interface Cosignature {
  readonly validator_pub: string;
  /** Unix seconds. */
  readonly signed_at: number;
  /** Base64. */
  readonly signature: string;
}

/** ADD_VALIDATOR and REMOVE_VALIDATOR. */
export interface ValidatorChange {
  readonly pub_key: string;
  readonly cosigs?: readonly Cosignature[];
}

/** UPGRADE: what to change, and the version to change to. Nothing of both cancels what is pending. */
export interface UpgradePayload {
  readonly set: ParamChanges;
  readonly version?: number;
  /** Not before this height. */
  readonly at_height: number;
  readonly cosigs?: readonly Cosignature[];
}

/** ROTATE_KEY: the key that votes from the next height on, and its signature of domain `parley-rotation`. */
export interface RotateKeyPayload {
  readonly new_pub: string;
  /** Base64. */
  readonly new_sig: string;
}

/** One of two conflicting votes; the hash is null in a vote for nothing. */
export interface VoteStatement {
  readonly block_hash: string | null;
  readonly signature: string;
}

/** One of two conflicting proposals. */
export interface ProposalStatement {
  readonly block_hash: string;
  readonly valid_round: number;
  readonly signature: string;
}

/** Two signed statements of one validator that contradict each other. */
export interface EquivocationOf<Step extends string, Statement> {
  readonly validator_pub: string;
  readonly height: number;
  readonly round: number;
  readonly step: Step;
  readonly first: Statement;
  readonly second: Statement;
}

/**
 * Precommits of one validator for headers that cannot both be its own. Headers are base64 of their encoding: those of `first` lead from
 * the voted one down to `height`, where `second` is another one, voted in `round`.
 */
export interface HeaderContradiction {
  readonly validator_pub: string;
  readonly height: number;
  readonly round: number;
  readonly step: "header";
  readonly first: { readonly round: number; readonly headers: readonly string[]; readonly signature: string };
  readonly second: { readonly header: string; readonly signature: string };
}

/** Two statements of one validator in one height, round and step. */
export type Equivocation = EquivocationOf<"prevote" | "precommit", VoteStatement> | EquivocationOf<"proposal", ProposalStatement>;

/** What SLASH proves. */
export type Misconduct = Equivocation | HeaderContradiction;

/** One of two digests of a slot that a keeper signed. */
export interface DigestStatement {
  /** Envelopes that wait in the slot. */
  readonly count: number;
  /** Hex of 32 bytes. */
  readonly fingerprint: string;
  /** Base64. */
  readonly signature: string;
}

/** Two digests of one keeper, slot and version that differ. */
export interface DigestContradiction {
  readonly relay_pub: string;
  readonly slot: number;
  readonly version: number;
  readonly first: DigestStatement;
  readonly second: DigestStatement;
}

/** Payload of each type, as the public interface names the fields. */
export interface Payloads {
  readonly TRANSFER: { readonly memo?: string };
  readonly REGISTER_KEY: { readonly x25519_pub_key: string; readonly nickname?: string };
  readonly LINK_DEVICE: { readonly x25519_pub_key: string; readonly device_name: string };
  readonly UNLINK_DEVICE: { readonly x25519_pub_key: string };
  readonly CONTACT_REQUEST: { readonly intro?: string };
  readonly ACCEPT_CONTACT: Readonly<Record<string, never>>;
  readonly BLOCK_CONTACT: Readonly<Record<string, never>>;
  readonly REGISTER_RELAY: {
    readonly x25519_pub_key: string;
    readonly fee_per_msg_ut: AmountUt;
    readonly multiaddr?: string;
    /** All that the relay wants to have locked, 0 to get it back; as before when absent. From version 5 of the rules on. */
    readonly bond_ut?: AmountUt;
  };
  readonly RELAY_PROOF: { readonly claims: readonly RelayClaim[] };
  readonly HEARTBEAT: Readonly<Record<string, never>>;
  readonly BIND_WALLET: { readonly wallet_pub: string; readonly wallet_sig: string };
  readonly ADD_VALIDATOR: ValidatorChange;
  readonly REMOVE_VALIDATOR: ValidatorChange;
  readonly SLASH: { readonly evidence: Misconduct };
  readonly UPGRADE: UpgradePayload;
  readonly ROTATE_KEY: RotateKeyPayload;
  /** From version 6 of the rules on. */
  readonly SUSPEND_RELAY: { readonly evidence: DigestContradiction };
  readonly OPEN_PAY_CHAN: { readonly channel_id: string; readonly expires_at: number };
  readonly CLOSE_PAY_CHAN: { readonly channel_id: string; readonly paid_ut: AmountUt; readonly voucher_sig?: string };
  readonly DEPLOY_CONTRACT: {
    readonly wasm_b64: string;
    readonly abi_json: string;
    readonly init_args_json?: string;
    readonly gas_limit: number;
  };
  readonly CALL_CONTRACT: {
    readonly contract_id: string;
    readonly method: string;
    readonly args_json?: string;
    readonly gas_limit?: number;
  };
}

/** Payload of one type. */
export type PayloadOf<T extends TransactionType> = Payloads[T];

/** Base64 of the compact JSON of a payload; undefined fields are left out. */
export function encodePayload<T extends TransactionType>(payload: PayloadOf<T>): string {
  return toBase64(utf8(JSON.stringify(payload)));
}

/**
 * The JSON object of a payload ({} for ""), or undefined when it is not base64 of the UTF-8 text of a JSON object, names a key
 * twice or nests deeper than {@link MAX_PAYLOAD_DEPTH}. A key such as `__proto__` stays an own key like any other.
 */
export function decodePayload(payload: string): Readonly<Record<string, unknown>> | undefined {
  if (payload === "") return {};
  const bytes = tryFromBase64(payload);
  if (bytes === undefined) return undefined;
  try {
    const value = parseStrictJson(fromUtf8(bytes), MAX_PAYLOAD_DEPTH);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    // TypeError: not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
