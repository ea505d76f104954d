// The gas that the methods of a contract may use at most in its tests: a file beside them, which a growing method fails.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { MethodGas } from "./gas-record.ts";

export const BUDGET_FILE = "gas-budget.json";

/** Most gas, by what it is for. */
export interface GasBudget {
  readonly deployment: number;
  readonly loading: number;
  readonly methods: Readonly<Record<string, number>>;
}

/** Something that costs more than its budget. */
export interface Overrun {
  readonly what: string;
  readonly gas: number;
  readonly budget: number;
}

/** @throws CodedError CONFIG_INVALID when the file is none. */
export function readBudget(path: string): GasBudget | undefined {
  if (!existsSync(path)) return undefined;
  const budget = parseBudget(readFileSync(path, "utf8"));
  if (budget === undefined)
    throw new CodedError("CONFIG_INVALID", `${path} is no budget: delete it, and write it with parley contract test --update-budget`);
  return budget;
}

export function writeBudget(path: string, budget: GasBudget): void {
  try {
    writeFileSync(path, `${JSON.stringify(budget, undefined, 2)}\n`);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${path} cannot be written: check its permissions`, { cause });
  }
}

/** The budget that what was measured just meets; methods that were not called keep theirs. */
export function budgetOf(
  measured: Pick<GasBudget, "deployment" | "loading">,
  methods: Readonly<Record<string, MethodGas>>,
  old?: GasBudget,
): GasBudget {
  const most = Object.entries(methods).map(([name, gas]): [string, number] => [name, gas.most]);
  const names = new Map([...Object.entries(old?.methods ?? {}), ...most]);
  return { ...measured, methods: Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** What costs more than its budget; a method without one is none. */
export function overrunsOf(budget: GasBudget, actual: GasBudget): readonly Overrun[] {
  const pairs = [
    { what: "deployment", gas: actual.deployment, budget: budget.deployment },
    { what: "loading", gas: actual.loading, budget: budget.loading },
    ...Object.entries(actual.methods).map(([name, gas]) => ({ what: name, gas, budget: budget.methods[name] ?? Number.POSITIVE_INFINITY })),
  ];
  return pairs.filter((pair) => pair.gas > pair.budget);
}

function parseBudget(text: string): GasBudget | undefined {
  try {
    const value = JSON.parse(text) as Partial<GasBudget> | null;
    const { deployment, loading, methods } = value ?? {};
    if (!isGas(deployment) || !isGas(loading) || typeof methods !== "object" || methods === null) return undefined;
    return Object.values(methods).every(isGas) ? { deployment, loading, methods } : undefined;
  } catch {
    return undefined;
  }
}

function isGas(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
