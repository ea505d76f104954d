// Contracts without a chain: a state in memory, a clock that the test turns, and the node's own rules for everything else. Contracts'
// tests import it as "parley/testing".

import type { TransactionContext } from "#node/ledger/context.ts";
import { callContract } from "#node/ledger/contracts/call-contract.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { applyGenesis } from "#node/ledger/genesis.ts";
import { credit } from "#node/ledger/records/balance.ts";
import { contractStateKey, readContractBalance } from "#node/ledger/records/contract-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import type { FaultSource } from "#node/vm/faults/code-place.ts";
import { watchFaults } from "#node/vm/faults/watching-vm.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { MAX_BLOCK_GAS, MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { ed25519PublicKey, signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { type ContractMessage, contractSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { deployedContractId, NATIVE_CONTRACTS } from "#shared/protocol/transactions/contracts.ts";
import { FAILURE_CODES, type FailureCode, isFailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { fromUtf8, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { debugFiles, readBuiltContract } from "../build-contract.ts";
import type { BuiltContract } from "../check-module.ts";
import { openContract } from "../contract-project.ts";
import { faultSource, readFaultSource } from "../lines/fault-source.ts";
import { CallProfiler } from "./call-profiler.ts";
import { FaultLog } from "./fault-log.ts";
import { gasRecorder } from "./gas-record.ts";

/** An account with a key and µT. */
export interface TestAccount {
  readonly name: string;
  /** Public key, hex. */
  readonly key: string;
  /** µT. */
  readonly balance: number;
  /** Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** What came of a call. */
export interface TestOutcome {
  readonly isOk: boolean;
  /** Failure code, "" on success. */
  readonly code: string;
  /** Why it failed in words; of a refusal the contract's own. "" on success. */
  readonly reason: string;
  /** In which function and line it failed: "in add (contract.ts:6:3)". "" on success, and where it failed before any instruction. */
  readonly where: string;
  /** Calls of other contracts that failed inside it, each in a line, also when it succeeded. */
  readonly inner: readonly string[];
  readonly gasUsed: number;
  /** What it logged, when it succeeded. */
  readonly logs: readonly string[];
  /** What it returned, read as JSON; integers beyond 2^53 are texts. Undefined when it returned nothing. */
  readonly result: unknown;
}

/** What a call is given beside its arguments. */
export interface TestCallOptions {
  /** µT attached. */
  readonly amount?: number;
  readonly gas?: number;
}

/** Arguments as JSON has them; bigints are exact. */
export type TestArgument = string | number | bigint | boolean | null | readonly TestArgument[] | { readonly [name: string]: TestArgument };

const START_MS = Date.UTC(2026, 0, 1);
const CHAIN_ID = "contract-test";
/** Gas of a call that names none. A trial finds out what a real one needs; tests need not. */
const CALL_GAS = 10_000_000;
const START_BALANCE_UT = 1_000_000_000;
const PRIMITIVES = { sha256: nativeSha256, verify: verifyZip215 };

/** Thrown by a view that fails: its message is the reason. */
export class ViewFailure extends Error {
  /** In which function and line. */
  readonly where: string;

  constructor(reason: string, where: string) {
    super(reason);
    this.name = "ViewFailure";
    this.where = where;
  }
}

/** A chain of which nothing is real but its rules. */
export class TestChain {
  readonly #state = new OverlayStateView(new MemoryStateStore());
  readonly #faults = new FaultLog();
  readonly #vm = watchFaults(createContractVm(PRIMITIVES), (fault) => this.#faults.add(fault));
  readonly #recorder = gasRecorder();
  readonly #profiler = this.#recorder?.isProfile === true ? new CallProfiler(PRIMITIVES) : undefined;
  /** Hashes of the modules of what was deployed here, by its id. */
  readonly #codeHashes = new Map<string, string>();
  #timeMs = START_MS;
  #height = 1;
  #transactions = 0;

  constructor() {
    applyGenesis(this.#state, emptyGenesis(this.account("validator").key));
  }

  /** Height of the next block. */
  get height(): number {
    return this.#height;
  }

  /** Unix seconds of the next block. */
  get time(): number {
    return Math.floor(this.#timeMs / 1000);
  }

  /** The account of a name, with 1,000 T unless given otherwise when it is first named. */
  account(name: string, balanceUt = START_BALANCE_UT): TestAccount {
    const seed = nativeSha256(utf8(`test account ${name}`));
    const key = toHex(ed25519PublicKey(seed));
    const balanceOf = (): number => readAccount(this.#state, key).balanceUt;
    if (balanceOf() === 0) credit(this.#state, key, balanceUt);
    return {
      name,
      key,
      get balance(): number {
        return balanceOf();
      },
      sign: (message): Uint8Array => signEd25519(message, seed),
    };
  }

  /** Lets time pass, and a block with it. */
  advance(seconds: number): void {
    this.#timeMs += seconds * 1_000;
    this.#height += 1;
  }

  /** Deploys the contract of a folder as `parley contract build` left it. @throws Error with the reason when that fails. */
  deploy(from: TestAccount, folder: string, initArgs?: readonly TestArgument[]): TestContract {
    const project = openContract(folder);
    const built = readBuiltContract(folder);
    return this.#deploy(from, built, { initArgs, source: readFaultSource(built.code, debugFiles(project)) });
  }

  /** Deploys a module with its ABI. @throws Error with the reason when that fails. */
  deployBuilt(from: TestAccount, built: BuiltContract, initArgs?: readonly TestArgument[]): TestContract {
    return this.#deploy(from, built, { initArgs, source: faultSource(built.code) });
  }

  #deploy(from: TestAccount, { code, abi, abiJson }: BuiltContract, { initArgs, source }: Deployment): TestContract {
    const init = initArgs === undefined ? {} : { init_args_json: argumentsJson(initArgs) };
    const payload = { wasm_b64: toBase64(code), abi_json: abiJson, gas_limit: MAX_GAS_LIMIT, ...init };
    const tx = this.#transaction(from, "DEPLOY_CONTRACT", { amount: 0, payload });
    const id = deployedContractId(from.key, tx.id);
    this.#faults.know(id, { name: abi.contract, source });
    this.#record(id, { code, named: source.named ?? code });
    const receipt = this.#apply(tx);
    if (!receipt.isOk) throw new Error(`The deployment failed: ${this.#faults.located(reasonOf(receipt, this.#faults))}`);
    return this.contract(id);
  }

  /** A contract by its id: a native one, or one that was deployed before. */
  contract(id: string): TestContract {
    return new TestContract(id, {
      call: (from, method, args, options): TestOutcome => this.#call(id, from, { method, args, options }),
      view: (method, args): unknown => this.#view(id, method, args),
      state: (key): Uint8Array | undefined => this.#state.get("contract_state", contractStateKey(id, utf8(key))),
      balance: (): number => readContractBalance(this.#state, id),
    });
  }

  #record(id: string, { code, named }: { readonly code: Uint8Array; readonly named: Uint8Array }): void {
    const codeHash = toHex(nativeSha256(code));
    const isKnown = [...this.#codeHashes.values()].includes(codeHash);
    this.#codeHashes.set(id, codeHash);
    const profiler = this.#profiler;
    if (profiler !== undefined && !isKnown) this.#recorder?.addFunctions(codeHash, () => profiler.functionsOf(code, named));
  }

  /** Records a call that succeeded. */
  #settle({ contractId, method, gasUsed, isOk }: CallGas): void {
    const codeHash = this.#codeHashes.get(contractId);
    const isRecorded = isOk && codeHash !== undefined;
    this.#profiler?.settle(isRecorded);
    if (isRecorded) this.#recorder?.addCall(codeHash, method, gasUsed);
  }

  #call(contractId: string, from: TestAccount, { method, args, options }: MethodCall): TestOutcome {
    const { amount = 0, gas = CALL_GAS } = options;
    const argsJson = argumentsJson(args);
    const tx = this.#transaction(from, "CALL_CONTRACT", {
      amount,
      payload: { contract_id: contractId, method, args_json: argsJson, gas_limit: gas },
    });
    const context = {
      chainId: CHAIN_ID,
      contractId,
      caller: from.key,
      origin: from.key,
      amountUt: amount,
      txId: tx.id,
      height: this.#height,
      timeS: this.time,
    };
    const trial = new OverlayStateView(this.#state);
    const { result } =
      readAccount(trial, from.key).balanceUt < amount
        ? NOTHING
        : callContract(trial, { ...context, method, argsJson, gasLimit: gas }, this.#profiler?.vm ?? this.#vm);
    const receipt = this.#apply(tx);
    this.#settle({ contractId, method, ...receipt });
    return outcomeOf(receipt, result, this.#faults);
  }

  #view(contractId: string, method: string, args: readonly TestArgument[]): unknown {
    const caller = this.account("anonymous").key;
    const surroundings = { chainId: CHAIN_ID, txId: "view", height: this.#height, timeS: this.time };
    const context = { ...surroundings, contractId, caller, origin: caller, amountUt: 0 };
    const call = { ...context, method, argsJson: argumentsJson(args), gasLimit: MAX_GAS_LIMIT, isReadOnly: true };
    this.#faults.clear();
    const { failure, logs, result, gasUsed } = callContract(new OverlayStateView(this.#state), call, this.#vm);
    if (failure === undefined) {
      if (this.#profiler !== undefined) callContract(new OverlayStateView(this.#state), call, this.#profiler.vm);
      this.#settle({ contractId, method, gasUsed, isOk: true });
      return resultOf(result);
    }
    const reason = logs[0]?.message ?? this.#faults.explanation ?? FAILURE_CODES[failure];
    throw new ViewFailure(reason, this.#faults.where);
  }

  #transaction(
    from: TestAccount,
    type: TransactionType,
    { amount, payload }: { readonly amount: number; readonly payload: object },
  ): Transaction {
    this.#transactions += 1;
    const encoded = toBase64(utf8(JSON.stringify(payload)));
    return {
      id: `test-${this.#transactions}`,
      type,
      from: from.key,
      to: "",
      amount,
      fee: minimumFeeUt(encoded),
      payload: encoded,
      signature: toBase64(new Uint8Array(64)),
      timestamp: formatTimestamp(this.#timeMs),
    };
  }

  #apply(tx: Transaction): Receipt {
    const params = firstParams(emptyGenesis("").params);
    const context: TransactionContext = {
      chainId: CHAIN_ID,
      height: this.#height,
      timeMs: this.#timeMs,
      params,
      gasLeft: MAX_BLOCK_GAS,
      vm: this.#vm,
      hasSeenId: (): boolean => false,
    };
    this.#faults.clear();
    const outcome = applyTransaction(this.#state, tx, context);
    if (!outcome.isIncluded) throw new Error(outcome.message);
    return outcome.receipt;
  }
}

interface Deployment {
  readonly initArgs: readonly TestArgument[] | undefined;
  readonly source: FaultSource;
}

interface CallGas {
  readonly contractId: string;
  readonly method: string;
  readonly gasUsed: number;
  readonly isOk: boolean;
}

interface MethodCall {
  readonly method: string;
  readonly args: readonly TestArgument[];
  readonly options: TestCallOptions;
}

interface ContractAccess {
  call(from: TestAccount, method: string, args: readonly TestArgument[], options: TestCallOptions): TestOutcome;
  view(method: string, args: readonly TestArgument[]): unknown;
  state(key: string): Uint8Array | undefined;
  balance(): number;
}

/** A deployed contract. */
export class TestContract {
  readonly id: string;
  readonly #access: ContractAccess;

  constructor(id: string, access: ContractAccess) {
    this.id = id;
    this.#access = access;
  }

  /** µT that it has. */
  get balance(): number {
    return this.#access.balance();
  }

  /** A transaction that calls a method. */
  call(from: TestAccount, method: string, args: readonly TestArgument[] = [], options: TestCallOptions = {}): TestOutcome {
    return this.#access.call(from, method, args, options);
  }

  /** What a method returns when it is only asked. @throws ViewFailure with the reason when it fails or would change something. */
  view(method: string, args: readonly TestArgument[] = []): unknown {
    return this.#access.view(method, args);
  }

  /** What an account signs to allow this contract something, as `contractSignBytes` has it for clients. */
  signBytes(message: Omit<ContractMessage, "contractId">): Uint8Array {
    return contractSignBytes(CHAIN_ID, { ...message, contractId: this.id });
  }

  /** Text under a key of its state. */
  text(key: string): string | undefined {
    const value = this.#access.state(key);
    return value === undefined ? undefined : fromUtf8(value);
  }

  /** Integer under a key of its state: 8 bytes, big-endian; 0 when there is none. */
  u64(key: string): bigint {
    const value = this.#access.state(key);
    return value === undefined ? 0n : new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0);
  }
}

const NOT_LOADED = "the gas does not suffice to load the contract: parley contract build prints what that costs";
const NOTHING = { result: new Uint8Array(0) };

function emptyGenesis(validatorKey: string): Genesis {
  return {
    chain_id: CHAIN_ID,
    genesis_time: formatTimestamp(START_MS),
    development: true,
    validators: validatorKey === "" ? [] : [{ pub_key: validatorKey, bond_ut: 0 }],
    accounts: [],
    params: { block_reward_ut: 0, min_block_interval_ms: 50, heartbeat_interval_ms: 60_000, validator_bond_ut: 0 },
    contracts: [...NATIVE_CONTRACTS],
  };
}

function argumentsJson(args: readonly TestArgument[]): string {
  return `[${args.map(argumentJson).join(",")}]`;
}

function argumentJson(value: TestArgument): string {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return argumentsJson(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${argumentJson(member)}`)
    .join(",")}}`;
}

function outcomeOf(receipt: Receipt, result: Uint8Array, faults: FaultLog): TestOutcome {
  const { isOk, code, gasUsed, logs } = receipt;
  return {
    isOk,
    code,
    reason: isOk ? "" : reasonOf(receipt, faults),
    where: isOk ? "" : faults.where,
    inner: faults.inner(isOk),
    gasUsed,
    logs: isOk ? logs.map(({ message }) => message) : [],
    result: isOk ? resultOf(result) : undefined,
  };
}

function reasonOf({ code, logs }: Receipt, faults: FaultLog): string {
  if (code === "CONTRACT_OUT_OF_GAS" && faults.explanation === undefined) return NOT_LOADED;
  return logs.at(-1)?.message ?? faults.explanation ?? (isFailureCode(code) ? FAILURE_CODES[code satisfies FailureCode] : code);
}

/** Integers that a number cannot hold are texts. */
function resultOf(result: Uint8Array): unknown {
  if (result.length === 0) return undefined;
  return JSON.parse(fromUtf8(result), (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? value) : value,
  ) as unknown;
}
