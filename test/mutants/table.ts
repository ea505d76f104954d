// Hand-made bugs of the kinds that people make. A find-text is as short as it can be while it occurs once in its file: a unit test holds
// the table to that, so that a rewritten line brings its row along.
import { API } from "./api.ts";
import { APPS } from "./apps.ts";
import { CONSENSUS } from "./consensus.ts";
import { ENGINE_MUTANTS } from "./engine.ts";
import { INTERFACE } from "./interface.ts";
import { KEYRING } from "./keyring.ts";
import { LEDGER } from "./ledger.ts";
import { LIGHT } from "./light.ts";
import { MESSENGER } from "./messenger.ts";
import type { Mutant } from "./mutant.ts";
import { NETWORK } from "./network.ts";
import { STATE } from "./state.ts";
import { VM } from "./vm.ts";

/** All rows. */
export const MUTANTS: readonly Mutant[] = [
  ...CONSENSUS,
  ...ENGINE_MUTANTS,
  ...LEDGER,
  ...STATE,
  ...VM,
  ...NETWORK,
  ...LIGHT,
  ...API,
  ...INTERFACE,
  ...KEYRING,
  ...APPS,
  ...MESSENGER,
];
