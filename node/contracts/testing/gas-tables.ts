// What contract test prints of gas: a table by methods, and with --profile one by functions and calls of the host.
import type { GasBudget, Overrun } from "./gas-budget.ts";
import type { FunctionRecord, MethodGas } from "./gas-record.ts";

const COLUMN = 12;
const SHOWN_FUNCTIONS = 40;

/** Lines of the methods that the tests called successfully. */
export function methodTable(methods: Readonly<Record<string, MethodGas>>, budget: GasBudget | undefined): readonly string[] {
  const names = Object.keys(methods).sort();
  if (names.length === 0) return [];
  const width = Math.max(...names.map((name) => name.length), "gas by method".length);
  const head = ["calls", "least", "most", ...(budget === undefined ? [] : ["budget"])];
  const row = (name: string): string => {
    const { calls, least, most } = methods[name] ?? { calls: 0, least: 0, most: 0 };
    const allowed = budget === undefined ? [] : [amount(budget.methods[name])];
    return line(name, width, [amount(calls), amount(least), amount(most), ...allowed]);
  };
  return ["", line("gas by method", width, head), ...names.map(row)];
}

/** Lines of the functions that used most; `total` is what all calls used, and what no function did was loading. */
export function functionTable(functions: readonly FunctionRecord[], total: number): readonly string[] {
  const used = functions.reduce((sum, { gas }) => sum + gas, 0);
  const rows = functions.map(({ name, isHost, gas, calls }) => ({ name: isHost ? `host ${name}` : name, gas, calls }));
  const loading = { name: "loading and arguments", gas: total - used, calls: 0 };
  const shown = [...rows, loading].sort((a, b) => b.gas - a.gas).slice(0, SHOWN_FUNCTIONS);
  const width = Math.max(...shown.map(({ name }) => name.length), "gas by function".length);
  const share = (gas: number): string => `${((100 * gas) / Math.max(total, 1)).toFixed(1)} %`;
  return [
    "",
    line("gas by function", width, ["calls", "gas", "share"]),
    ...shown.map(({ name, gas, calls }) => line(name, width, [calls === 0 ? "" : amount(calls), amount(gas), share(gas)])),
  ];
}

/** "add 95,001 gas, 93,120 allowed (+2.0 %)". */
export function describeOverrun({ what, gas, budget }: Overrun): string {
  return `${what} ${amount(gas)} gas, ${amount(budget)} allowed (+${((100 * (gas - budget)) / Math.max(budget, 1)).toFixed(1)} %)`;
}

function line(name: string, width: number, columns: readonly string[]): string {
  return `${name.padEnd(width)}${columns.map((column) => column.padStart(COLUMN)).join("")}`.trimEnd();
}

function amount(value: number | undefined): string {
  return value === undefined ? "–" : value.toLocaleString("en-US");
}
