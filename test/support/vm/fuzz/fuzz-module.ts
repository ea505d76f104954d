// A module to be run on several machines.
import type { ModuleRun } from "./host-run.ts";

export interface FuzzModule {
  readonly code: Uint8Array;
  readonly run: ModuleRun;
  /** It must be taken, unless a limit is in its way. */
  readonly isValid: boolean;
}
