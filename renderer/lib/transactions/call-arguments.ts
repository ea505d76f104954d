// Arguments of a contract call as they are typed, and the JSON list that they become. Integers stay exact: they never pass a number.
import { isJson } from "#shared/protocol/primitives/json-parts.ts";
import type { ArgumentAbi } from "#shared/protocol/transactions/contracts.ts";

const MAX_U64 = 2n ** 64n;

/** What is wrong with an argument. */
export type ArgumentProblem = "number" | "json";

/** One typed argument checked. */
export type CheckedArgument = { readonly json: string } | { readonly problem: ArgumentProblem };

/** JSON of a typed argument. */
export function checkArgument(argument: ArgumentAbi, text: string): CheckedArgument {
  switch (argument.type) {
    case "string":
      return { json: JSON.stringify(text) };
    case "bool":
      return { json: text === "true" ? "true" : "false" };
    case "u64": {
      const digits = text.trim();
      return /^\d{1,20}$/.test(digits) && BigInt(digits) < MAX_U64 ? { json: BigInt(digits).toString() } : { problem: "number" };
    }
    case "json":
      return isJson(text) ? { json: text.trim() } : { problem: "json" };
  }
}

/** The list of all arguments, or undefined when one is wrong. */
export function argumentsJson(args: readonly ArgumentAbi[], texts: readonly string[]): string | undefined {
  const checked = args.map((argument, index) => checkArgument(argument, texts[index] ?? ""));
  const parts = checked.flatMap((part) => ("json" in part ? [part.json] : []));
  return parts.length === args.length ? `[${parts.join(",")}]` : undefined;
}
