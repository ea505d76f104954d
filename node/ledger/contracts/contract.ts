// The one interface of every contract, native or not: what it can be asked, and what it can do.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { StateEntry } from "../state-view.ts";
import type { ContractValue } from "./contract-value.ts";

/** Something that can be called. Methods and arguments were checked against its ABI before. */
export interface Contract {
  readonly abi: ContractAbi;
  /** Runs a method; ends by returning, or by {@link ContractHost.abort} or a limit, which undo everything. */
  call(method: string, args: readonly ContractValue[], host: ContractHost): void;
}

/** Who calls: a key, or the id of the contract that calls another. */
export type Caller = PublicKeyHex | ContractId;

export interface CallContext {
  readonly chainId: string;
  readonly contractId: ContractId;
  readonly caller: Caller;
  /** Key that signed the transaction. */
  readonly origin: PublicKeyHex;
  /** µT attached, which the contract has already. */
  readonly amountUt: AmountUt;
  readonly txId: string;
  readonly height: Height;
  /** Unix seconds of the block. */
  readonly timeS: number;
}

/** A call that a contract makes of another. */
export interface NestedCall {
  readonly contractId: ContractId;
  readonly method: string;
  /** JSON list, "" for none. */
  readonly argsJson: string;
  readonly amountUt: AmountUt;
  readonly gasLimit: number;
  /** Words of the logical stack that the called contract may use. */
  readonly stackWords: number;
}

/** How a nested call ended: its status, and what it returned, or why it failed. */
export interface NestedOutcome {
  readonly status: (typeof NESTED_STATUS)[keyof typeof NESTED_STATUS];
  readonly result: Uint8Array;
}

/** Statuses of nested calls, as contracts see them. */
export const NESTED_STATUS = { ok: 0, refused: 1, broken: 2, notCallable: 3, tooDeep: 4 } as const;

/** All that a contract can reach. Every operation charges gas; when it runs out, the call ends and nothing remains but its price. */
export interface ContractHost extends CallContext {
  /** Key that deployed the contract, "" for a native one. */
  readonly owner: PublicKeyHex | "";
  readonly gasLeft: number;
  /** Words of the logical stack, or undefined for all that there are. */
  readonly stackWords: number | undefined;
  /** Value under a key of the contract's own state. */
  get(key: Uint8Array): Uint8Array | undefined;
  set(key: Uint8Array, value: Uint8Array): void;
  delete(key: Uint8Array): void;
  /** The first entry in byte order whose key begins with the prefix and, when `after` is given, comes after it. */
  next(prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined;
  balance(): AmountUt;
  /** Pays a key or a contract from the contract's own balance. False when it does not suffice, or the recipient is not usable. */
  transfer(to: PublicKeyHex | ContractId, amountUt: AmountUt): boolean;
  /** Destroys µT of the contract's own balance. False when it does not suffice. */
  burn(amountUt: AmountUt): boolean;
  /** True when the key can hold µT: it has an account, is a usable Ed25519 key, or is the id of a contract. */
  isUsableKey(publicKey: PublicKeyHex | ContractId): boolean;
  /** Calls another contract; what it did is undone when it fails. */
  call(request: NestedCall): NestedOutcome;
  log(message: string): void;
  /** Sets what the call returns, by a copy; the last one counts. */
  setResult(result: Uint8Array): void;
  /** Gas for work of the contract itself. */
  charge(gas: number): void;
  /** Ends the call: nothing remains but its price and this message. */
  abort(message: string): never;
}
