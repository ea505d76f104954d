// Contracts of a light node, run where the test runs: what their process does, without one.
import { systemTimers } from "#node/config/system-clock.ts";
import { createTrialVm } from "#node/explorer/queries/read-queries.ts";
import type { LightSource } from "#node/light/light-source.ts";
import { createCallPasses } from "#node/light/queries/call-passes.ts";
import { LightCalls } from "#node/light/queries/light-calls.ts";
import type { ModuleTrials } from "#node/light/queries/light-pool.ts";
import { createLightQueries } from "#node/light/queries/light-queries.ts";
import { createLightReader } from "#node/light/queries/light-reader.ts";
import type { ProvenReads } from "#node/light/reads/proven-reads.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Calls over proven reads. */
export function callsHere(reads: ProvenReads, { chain_id: chainId, params }: Genesis, clock: Clock): LightCalls {
  const runPass = createCallPasses({ chainId, params }, { vm: createTrialVm(), clock });
  return new LightCalls(reads, async (call) => runPass(call), systemTimers);
}

/** Trials at which no process dies. */
export function trialsHere(calls: LightCalls): ModuleTrials {
  return { problemOf: (tx, nowMs) => calls.problemOf(tx, nowMs), isRefused: () => false };
}

/** Every query of a light node over a source. */
export function lightQueriesHere(source: LightSource, genesis: Genesis, clock: Clock): ReadQueries {
  const reader = createLightReader(source, genesis);
  return createLightQueries(reader, callsHere(reader.reads, genesis, clock));
}
