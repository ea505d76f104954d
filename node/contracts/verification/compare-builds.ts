// Whether a source becomes the module that was deployed, byte for byte, and where it does not.
import { functionNames } from "#node/vm/faults/module-names.ts";
import { withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { BuiltContract } from "../check-module.ts";

/** What the chain has. */
export interface DeployedContract {
  readonly code: Uint8Array;
  readonly abiJson: string;
}

/** What differs, in a line each; empty when the source is that of the contract. Custom sections have no effect and do not count. */
export function compareBuilds(deployed: DeployedContract, built: Pick<BuiltContract, "code" | "abiJson">): readonly string[] {
  const [theirs, ours] = [withoutCustomSections(deployed.code), withoutCustomSections(built.code)];
  const lines = deployed.abiJson === built.abiJson ? [] : ["the interface is another one"];
  if (equalBytes(theirs, ours)) return lines;
  const first = theirs.findIndex((byte, index) => byte !== ours[index]);
  const at = first === -1 ? theirs.length : first;
  const size = theirs.length === ours.length ? `${ours.length} bytes both` : `${theirs.length} bytes deployed, ${ours.length} built`;
  return [...lines, `the module is another one: ${size}, they differ from byte ${at} on`, ...exportDifferences(theirs, ours)];
}

function exportDifferences(theirs: Uint8Array, ours: Uint8Array): readonly string[] {
  const names = (code: Uint8Array): ReadonlySet<string> => new Set(functionNames(parseModule(code), new Uint8Array(0)).values());
  const [deployed, built] = [names(theirs), names(ours)];
  const missing = [...deployed].filter((name) => !built.has(name));
  const added = [...built].filter((name) => !deployed.has(name));
  return [
    ...(missing.length === 0 ? [] : [`deployed only: ${missing.join(", ")}`]),
    ...(added.length === 0 ? [] : [`built only: ${added.join(", ")}`]),
  ];
}
