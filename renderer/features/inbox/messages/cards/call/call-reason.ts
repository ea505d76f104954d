// Why there was no path for a call, or why it could not be answered, in words of either side.
import type { CallOutcome } from "#shared/content/chat/call-outcome.ts";

const NO_PATH = {
  "no-relay": "calls.noPathWhy",
  "unreached-relay": "calls.noPathRelay",
  "relay-only": "calls.noPathRelay",
  media: "calls.noPathUnknown",
  failed: "calls.noPathUnknown",
} as const;
const OWN_PROBLEMS = {
  "relay-only": "calls.over.noRelay",
  media: "calls.ownMedia",
  failed: "calls.over.failed",
  "no-relay": "calls.over.failed",
  "unreached-relay": "calls.over.failed",
} as const;
const THEIR_PROBLEMS = {
  "relay-only": "calls.over.theirRelay",
  media: "calls.over.theirMedia",
  failed: "calls.over.theirFailure",
  "no-relay": "calls.over.theirFailure",
  "unreached-relay": "calls.over.theirFailure",
} as const;

type Words<Table> = Table[keyof Table];
type Reason = Words<typeof NO_PATH> | Words<typeof OWN_PROBLEMS> | Words<typeof THEIR_PROBLEMS> | "calls.noPathUnknown";

/** Words that say why there was no path, or why it could not be answered; undefined where there is nothing to explain. */
export function reasonOf(outcome: CallOutcome, isIncoming: boolean): Reason | undefined {
  if (outcome.kind === "no-path") return outcome.cause === undefined ? "calls.noPathUnknown" : NO_PATH[outcome.cause];
  if (outcome.kind !== "declined" || outcome.cause === undefined) return undefined;
  return (isIncoming ? OWN_PROBLEMS : THEIR_PROBLEMS)[outcome.cause];
}
