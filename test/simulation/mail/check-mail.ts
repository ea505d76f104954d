// Short runs of simulated mail that must hold to their rules: `npm run sim -- --mail --part check [--seed 0] [--seeds 3]`.
import { simulateMonth } from "./churn-month.ts";
import { simulateFlood } from "./flooded-keeper.ts";
import { HostileNetwork, simulateChecked, simulateChosenKeys, simulateDropping } from "./hostile-keepers.ts";

/** Figures of a short run, parts from 0 to 1. */
export interface CheckedMail {
  readonly repair: number;
  readonly dropped: number;
  readonly droppedOfChosen: number;
  readonly droppedOfChecked: number;
}

/** Part of the mail that owners who test their keepers may lose, or nodes that check receipts, of that which others lose. */
const CHOSEN_PART = 0.25;
/** What these lose for good, though it is sent again, is less than what others lose by so much. */
const CHECKED_RESENT = 50;

/** A flood from few networks takes nothing of strangers who wait beside it. */
const FLOOD = { sources: 10, room: 400, times: 2 };

/** Runs a few days with one seed. @throws Error that says what does not hold. */
export async function checkMail(seed: number): Promise<CheckedMail> {
  const month = simulateMonth({ seed, relays: 60, people: 4_000, slotStep: 512, days: 4, failing: 0.1, forGood: 0.2, graceHours: 12 });
  if (month.lostBytes > 0) throw new Error(`${month.lostBytes} bytes of mail are lost`);
  const { contactsLost, strangersKept } = await simulateFlood(FLOOD);
  if (contactsLost > 0 || strangersKept < 1)
    throw new Error(`A flood takes ${contactsLost} of contacts, and leaves ${strangersKept} of strangers`);
  const network = new HostileNetwork({ seed, relays: 60, part: 1 / 3 });
  const { lost: dropped } = simulateDropping(network, 300, 3);
  const { lost: droppedOfChosen } = simulateChosenKeys(network, 40);
  if (droppedOfChosen > CHOSEN_PART * dropped) throw new Error(`Owners who test keepers lose ${droppedOfChosen}, others ${dropped}`);
  const { lost: droppedOfChecked, resentLost } = simulateChecked(network, 300, 100);
  if (droppedOfChecked > CHOSEN_PART * dropped || resentLost > dropped / CHECKED_RESENT)
    throw new Error(`Nodes that check receipts lose ${droppedOfChecked}, ${resentLost} for good, others ${dropped}`);
  return { repair: month.repairBytes / month.putBytes, dropped, droppedOfChosen, droppedOfChecked };
}
