// Trials of single transactions on committed state, as if each came alone into the next block. Nothing is kept of them.
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { paramsAfter } from "#node/ledger/records/params-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { GenesisParams } from "#shared/protocol/primitives/params.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { MEMPOOL_LIMITS } from "./mempool-limits.ts";
import { tryTransaction } from "./try-transaction.ts";

/** The network whose rules hold. */
export interface TrialNetwork {
  readonly chainId: string;
  /** What held before any change. */
  readonly params: GenesisParams;
}

/** The chain that a transaction would follow. */
export interface TrialTip {
  readonly state: StateReader;
  readonly height: number;
  readonly timeMs: number;
}

/** Why the transaction would fail, with as much gas for modules as the pool gives. */
export function problemOfTrial(
  tx: Transaction,
  { chainId, params }: TrialNetwork,
  vm: ContractVm,
  tip: TrialTip,
): TransactionProblem | undefined {
  const inForce = paramsAfter(tip.state, firstParams(params), tip);
  return tryTransaction(new OverlayStateView(tip.state), tx, {
    chainId,
    params: inForce,
    vm,
    trial: { gas: MEMPOOL_LIMITS.trialGas },
    height: tip.height + 1,
    timeMs: tip.timeMs,
    gasLeft: inForce.max_block_gas,
    hasSeenId: () => false,
  });
}
