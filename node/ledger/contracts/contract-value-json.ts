// The one JSON text of a contract value: no spaces, integers in full, keys in their order.
import type { ContractValue } from "./contract-value.ts";

/** JSON of a value. */
export function contractValueJson(value: ContractValue): string {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(contractValueJson).join(",")}]`;
  return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${contractValueJson(member)}`).join(",")}}`;
}

function isList(value: readonly ContractValue[] | ReadonlyMap<string, ContractValue>): value is readonly ContractValue[] {
  return Array.isArray(value);
}
