// A chat with a long history in the interface: restored from a backup, opened, scrolled by.
import { measureLongChat } from "../browser/long-chat.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const FULL = 100_000;
const SMALL = 10_000;
/** What the page's process may keep after all of it, MiB: engine, search and the rows of one chat, whatever the length of its history. */
const MEMORY_MIB = 500;
/** Chains of at least so many transactions call for the full chat. */
const FULL_TRANSACTIONS = 100_000;

/** A chat of 100,000 messages, 10,000 in a small run. */
export async function longChatSuite(bench: Bench): Promise<void> {
  const count = bench.options.transactions >= FULL_TRANSACTIONS ? FULL : SMALL;
  const { restoredMs, openMs, frames, late, passed, memoryMiB } = await measureLongChat(count);
  bench.print(
    table(
      `A chat with ${count.toLocaleString("en")} messages in the interface`,
      ["what", "figure", "goal"],
      [
        ["restored from a backup, messages/s", round((count * 1_000) / restoredMs), ""],
        ["from the press until its newest message is painted, ms", round(openMs), ""],
        [`late frames while ${passed.toLocaleString("en")} messages are scrolled by`, `${late} of ${frames}`, "0"],
        ["memory of the page's process before it was restored, MiB (PSS)", round(memoryMiB.before), ""],
        ["memory after the scrolling, MiB (PSS)", round(memoryMiB.after), `≤ ${MEMORY_MIB}`],
      ],
    ),
  );
  const chat = `a chat with ${count.toLocaleString("en")} messages`;
  bench.goals.push(
    { what: `${chat}: late frames of ${frames}`, value: late, unit: "frames", bound: { atMost: 0 } },
    { what: `${chat}: memory of the page`, value: memoryMiB.after, unit: "MiB", bound: { atMost: MEMORY_MIB } },
  );
}
