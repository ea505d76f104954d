// The host of one call: the contract's part of the state, its money, its log and its gas.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { AmountUt } from "#shared/protocol/amount.ts";
import { MAX_CONTRACT_KEY_BYTES, MAX_CONTRACT_VALUE_BYTES, MAX_LOG_BYTES, MAX_LOGS } from "#shared/protocol/limits.ts";
import type { ReceiptLog } from "#shared/protocol/receipt.ts";
import { isAcceptablePublicKey } from "#shared/protocol/signature.ts";
import { isHex, utf8 } from "#shared/util/bytes.ts";
import { credit } from "../balance.ts";
import { CONTRACT_ID_BYTES, contractStateKey, readContractBalance, writeContractBalance } from "../contract-records.ts";
import { readExistingAccount, readSupply, writeSupply } from "../records.ts";
import type { StateEntry, StateView } from "../state-view.ts";
import type { CallContext, ContractHost } from "./contract.ts";
import { GAS } from "./gas-schedule.ts";

/** Ends a call; never leaves {@link callContract}. */
export class CallEnd extends Error {
  readonly code: "CONTRACT_ABORTED" | "CONTRACT_OUT_OF_GAS";

  constructor(code: CallEnd["code"], message: string) {
    super(message);
    this.name = "CallEnd";
    this.code = code;
  }
}

/** Host over a view that the caller throws away when the call fails. */
export class CallHost implements ContractHost {
  readonly contractId: string;
  readonly caller: PublicKeyHex;
  readonly amountUt: AmountUt;
  readonly txId: string;
  readonly height: number;
  readonly timeS: number;
  readonly #view: StateView;
  readonly #gasLimit: number;
  readonly #logs: ReceiptLog[] = [];
  #gasUsed = 0;

  constructor(view: StateView, call: CallContext, gasLimit: number) {
    this.#view = view;
    this.#gasLimit = gasLimit;
    this.contractId = call.contractId;
    this.caller = call.caller;
    this.amountUt = call.amountUt;
    this.txId = call.txId;
    this.height = call.height;
    this.timeS = call.timeS;
  }

  get gasUsed(): number {
    return this.#gasUsed;
  }

  get logs(): readonly ReceiptLog[] {
    return this.#logs;
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.#checkKey(key);
    this.charge(GAS.stateGet + GAS.stateGetByte * key.length);
    const value = this.#view.get("contract_state", contractStateKey(this.contractId, key));
    this.charge(GAS.stateGetByte * (value?.length ?? 0));
    return value;
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#checkKey(key);
    if (value.length > MAX_CONTRACT_VALUE_BYTES) this.abort(`a value is longer than ${MAX_CONTRACT_VALUE_BYTES} bytes`);
    this.charge(GAS.stateSet + GAS.stateSetByte * (key.length + value.length));
    this.#view.set("contract_state", contractStateKey(this.contractId, key), value);
  }

  delete(key: Uint8Array): void {
    this.#checkKey(key);
    this.charge(GAS.stateDelete);
    this.#view.delete("contract_state", contractStateKey(this.contractId, key));
  }

  next(prefix: Uint8Array, after?: Uint8Array): StateEntry | undefined {
    this.charge(GAS.stateNext);
    const start = contractStateKey(this.contractId, prefix);
    const entry = this.#view.next("contract_state", start, after === undefined ? undefined : contractStateKey(this.contractId, after));
    if (entry === undefined) return undefined;
    const key = entry.key.subarray(CONTRACT_ID_BYTES);
    this.charge(GAS.stateNextByte * (key.length + entry.value.length));
    return { key, value: entry.value };
  }

  balance(): AmountUt {
    this.charge(GAS.balance);
    return readContractBalance(this.#view, this.contractId);
  }

  transfer(to: PublicKeyHex, amountUt: AmountUt): boolean {
    this.charge(GAS.transfer);
    if (!this.isUsableKey(to) || !this.#take(amountUt)) return false;
    credit(this.#view, to, amountUt);
    return true;
  }

  burn(amountUt: AmountUt): boolean {
    this.charge(GAS.burn);
    if (!this.#take(amountUt)) return false;
    writeSupply(this.#view, readSupply(this.#view) - amountUt);
    return true;
  }

  isUsableKey(publicKey: PublicKeyHex): boolean {
    this.charge(GAS.balance);
    if (!isHex(publicKey, 32) || publicKey !== publicKey.toLowerCase()) return false;
    if (readExistingAccount(this.#view, publicKey) !== undefined) return true;
    this.charge(GAS.checkKey);
    return isAcceptablePublicKey(publicKey);
  }

  log(message: string): void {
    const bytes = utf8(message).length;
    if (!message.isWellFormed()) this.abort("a line of the log is no text");
    if (bytes > MAX_LOG_BYTES) this.abort(`a line of the log is longer than ${MAX_LOG_BYTES} bytes`);
    if (this.#logs.length === MAX_LOGS) this.abort(`the log has more than ${MAX_LOGS} lines`);
    this.charge(GAS.log + GAS.logByte * bytes);
    this.#logs.push({ contractId: this.contractId, message });
  }

  charge(gas: number): void {
    this.#gasUsed += gas;
    if (this.#gasUsed <= this.#gasLimit) return;
    this.#gasUsed = this.#gasLimit;
    throw new CallEnd("CONTRACT_OUT_OF_GAS", "");
  }

  abort(message: string): never {
    throw new CallEnd("CONTRACT_ABORTED", cutToBytes(message, MAX_LOG_BYTES));
  }

  #take(amountUt: AmountUt): boolean {
    const balanceUt = readContractBalance(this.#view, this.contractId);
    if (amountUt > balanceUt) return false;
    writeContractBalance(this.#view, this.contractId, balanceUt - amountUt);
    return true;
  }

  #checkKey(key: Uint8Array): void {
    if (key.length > MAX_CONTRACT_KEY_BYTES) this.abort(`a key is longer than ${MAX_CONTRACT_KEY_BYTES} bytes`);
  }
}

function cutToBytes(text: string, most: number): string {
  let cut = text.toWellFormed();
  while (utf8(cut).length > most) cut = cut.slice(0, -1).toWellFormed();
  return cut;
}
