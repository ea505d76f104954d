// What the calls of a contract's tests cost, for parley contract test: written to a file when the tests end.
import { writeFileSync } from "node:fs";

/** Gas of the successful calls of a method. */
export interface MethodGas {
  calls: number;
  least: number;
  most: number;
  /** Of all calls. */
  total: number;
}

/** A function of a contract, or of the host. */
export interface FunctionRecord {
  readonly name: string;
  readonly isHost: boolean;
  readonly gas: number;
  readonly calls: number;
}

/** What one process of tests recorded of one contract. */
export interface ContractRecord {
  /** Hex of the SHA-256 of its module. */
  readonly codeHash: string;
  readonly methods: Readonly<Record<string, MethodGas>>;
  readonly functions: readonly FunctionRecord[];
}

/** How tests are recorded. */
export interface RecordOptions {
  readonly file: string;
  /** Counts gas by functions as well, which takes an interpreter. */
  readonly isProfile: boolean;
}

/** Gives the functions of a contract when the tests have ended. */
type Functions = () => readonly FunctionRecord[];

export class GasRecorder {
  readonly isProfile: boolean;
  readonly #contracts = new Map<string, { readonly methods: Map<string, MethodGas>; readonly functions: Functions[] }>();

  constructor(isProfile: boolean) {
    this.isProfile = isProfile;
  }

  /** A call that succeeded. */
  addCall(codeHash: string, method: string, gas: number): void {
    const { methods } = this.#contract(codeHash);
    const found = methods.get(method);
    if (found === undefined) methods.set(method, { calls: 1, least: gas, most: gas, total: gas });
    else {
      found.calls += 1;
      found.total += gas;
      found.least = Math.min(found.least, gas);
      found.most = Math.max(found.most, gas);
    }
  }

  /** A deployed contract whose functions are counted. */
  addFunctions(codeHash: string, functions: Functions): void {
    this.#contract(codeHash).functions.push(functions);
  }

  get records(): readonly ContractRecord[] {
    return [...this.#contracts].map(([codeHash, { methods, functions }]) => ({
      codeHash,
      methods: Object.fromEntries(methods),
      functions: mergeFunctions(functions.flatMap((list) => list())),
    }));
  }

  #contract(codeHash: string): { readonly methods: Map<string, MethodGas>; readonly functions: Functions[] } {
    const known = this.#contracts.get(codeHash) ?? { methods: new Map<string, MethodGas>(), functions: [] };
    this.#contracts.set(codeHash, known);
    return known;
  }
}

let recorder: GasRecorder | undefined;

/** The recorder of this process; none unless parley contract test runs it. */
export function gasRecorder(): GasRecorder | undefined {
  return recorder;
}

/** Records all tests of this process; each process writes a file of its own. */
export function recordGas({ file, isProfile }: RecordOptions): void {
  const started = new GasRecorder(isProfile);
  recorder = started;
  process.on("exit", () => {
    if (started.records.length > 0) writeFileSync(`${file}.${process.pid}.json`, JSON.stringify(started.records));
  });
}

/** Sums of functions of one name, the dearest first. */
export function mergeFunctions(functions: readonly FunctionRecord[]): readonly FunctionRecord[] {
  const sums = new Map<string, { name: string; isHost: boolean; gas: number; calls: number }>();
  for (const { name, isHost, gas, calls } of functions) {
    const key = `${isHost} ${name}`;
    const sum = sums.get(key) ?? { name, isHost, gas: 0, calls: 0 };
    sum.gas += gas;
    sum.calls += calls;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.gas - a.gas);
}

/** The methods and functions of a contract in the records of all processes. */
export function mergeRecords(records: readonly ContractRecord[]): Pick<ContractRecord, "methods" | "functions"> {
  const methods = new Map<string, MethodGas>();
  for (const record of records)
    for (const [name, gas] of Object.entries(record.methods)) {
      const found = methods.get(name);
      methods.set(name, found === undefined ? gas : mergeMethod(found, gas));
    }
  return { methods: Object.fromEntries(methods), functions: mergeFunctions(records.flatMap(({ functions }) => functions)) };
}

function mergeMethod(a: MethodGas, b: MethodGas): MethodGas {
  return { calls: a.calls + b.calls, least: Math.min(a.least, b.least), most: Math.max(a.most, b.most), total: a.total + b.total };
}
