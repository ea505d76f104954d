// Why the calls of one transaction ended early, in words for the contract's author.
import type { FaultSource } from "#node/vm/faults/code-place.ts";
import { describeFault, explainFault, locateFault } from "#node/vm/faults/explain-fault.ts";
import type { CallFault } from "#node/vm/faults/watching-vm.ts";

/** A contract of the chain: its name, and what is known of its source. */
export interface KnownContract {
  readonly name: string;
  readonly source: FaultSource;
}

export class FaultLog {
  readonly #known = new Map<string, KnownContract>();
  #faults: CallFault[] = [];

  know(contractId: string, contract: KnownContract): void {
    this.#known.set(contractId, contract);
  }

  add(fault: CallFault): void {
    this.#faults.push(fault);
  }

  clear(): void {
    this.#faults = [];
  }

  /** Of the call that the transaction made, when it failed: what happened, without where. Undefined when nothing is known. */
  get explanation(): string | undefined {
    const fault = this.#faults.at(-1);
    return fault === undefined ? undefined : describeFault(fault.end) || undefined;
  }

  /** Of the call that the transaction made, when it failed: in which function and line. */
  get where(): string {
    const fault = this.#faults.at(-1);
    return fault === undefined ? "" : locateFault(fault.end, this.#source(fault));
  }

  /** A reason, and where it arose. */
  located(reason: string): string {
    const { where } = this;
    return where === "" ? reason : `${reason}, ${where}`;
  }

  /** Calls inside of it that failed, each in a line. */
  inner(isOk: boolean): readonly string[] {
    const faults = isOk ? this.#faults : this.#faults.slice(0, -1);
    return faults.map((fault) => {
      const name = this.#known.get(fault.contractId)?.name ?? fault.contractId;
      return `${name}.${fault.method}: ${explainFault(fault.end, this.#source(fault))}`;
    });
  }

  #source(fault: CallFault): FaultSource {
    return this.#known.get(fault.contractId)?.source ?? { code: fault.code() };
  }
}
