// A machine that tells of every call of a module that ended early, also of those inside other calls; nothing else changes.
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";

/** A call of a module that ended early. */
export interface CallFault {
  readonly end: CallEnd;
  readonly contractId: string;
  readonly method: string;
  /** Reads the bytes of its module. */
  readonly code: () => Uint8Array;
}

/** The machine, with what is to hear of faults. The outermost call's comes last. */
export function watchFaults(vm: ContractVm, onFault: (fault: CallFault) => void): ContractVm {
  const { spare } = vm;
  return {
    inspect: (code) => vm.inspect(code),
    run: (module, call, host): void => {
      try {
        vm.run(module, call, host);
      } catch (error) {
        if (error instanceof CallEnd) onFault({ end: error, contractId: host.contractId, method: call.method, code: () => module.code() });
        throw error;
      }
    },
    ...(spare === undefined ? {} : { spare: watchFaults(spare, onFault) }),
  };
}
