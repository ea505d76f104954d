// Tables of simulated keepers: `npm run sim -- --mail [--seed 1] [--relays 1000] [--people 1000000] [--slot-step 16] [--days 30] [--part churn]`.
// `--part check` runs some short ones instead, for as many seeds as `--seeds` says, and ends with a failure at the first that breaks a rule.
import { parseArgs } from "node:util";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { checkMail } from "./check-mail.ts";
import { type MonthResult, simulateMonth } from "./churn-month.ts";
import { simulateFlood } from "./flooded-keeper.ts";
import { HostileNetwork, simulateChecked, simulateChosenKeys, simulateDropping, simulateVanishing } from "./hostile-keepers.ts";
import { simulateLoad } from "./load-spread.ts";
import { printReading } from "./reading-table.ts";
import { repairCost } from "./repair-cost.ts";
import { simulateGrinding, simulateSybils } from "./sybil-keepers.ts";
import { ENVELOPE_BYTES } from "./waiting-mail.ts";

interface Sizes {
  readonly seed: number;
  readonly relays: number;
  readonly people: number;
  readonly slotStep: number;
  readonly days: number;
}

/** Failures a day, and how many of them are for good. */
const FAILING = 0.1;
const FOR_GOOD = 0.2;
const GRACE_HOURS = [1, 6, 12, 24] as const;
const HOSTILE = 1 / 3;
const BOXES = 40_000;
const CHOSEN_BOXES = 4_000;
/** Boxes to which a node writes a day: that of one person, and one of many. */
const CHECKED_BOXES = [50, 4_000];
const PARTS: Readonly<Record<string, (sizes: Sizes) => void | Promise<void>>> = {
  churn: printChurn,
  load: printLoad,
  reading: ({ seed, relays, people, slotStep }) => printReading({ seed, relays, people, slotStep: slotStep === 16 ? 1 : slotStep }, row),
  hostile: printHostile,
  sybils: printSybils,
  repair: printRepair,
  floods: printFloods,
};

