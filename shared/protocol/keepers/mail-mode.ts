// Whether a network's mail goes by gossip or to keepers. One step an epoch; an epoch without a block is none.
import type { KeeperRules } from "./keeper-rules.ts";

/**
 * - `gossip`: so many epochs in a row had enough keepers.
 * - `announced`: so many epochs are left until keepers take over.
 * - `keepers`: so many epochs in a row had too few of them.
 */
export type MailMode =
  | { readonly is: "gossip"; readonly enough: number }
  | { readonly is: "announced"; readonly left: number; readonly tooFew: number }
  | { readonly is: "keepers"; readonly tooFew: number };

/** Every network begins with gossip. */
export const FIRST_MODE: MailMode = { is: "gossip", enough: 0 };

/** The mode of an epoch with so many independent keepers. */
export function nextMode(mode: MailMode, keepers: number, rules: KeeperRules): MailMode {
  const tooFew = mode.is !== "gossip" && keepers < rules.leastKeepers ? mode.tooFew + 1 : 0;
  if (tooFew >= rules.endEpochs) return FIRST_MODE;
  switch (mode.is) {
    case "gossip": {
      const enough = keepers >= rules.startKeepers ? mode.enough + 1 : 0;
      return enough >= rules.startEpochs ? { is: "announced", left: rules.announcedEpochs, tooFew: 0 } : { is: "gossip", enough };
    }
    case "announced":
      return mode.left <= 1 ? { is: "keepers", tooFew } : { is: "announced", left: mode.left - 1, tooFew };
    case "keepers":
      return { is: "keepers", tooFew };
  }
}
