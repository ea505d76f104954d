// What functions of a module and calls of the host used of gas, counted while a module is interpreted: for authors, never for a node.

/** Gas that a function used itself, without what it called, and how often it was called. */
export interface FunctionGas {
  readonly gas: number;
  readonly calls: number;
}

/** Counts for one module, by the index of the function in the metered module. What a call counted is kept or dropped as a whole. */
export class GasProfile {
  readonly #kept: Counts = new Map();
  #pending: Counts = new Map();

  get functions(): ReadonlyMap<number, FunctionGas> {
    return this.#kept;
  }

  add(functionIndex: number, gas: number, calls = 0): void {
    addTo(this.#pending, functionIndex, { gas, calls });
  }

  /** Ends a call. */
  settle(isKept: boolean): void {
    if (isKept) for (const [index, counts] of this.#pending) addTo(this.#kept, index, counts);
    this.#pending = new Map();
  }
}

type Counts = Map<number, { gas: number; calls: number }>;

function addTo(counts: Counts, functionIndex: number, { gas, calls }: FunctionGas): void {
  const found = counts.get(functionIndex) ?? { gas: 0, calls: 0 };
  found.gas += gas;
  found.calls += calls;
  counts.set(functionIndex, found);
}

/** Follows the calls of one instance: what its meter lost since the last step belongs to the function on top. */
export class GasTracker {
  readonly #profile: GasProfile;
  readonly #gasLeft: () => number;
  #last = 0;
  #running: number[] = [];

  constructor(profile: GasProfile, gasLeft: () => number) {
    this.#profile = profile;
    this.#gasLeft = gasLeft;
  }

  /** The host calls the instance. */
  begin(): void {
    this.#running = [];
    this.#last = this.#gasLeft();
  }

  enter(functionIndex: number): void {
    this.#settle();
    this.#profile.add(functionIndex, 0, 1);
    this.#running.push(functionIndex);
  }

  leave(): void {
    this.#settle();
    this.#running.pop();
  }

  /** The call ended, in whatever function. */
  end(): void {
    this.#settle();
    this.#running = [];
  }

  #settle(): void {
    const left = this.#gasLeft();
    const top = this.#running.at(-1);
    if (top !== undefined) this.#profile.add(top, this.#last - left);
    this.#last = left;
  }
}
