// The host of one call: the contract's part of the state, its money, its log and its gas.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import {
  MAX_CONTRACT_KEY_BYTES,
  MAX_CONTRACT_VALUE_BYTES,
  MAX_LOG_BYTES,
  MAX_LOGS,
  MAX_RESULT_BYTES,
} from "#shared/protocol/primitives/limits.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import type { ReceiptLog } from "#shared/protocol/transactions/receipt.ts";
import { compareBytes, cutToUtf8, isHex, toLatin1 } from "#shared/util/bytes.ts";
import { hasPrefix } from "../journal.ts";
import { credit } from "../records/balance.ts";
import {
  CONTRACT_ID_BYTES,
  contractStateKey,
  readContractBalance,
  readContractBytes,
  writeContractBalance,
} from "../records/contract-records.ts";
import { readExistingAccount, readSupply, writeSupply } from "../records/records.ts";
import { type NamedKey, readNamed, recordNameOf, type StateEntry, type StateView, writeNamed } from "../state-view.ts";
import { CallEnd } from "./call-end.ts";
import type { CallContext, Caller, ContractHost, NestedCall, NestedOutcome } from "./contract.ts";
import { lengthOf } from "./contract-value.ts";
import { GAS } from "./gas-schedule.ts";

/** What a call is given beside its context. */
export interface CallFrame {
  readonly gasLimit: number;
  readonly stackWords?: number;
  /** Lines that the transaction may still log. */
  readonly logsLeft?: number;
  /** Nothing may be changed. */
  readonly isReadOnly?: boolean;
  /** Runs the call of another contract. */
  callOther(host: CallHost, request: NestedCall): NestedOutcome;
}

/** Host over a view that the caller throws away when the call fails. */
export class CallHost implements ContractHost {
  readonly chainId: string;
  readonly contractId: ContractId;
  readonly caller: Caller;
  readonly origin: PublicKeyHex;
  readonly amountUt: AmountUt;
  readonly txId: string;
  readonly height: number;
  readonly timeS: number;
  readonly #view: StateView;
  readonly #frame: CallFrame;
  readonly #logs: ReceiptLog[] = [];
  /** What names of its state begin with. */
  #namePrefix: string | undefined;
  #owner: PublicKeyHex | "" = "";
  #isReadOnly: boolean;
  #gasUsed = 0;
  #resultLength = 0;
  /** Room for results: each one goes where the one before was. */
  #results: Uint8Array = new Uint8Array(0);

  constructor(view: StateView, call: CallContext, frame: CallFrame) {
    this.#view = view;
    this.#frame = frame;
    this.#isReadOnly = frame.isReadOnly ?? false;
    this.chainId = call.chainId;
    this.contractId = call.contractId;
    this.caller = call.caller;
    this.origin = call.origin;
    this.amountUt = call.amountUt;
    this.txId = call.txId;
    this.height = call.height;
    this.timeS = call.timeS;
  }

  get owner(): PublicKeyHex | "" {
    return this.#owner;
  }

  get gasUsed(): number {
    return this.#gasUsed;
  }

  get gasLeft(): number {
    return this.#frame.gasLimit - this.#gasUsed;
  }

  get stackWords(): number | undefined {
    return this.#frame.stackWords;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  get logs(): readonly ReceiptLog[] {
    return this.#logs;
  }

