// The reasons that a source can refuse with, for the types of its clients: texts that `demand` and `revert` are given as they are.
import type { ContractInterface } from "./read-interface.ts";
import { type AstNode, type Identifier, NODE, visit } from "./syntax-tree.ts";

const REASON_AT: ReadonlyMap<string, number> = new Map([
  ["revert", 0],
  ["demand", 1],
]);

/** Reasons in the order of the source, each once. */
export function refusalsOf({ sources }: Pick<ContractInterface, "sources">): readonly string[] {
  const reasons = new Set<string>();
  const see = (node: AstNode): void => {
    const reason = reasonOf(node);
    if (reason !== undefined) reasons.add(reason);
  };
  for (const statement of sources.flatMap(({ statements }) => statements)) visit(statement, see);
  return [...reasons];
}

function reasonOf(node: AstNode): string | undefined {
  if (node.kind !== NODE.call || !("expression" in node) || !("args" in node)) return undefined;
  const { text = "" } = node.expression as Partial<Identifier>;
  const at = REASON_AT.get(text);
  const reason = at === undefined ? undefined : (node.args as readonly AstNode[])[at];
  return reason !== undefined && "value" in reason && typeof reason.value === "string" ? reason.value : undefined;
}
