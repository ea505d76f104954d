// Hand-made bugs of the kinds that people make. A find-text is as short as it can be while it occurs once in its file: a unit test holds
// the table to that, so that a rewritten line brings its row along.

import type { Mutant } from "./mutant.ts";
import { AGENT } from "./tables/agent.ts";
import { API } from "./tables/api.ts";
import { APPS } from "./tables/apps.ts";
import { CARRIERS } from "./tables/carriers.ts";
import { CONSENSUS } from "./tables/consensus.ts";
import { DESKTOP } from "./tables/desktop.ts";
import { ENGINE_MUTANTS } from "./tables/engine.ts";
import { GATEWAYS } from "./tables/gateways.ts";
import { INTERFACE } from "./tables/interface.ts";
import { KEEPERS } from "./tables/keepers.ts";
import { KEYRING } from "./tables/keyring.ts";
import { LEDGER } from "./tables/ledger.ts";
import { LIGHT } from "./tables/light.ts";
import { MESSENGER } from "./tables/messenger.ts";
import { NETWORK } from "./tables/network.ts";
import { STATE } from "./tables/state.ts";
import { VM } from "./tables/vm.ts";

/** All rows. */
export const MUTANTS: readonly Mutant[] = [
  ...CONSENSUS,
  ...DESKTOP,
  ...ENGINE_MUTANTS,
  ...LEDGER,
  ...STATE,
  ...VM,
  ...NETWORK,
  ...LIGHT,
  ...AGENT,
  ...API,
  ...GATEWAYS,
  ...INTERFACE,
  ...KEYRING,
  ...KEEPERS,
  ...CARRIERS,
  ...APPS,
  ...MESSENGER,
];
