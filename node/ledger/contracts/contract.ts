// The one interface behind which every contract stands, native or not: what it can be asked, and what it can do.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import type { ContractAbi, ContractId } from "#shared/protocol/contracts.ts";
import type { Height } from "#shared/protocol/header.ts";
import type { StateEntry } from "../state-view.ts";
import type { ContractValue } from "./contract-value.ts";

/** Something that can be called. Methods and arguments were checked against its ABI before. */
export interface Contract {
  readonly abi: ContractAbi;
  /** Runs a method; ends by returning, or by {@link ContractHost.abort} or a limit, which undo everything. */
  call(method: string, args: readonly ContractValue[], host: ContractHost): void;
}

/** Who called what, and when. */
export interface CallContext {
  readonly contractId: ContractId;
  readonly caller: PublicKeyHex;
  /** µT attached, which the contract has already. */
  readonly amountUt: AmountUt;
  readonly txId: string;
  readonly height: Height;
  /** Unix seconds of the block. */
  readonly timeS: number;
}

/** All that a contract can reach. Every operation charges gas; when it runs out, the call ends and nothing remains but its price. */
export interface ContractHost extends CallContext {
  /** Value under a key of the contract's own state. */
  get(key: Uint8Array): Uint8Array | undefined;
  set(key: Uint8Array, value: Uint8Array): void;
  delete(key: Uint8Array): void;
  /** The first entry in byte order whose key begins with the prefix and, when `after` is given, stands after it. */
  next(prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined;
  /** The contract's own balance. */
  balance(): AmountUt;
  /** Pays from the contract's own balance. False when it does not suffice, or the key is not usable. */
  transfer(to: PublicKeyHex, amountUt: AmountUt): boolean;
  /** Destroys µT of the contract's own balance. False when it does not suffice. */
  burn(amountUt: AmountUt): boolean;
  /** True when the key can hold µT: it has an account, or is a usable Ed25519 key. */
  isUsableKey(publicKey: PublicKeyHex): boolean;
  log(message: string): void;
  /** Gas for work of the contract itself. */
  charge(gas: number): void;
  /** Ends the call: nothing remains but its price and this message. */
  abort(message: string): never;
}
