// A thread that runs schedules of simulated mail, some seeds at a time, up to the first that breaks a rule.
import { parentPort } from "node:worker_threads";
import { type GroupFigures, groupScenario, simulateGroup } from "./groups/group-schedule.ts";
import { type MessageResult, messageScenario, simulateMessages } from "./message-simulation.ts";

/** Seeds to be run, both included. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** What became of one: figures, or what does not hold. */
export type ScheduleOutcome =
  | { readonly seed: number; readonly mail: MessageResult; readonly group: GroupFigures; readonly failure?: undefined }
  | { readonly seed: number; readonly mail?: undefined; readonly group?: undefined; readonly failure: string };

parentPort?.on("message", ({ first, last }: SeedRange) => {
  const outcomes: ScheduleOutcome[] = [];
  for (let seed = first; seed <= last && outcomes.at(-1)?.failure === undefined; seed += 1) outcomes.push(outcomeOf(seed));
  parentPort?.postMessage(outcomes);
});

function outcomeOf(seed: number): ScheduleOutcome {
  try {
    return { seed, mail: simulateMessages(messageScenario(seed)), group: simulateGroup(groupScenario(seed)) };
  } catch (error) {
    return { seed, failure: (error as Error).stack ?? String(error) };
  }
}
