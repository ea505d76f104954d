// Adds up the results of many runs: a run without crashes, rounds or progress would prove nothing.
import type { SimulationResult } from "./simulation.ts";

/** Results together. */
export interface TallySummary {
  readonly runs: number;
  readonly heights: number;
  /** Runs in which too many logs were lost to continue. */
  readonly stalls: number;
  readonly messages: number;
  readonly crashes: number;
  readonly batchBlocks: number;
  readonly writingLosses: number;
  readonly refusals: number;
  readonly emptied: number;
  readonly rejections: number;
  readonly maxRound: number;
  readonly accused: number;
  readonly forks: number;
  readonly forkedRuns: number;
  /** Runs that forked and in which no node found out about it, nor stopped because more than two thirds decided otherwise. */
  readonly unnoticedForks: number;
  /** Runs that forked without an accused validator: two rounds of a height may decide without a contradiction in one of them. */
  readonly unprovenForks: number;
  readonly halts: number;
  readonly slowestRecoveryMs: number;
  readonly crashPoints: readonly string[];
}

/** Collects results. */
export interface Tally {
  add(result: SimulationResult): void;
  summary(): TallySummary;
}

/** An empty tally. */
export function createTally(): Tally {
  const results: Omit<SimulationResult, "crashPoints">[] = [];
  const crashPoints = new Set<string>();
  const sum = (pick: (result: (typeof results)[number]) => number): number => results.reduce((total, result) => total + pick(result), 0);
  const most = (pick: (result: (typeof results)[number]) => number): number =>
    results.reduce((highest, result) => Math.max(highest, pick(result)), 0);
  return {
    add: ({ crashPoints: points, ...result }): void => {
      results.push(result);
      for (const point of points) crashPoints.add(point);
    },
    summary: () => ({
      runs: results.length,
      heights: sum(({ height }) => height),
      stalls: sum(({ hasStalled }) => Number(hasStalled)),
      messages: sum(({ messages }) => messages),
      crashes: sum(({ crashes }) => crashes),
      batchBlocks: sum(({ batchBlocks }) => batchBlocks),
      writingLosses: sum(({ writingLosses }) => writingLosses),
      refusals: sum(({ refusals }) => refusals),
      emptied: sum(({ emptied }) => emptied),
      rejections: sum(({ rejections }) => rejections),
      maxRound: most(({ maxRound }) => maxRound),
      accused: sum(({ accused }) => accused),
      forks: sum(({ forks }) => forks),
      forkedRuns: sum(({ forks }) => Number(forks > 0)),
      unprovenForks: sum(({ forks, accused }) => Number(forks > 0 && accused === 0)),
      unnoticedForks: sum(({ forks, provenForks, halts }) => Number(forks > 0 && provenForks + halts === 0)),
      halts: sum(({ halts }) => halts),
      slowestRecoveryMs: most(({ hasStalled, recoveredMs }) => (hasStalled ? 0 : recoveredMs)),
      crashPoints: [...crashPoints].sort(),
    }),
  };
}