  get logsLeft(): number {
    return (this.#frame.logsLeft ?? MAX_LOGS) - this.#logs.length;
  }

  get result(): Uint8Array {
    return this.#results.subarray(0, this.#resultLength);
  }

  /** Says what the contract's record says: who deployed it, and whether the method may change anything. */
  begin(owner: PublicKeyHex | "", isView: boolean): void {
    this.#owner = owner;
    this.#isReadOnly ||= isView;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#checkKey(key);
    this.charge(GAS.stateGet + GAS.keyByte * key.length);
    const value = readNamed(this.#view, this.#place(key));
    this.charge(GAS.stateGetByte * (value?.length ?? 0));
    return value;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#checkWritable();
    this.#checkKey(key);
    if (value.length > MAX_CONTRACT_VALUE_BYTES) this.abort(`a value is longer than ${MAX_CONTRACT_VALUE_BYTES} bytes`);
    this.charge(GAS.stateSet + GAS.stateSetByte * (key.length + value.length));
    writeNamed(this.#view, this.#place(key), value);
  }

  delete(key: Uint8Array): void {
    this.#checkWritable();
    this.#checkKey(key);
    this.charge(GAS.stateDelete + GAS.keyByte * key.length);
    writeNamed(this.#view, this.#place(key), undefined);
  }

  next(prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    this.#checkKey(prefix);
    if (after !== undefined) this.#checkKey(after);
    this.charge(GAS.stateNext + GAS.keyByte * (prefix.length + (after?.length ?? 0)));
    const entry = this.#find(prefix, after);
    if (entry === undefined) return undefined;
    const key = entry.key.subarray(CONTRACT_ID_BYTES);
    // What lies behind the prefix was read as well.
    this.charge(GAS.stateNextByte * (key.length + entry.value.length));
    return hasPrefix(key, prefix) ? { key, value: entry.value } : undefined;
  }

  balance(): AmountUt {
    this.charge(GAS.balance);
    return readContractBalance(this.#view, this.contractId);
  }

  transfer(to: PublicKeyHex | ContractId, amountUt: AmountUt): boolean {
    this.#checkWritable();
    this.charge(GAS.transfer);
    if (!this.isUsableKey(to) || !this.take(amountUt)) return false;
    if (isContractId(to)) writeContractBalance(this.#view, to, readContractBalance(this.#view, to) + amountUt);
    else credit(this.#view, to, amountUt);
    return true;
  }

  burn(amountUt: AmountUt): boolean {
    this.#checkWritable();
    this.charge(GAS.burn);
    if (!this.take(amountUt)) return false;
    writeSupply(this.#view, readSupply(this.#view) - amountUt);
    return true;
  }

  isUsableKey(publicKey: PublicKeyHex | ContractId): boolean {
    this.charge(GAS.stateGet);
    if (publicKey !== publicKey.toLowerCase()) return false;
    if (isContractId(publicKey)) {
      const record = readContractBytes(this.#view, publicKey);
      this.charge(GAS.stateGetByte * (record?.length ?? 0));
      return record !== undefined;
    }
    if (!isHex(publicKey, 32)) return false;
    if (readExistingAccount(this.#view, publicKey) !== undefined) return true;
    this.charge(GAS.checkKey);
    return isAcceptablePublicKey(publicKey);
  }

  call(request: NestedCall): NestedOutcome {
    this.charge(GAS.nestedCall);
    if (request.amountUt > 0) this.#checkWritable();
    return this.#frame.callOther(this, request);
  }

  log(message: string): void {
    this.#checkWritable();
    const bytes = lengthOf(message);
    if (!message.isWellFormed()) this.abort("a line of the log is no text");
    if (bytes > MAX_LOG_BYTES) this.abort(`a line of the log is longer than ${MAX_LOG_BYTES} bytes`);
    if (this.logsLeft === 0) this.abort(`the log has more than ${MAX_LOGS} lines`);
    this.charge(GAS.log + GAS.logByte * bytes);
    this.#logs.push({ contractId: this.contractId, message });
  }

  /** Takes over what a nested call logged. */
  append(logs: readonly ReceiptLog[]): void {
    this.#logs.push(...logs);
  }

  setResult(result: Uint8Array): void {
    if (result.length > MAX_RESULT_BYTES) this.abort(`a result is longer than ${MAX_RESULT_BYTES} bytes`);
    if (result.length > this.#results.length) this.#results = new Uint8Array(Math.min(2 * result.length, MAX_RESULT_BYTES));
    this.#results.set(result);
    this.#resultLength = result.length;
  }

  charge(gas: number): void {
    this.#gasUsed += gas;
    if (this.#gasUsed <= this.#frame.gasLimit) return;
    this.#gasUsed = this.#frame.gasLimit;
    throw new CallEnd("CONTRACT_OUT_OF_GAS");
  }

  abort(message: string): never {
    throw new CallEnd("CONTRACT_ABORTED", cutToUtf8(message, MAX_LOG_BYTES));
  }

  /** Takes µT from the contract's balance. False when it does not suffice. */
  take(amountUt: AmountUt): boolean {
    const balanceUt = readContractBalance(this.#view, this.contractId);
    if (amountUt > balanceUt) return false;
    writeContractBalance(this.#view, this.contractId, balanceUt - amountUt);
    return true;
  }

  /** Searches among all keys of the contract from the prefix on, so that what was passed over once is known whatever the prefix. */
  #find(prefix: Uint8Array, after: Uint8Array | undefined): StateEntry | undefined {
    const all = contractStateKey(this.contractId, new Uint8Array(0));
    const start = contractStateKey(this.contractId, prefix);
    const isAfterStart = after !== undefined && compareBytes(after, prefix) >= 0;
    const value = isAfterStart ? undefined : this.#view.get("contract_state", start);
    if (value !== undefined) return { key: start, value };
    return this.#view.next("contract_state", all, isAfterStart ? contractStateKey(this.contractId, after) : start);
  }

  #place(key: Uint8Array): NamedKey {
    this.#namePrefix ??= recordNameOf("contract_state", contractStateKey(this.contractId, new Uint8Array(0)));
    return new ContractPlace(this.contractId, this.#namePrefix + toLatin1(key), key);
  }

  #checkKey(key: Uint8Array): void {
    if (key.length > MAX_CONTRACT_KEY_BYTES) this.abort(`a key is longer than ${MAX_CONTRACT_KEY_BYTES} bytes`);
  }

  #checkWritable(): void {
    if (this.#isReadOnly) this.abort("a view changes nothing");
  }
}

/** Place of a record of a contract's state: its key is made where it is stored, and reading what is known needs none. */
class ContractPlace implements NamedKey {
  readonly namespace = "contract_state";
  readonly name: string;
  readonly #contractId: ContractId;
  readonly #key: Uint8Array;

  constructor(contractId: ContractId, name: string, key: Uint8Array) {
    this.name = name;
    this.#contractId = contractId;
    this.#key = key;
  }

  get key(): Uint8Array {
    return contractStateKey(this.#contractId, this.#key);
  }
}
