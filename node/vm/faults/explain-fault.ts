// Why a call of a module ended, in words for its author: what happened, in which call of the host, in which function and line. Nothing of
// it is part of what nodes agree on.
import type { CallEnd, HostCall } from "#node/ledger/contracts/call-end.ts";
import { HOST_PARAMETERS } from "../module/host-parameters.ts";
import { isHostFunctionName } from "../module/host-signatures.ts";
import { type CodePlace, describePlace, type FaultSource } from "./code-place.ts";
import { placesOf } from "./fault-location.ts";

/** Longest explanation. */
export const MAX_EXPLANATION_CHARACTERS = 600;
const SHOWN_CALLERS = 3;

/** Words of the engine, which differ between its versions, and ours. */
const TRAPS: readonly (readonly [RegExp, string])[] = [
  [/divide by zero|remainder by zero/, "division by zero"],
  [/unrepresentable|integer overflow/, "the result of a division does not fit"],
  [/memory access out of bounds|out of bounds memory/, "a load or store outside of the memory"],
  [/table index|out of bounds table/, "an indirect call outside of the table"],
  [/signature mismatch|indirect call|null function/, "an indirect call of a function that is not there, or of another type"],
  [/unreachable/, "an unreachable instruction was reached (a panic, a failed assertion, or a function that must not return did)"],
];

const ENDS = {
  CONTRACT_OUT_OF_GAS: "the gas ran out",
  CONTRACT_STACK_OVERFLOW: "calls are nested too deep",
} as const;

/** What ended a call, or "" when nothing is known beyond its code. */
export function explainFault(end: CallEnd, source: FaultSource, places = placesOfEnd(end, source)): string {
  const parts = [describeFault(end), whereOf(places, source)];
  return parts
    .filter((part) => part !== "")
    .join(", ")
    .slice(0, MAX_EXPLANATION_CHARACTERS);
}

/** What happened, without where: "division by zero". */
export function describeFault(end: CallEnd): string {
  return `${whatHappened(end)} ${hostCallOf(end)}`.trim();
}

/** Where the call ended, without what happened: "in add (contract.ts:4:3)". */
export function locateFault(end: CallEnd, source: FaultSource): string {
  return whereOf(placesOfEnd(end, source), source).slice(0, MAX_EXPLANATION_CHARACTERS);
}

/** Where the call ended in a module, from the inside out; none where the engine does not say. */
export function placesOfEnd(end: CallEnd, { code, named }: Pick<FaultSource, "code" | "named">): readonly CodePlace[] {
  return placesOf(end.cause instanceof Error ? end.cause : end, code, named);
}

function whatHappened(end: CallEnd): string {
  switch (end.code) {
    case "CONTRACT_ABORTED":
      return end.message;
    case "CONTRACT_OUT_OF_GAS":
    case "CONTRACT_STACK_OVERFLOW":
      return ENDS[end.code];
    case "CONTRACT_TRAPPED": {
      if (!(end.cause instanceof Error)) return end.message;
      const { message } = end.cause;
      return TRAPS.find(([words]) => words.test(message))?.[1] ?? "a trap";
    }
  }
}

/** "in state_get(key: 5, …)", with the argument that led outside of the memory. */
function hostCallOf({ hostCall, code }: CallEnd): string {
  if (hostCall === undefined || (code === "CONTRACT_ABORTED" && ENDINGS.has(hostCall.name))) return "";
  return `in ${hostCall.name}(${argumentsOf(hostCall).join(", ")})`;
}

/** Calls that are there to end a call need no mention. */
const ENDINGS: ReadonlySet<string> = new Set(["revert", "abort"]);

function argumentsOf({ name, args }: HostCall): readonly string[] {
  const names: readonly string[] = isHostFunctionName(name) ? HOST_PARAMETERS[name] : [];
  return args.map(
    (value, index) => `${names[index] ?? `#${index}`}: ${typeof value === "bigint" ? BigInt.asUintN(64, value) : value >>> 0}`,
  );
}

/** From the innermost function of the author's own on, when one is known: a panic is of use where it was caused. */
function whereOf(places: readonly CodePlace[], source: FaultSource): string {
  const own = places.findIndex((place) => source.lineOf?.(place)?.isOwn === true);
  const words = places.slice(Math.max(own, 0)).map((place) => describePlace(place, source));
  const [innermost, ...callers] = words.filter((word, index) => word !== words[index - 1]);
  if (innermost === undefined) return "";
  return `in ${[innermost, ...callers.slice(0, SHOWN_CALLERS)].join(", called by ")}`;
}
