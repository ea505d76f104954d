// All hostile cases: the dearest work for the least gas that an author could think of.
import { argumentCases } from "./hostile-arguments.ts";
import { interfaceCases, passingCases } from "./hostile-calls.ts";
import type { HostileCase } from "./hostile-case.ts";
import { codeCases } from "./hostile-code.ts";
import { loadingCases } from "./hostile-loading.ts";
import { instanceCases, stateCases } from "./hostile-state.ts";

export function hostileCases(): readonly HostileCase[] {
  return [
    ...argumentCases(),
    ...interfaceCases(),
    ...instanceCases(),
    ...stateCases(),
    ...passingCases(),
    ...codeCases(),
    ...loadingCases(),
  ];
}