/** Prints the tables of the command line. */
export async function printMailTables(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mail: { type: "boolean" },
      seed: { type: "string", default: "1" },
      seeds: { type: "string", default: "1" },
      relays: { type: "string", default: "1000" },
      people: { type: "string", default: "1000000" },
      "slot-step": { type: "string", default: "16" },
      days: { type: "string", default: "30" },
      part: { type: "string" },
    },
  });
  const sizes = {
    seed: Number(values.seed),
    relays: Number(values.relays),
    people: Number(values.people),
    slotStep: Number(values["slot-step"]),
    days: Number(values.days),
  };
  if (values.part === "check") {
    await checkSeeds(sizes.seed, Number(values.seeds));
    return;
  }
  say(`Seed ${sizes.seed}, ${sizes.relays} relays, ${sizes.people} people, one of ${sizes.slotStep} slots, ${sizes.days} days.`);
  for (const [name, print] of Object.entries(PARTS)) {
    if (values.part !== undefined && values.part !== name) continue;
    const startMs = performance.now();
    await print(sizes);
    say(`${name}: ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
  }
}

async function checkSeeds(first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      say(`${seed}: ${JSON.stringify(await checkMail(seed))}`);
    } catch (error) {
      console.error(`Seed ${seed}: ${(error as Error).stack}\nAgain: npm run sim -- --seed ${seed} --mail --part check`);
      process.exit(1);
    }
  }
}

function printChurn(sizes: Sizes): void {
  row("disks", "grace", "into a relay, GB a day", "of all mail, 1/1000", "held, GB", "repair", "lost", "late", "keepers");
  for (const graceHours of GRACE_HOURS) churnRow(sizes, graceHours, FOR_GOOD);
  churnRow(sizes, 12, 1);
}

function churnRow({ seed, relays, people, slotStep, days }: Sizes, graceHours: number, forGood: number): void {
  const month = simulateMonth({ seed, relays, people, slotStep, days, failing: FAILING, forGood, graceHours });
  const into = (month.putBytes + month.repairBytes) / relays;
  row(
    forGood === 1 ? "all failing" : "a fifth of failing",
    `${graceHours} h`,
    gigabytes(into / days),
    ((1_000 * into) / month.arrivedBytes).toFixed(2),
    gigabytes(month.heldBytes / relays),
    percent(month.repairBytes / month.putBytes),
    percent(month.lostBytes / month.arrivedBytes, 5),
    percent(month.lateBytes / month.arrivedBytes, 5),
    month.keepers.toFixed(0),
  );
  say(`${month.boxes} boxes in ${month.slots} slots; ${sampleText(month)}`);
}

function sampleText({ live }: MonthResult): string {
  return `${live.toFixed(0)} relays there on average`;
}

function printLoad({ relays, people }: Sizes): void {
  row("seed", "median over share", "p99", "most");
  for (const seed of [1, 2, 3]) {
    const { median, p99, most } = simulateLoad(seed, relays, people);
    row(`${seed}`, median.toFixed(2), p99.toFixed(2), most.toFixed(2));
  }
}

function printHostile({ seed, relays }: Sizes): void {
  const network = new HostileNetwork({ seed, relays, part: HOSTILE });
  row("a third drops", "lost", "lost at a second box too", "keys a box");
  for (const keeping of [3, 4, 5]) {
    const { lost, resentLost } = simulateDropping(network, BOXES, keeping);
    row(`${keeping} keepers`, percent(lost), percent(resentLost, 3), "1");
  }
  const { lost, resentLost, keys } = simulateChosenKeys(network, CHOSEN_BOXES);
  row("3, keys chosen by tests", percent(lost), percent(resentLost, 3), keys.toFixed(2));
  for (const boxesOfNode of CHECKED_BOXES) {
    const checked = simulateChecked(network, CHOSEN_BOXES, boxesOfNode);
    row(`3, receipts checked by nodes that write to ${boxesOfNode}`, percent(checked.lost), percent(checked.resentLost, 3), "1");
  }
  const { ofWaiting, ofMonth } = simulateVanishing(network, BOXES);
  row("vanishing", `${percent(ofWaiting)} of what waits`, `${percent(ofMonth)} of a month`, "");
}

function printSybils({ seed, relays }: Sizes): void {
  const slots = KEEPER_RULES.slots / 16;
  row("part of all bonds", "spread", "relays", "two of three", "all three");
  for (const part of [0.05, 0.1, 0.2, 1 / 3])
    for (const [spread, given] of [
      ["each a network and a wallet", {}],
      ["3 networks", { networks: 3 }],
      ["1 wallet", { wallets: 1 }],
    ] as const) {
      const { ofThem, two, three } = simulateSybils({ seed, relays, slots, part, ...given });
      row(percent(part, 0), spread, `${ofThem}`, percent(two), percent(three));
    }
  const { ground, groundNext, salted } = simulateGrinding({ seed, relays, party: 20, tries: 500, slots: 100 });
  row("20 relays, 500 keys each, one box", "salts of keys alone", "next period", "salts of a later block");
  row("all three", percent(ground, 0), percent(groundNext, 0), percent(salted, 0));
}

function printRepair(): void {
  const entries = 12_000;
  row("entries that differ", "requests", "bytes beside the mail", "of the mail");
  for (const lacking of [0, 1, 10, 100, 1_000, entries]) {
    const { requests, bytes, moved } = repairCost(entries, lacking);
    row(`${lacking} of ${entries}`, `${requests}`, `${bytes}`, moved === 0 ? "" : percent(bytes / (moved * ENVELOPE_BYTES)));
  }
}

async function printFloods(): Promise<void> {
  row("sources", "contacts' mail lost", "strangers' mail kept", "flood taken in at first", "refused");
  for (const sources of [10, 100, 1_000]) {
    const { contactsLost, strangersKept, floodStored, refused } = await simulateFlood({ sources, room: 16_000, times: 2 });
    row(`${sources}`, percent(contactsLost), percent(strangersKept), percent(floodStored), percent(refused));
  }
}

const percent = (part: number, digits = 2): string => `${(100 * part).toFixed(digits)} %`;
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(3);

function row(...cells: readonly string[]): void {
  say(`| ${cells.join(" | ")} |`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
