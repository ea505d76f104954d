// The message store at full size in Chromium: filling, opening, searching, local echo, and opening a backlog of envelopes. Then two people
// in two Chromiums: from Enter to one's own and to the other's screen. Then one message for a group of 100.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { measureBacklog } from "../browser/backlog.ts";
import { bundle } from "../browser/bundle.ts";
import { measureChat } from "../browser/chat-latency.ts";
import { type GroupMessage, measureGroupFanOut } from "../browser/group-fan-out.ts";
import type { MessengerFigures } from "../browser/messenger-page.ts";
import { measurePairs, type PairFigures } from "../browser/pair-figures.ts";
import { median, percentiles, round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const FULL = 100_000;
const SMALL = 10_000;
/** Chains of at least so many transactions call for the full store. */
const FULL_TRANSACTIONS = 100_000;
/** Messages between two people, in a full and in a small run. */
const CHAT_MESSAGES = { full: 100, small: 40 } as const;
/** Messages of version 2 that are sealed and opened. */
const PAIR_MESSAGES = 500;
/** Messages of a backlog of version 2, and how often one is read. */
const BACKLOG = { messages: 500, rounds: 3 } as const;
/** Messages to a large group. */
const GROUP_MESSAGES = { full: 50, small: 10 } as const;
const GOALS = {
  ...{ openMs: 2_000, echoMs: 50, ownScreenMs: 30, otherScreenMs: 120, fanOutMs: 1_000 },
  /** Further devices of a member get a message up to 5 s later, so that nothing shows which belong together. */
  allDevicesMs: 6_000,
  /** Of a message of version 2: sealing it, and opening it. */
  pairMs: 2,
  backlogPerSecond: 1_000,
} as const;

/** Store and search with 100,000 messages, 10,000 in a small run. */
export async function messengerSuite(bench: Bench): Promise<void> {
  const script = await bundle("test/bench/browser/messenger-page.ts");
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<!doctype html><title>bench</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await using profile = await openProfile();
    await profile.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const count = bench.options.transactions >= FULL_TRANSACTIONS ? FULL : SMALL;
    const figures = (await profile.page.evaluate(
      `import("/page.js").then(({ measureMessenger }) => measureMessenger(${count}))`,
    )) as MessengerFigures;
    report(bench, figures);
    reportPairs(bench, figures.pairs);
  } finally {
    server.close();
  }
  await backlogs(bench);
  await chats(bench);
  await groups(bench);
}

async function backlogs(bench: Bench): Promise<void> {
  const { messages, rounds } = BACKLOG;
  const read = await measureBacklog(messages, rounds);
  const rate = median(read.map(({ ms }) => (messages * 1_000) / ms).sort((a, b) => a - b));
  const spent = median(read.map(({ processorMs }) => processorMs / messages).sort((a, b) => a - b));
  const bound = { atLeast: GOALS.backlogPerSecond };
  bench.goals.push({ what: "a backlog of version 2 in Chromium", value: rate, unit: "messages/s", bound });
  bench.print(
    table(
      `A backlog of ${messages} messages of version 2 in Chromium, from the node to the store, median of ${rounds}`,
      ["what", "figure", "goal"],
      [
        ["messages/s", round(rate), `≥ ${GOALS.backlogPerSecond}`],
        ["processor time of browser and node, ms a message", round(spent), ""],
      ],
    ),
  );
}

/** The median is within a bound. */
function addGoal(bench: Bench, what: string, value: number, atMost: number): void {
  bench.goals.push({ what, value, unit: "ms", bound: { atMost } });
}

async function groups(bench: Bench): Promise<void> {
  const count = bench.options.transactions >= FULL_TRANSACTIONS ? GROUP_MESSAGES.full : GROUP_MESSAGES.small;
  const { members, envelopes, first, messages, processorMs } = await measureGroupFanOut(count);
  const of = (choose: (message: GroupMessage) => number): ReturnType<typeof percentiles> => percentiles(messages.map(choose));
  const own = of(({ shownMs }) => shownMs);
  const firsts = of(({ firstMs }) => firstMs);
  const all = of(({ allMs }) => allMs);
  const bytes = median(messages.map((message) => message.bytes).sort((a, b) => a - b));
  addGoal(bench, `a message in a mailbox of each of ${members - 1} members, p50`, firsts.p50, GOALS.fanOutMs);
  addGoal(bench, `a message in the mailboxes of ${envelopes} devices, p50`, all.p50, GOALS.allDevicesMs);
  bench.print(
    table(
      `One message for a group of ${members} with ${envelopes} other devices, each with a public card, ${count} messages`,
      ["what", "p50", "p99", "goal", "the first one"],
      [
        ["shown by the engine, ms", round(own.p50), round(own.p99), `≤ ${GOALS.echoMs}`, round(first.shownMs)],
        ["a device of each member has it, ms", round(firsts.p50), round(firsts.p99), `≤ ${GOALS.fanOutMs}`, round(first.firstMs)],
        ["all devices have it, ms", round(all.p50), round(all.p99), `≤ ${GOALS.allDevicesMs}`, round(first.allMs)],
        ["bytes of its requests", bytes.toLocaleString("en"), "", "", first.bytes.toLocaleString("en")],
        ["processor time of browser and node, ms a message", round(processorMs), "", "", ""],
      ],
    ),
  );
}

async function chats(bench: Bench): Promise<void> {
  const count = bench.options.transactions >= FULL_TRANSACTIONS ? CHAT_MESSAGES.full : CHAT_MESSAGES.small;
  const rows: string[][] = [];
  for (const nodes of [1, 2] as const) {
    const { typed, hurried } = await measureChat(nodes, count);
    const where = nodes === 1 ? "one node" : "two nodes";
    for (const [what, samples, goal] of [
      [`own screen, ${where}`, typed.echo, `≤ ${GOALS.ownScreenMs}`],
      [`other screen, ${where}`, typed.shown, `≤ ${GOALS.otherScreenMs}`],
      [`own screen, ${where}, the next as soon as one is shown`, hurried.echo, ""],
      [`other screen, ${where}, the next as soon as one is shown`, hurried.shown, ""],
    ] as const) {
      const { p50, p99 } = percentiles(samples);
      rows.push([what, round(p50), round(p99), goal]);
    }
    for (const [what, samples, atMost] of [
      [`Enter to the own screen, ${where}, p50`, typed.echo, GOALS.ownScreenMs],
      [`Enter to the other screen, ${where}, p50`, typed.shown, GOALS.otherScreenMs],
    ] as const)
      addGoal(bench, what, percentiles(samples).p50, atMost);
  }
  const title = `From Enter to the screen, ${count} messages, one each two seconds, and as many at once, ms`;
  bench.print(table(title, ["where", "p50", "p99", "goal"], rows));
}

function report(bench: Bench, figures: MessengerFigures): void {
  const echo = [...figures.echoMs].sort((a, b) => a - b);
  bench.print(
    table(
      `Message store in Chromium with ${figures.messages.toLocaleString("en")} messages`,
      ["what", "figure", "goal"],
      [
        ["open to a usable inbox, ms", round(figures.openMs), `≤ ${GOALS.openMs}`],
        ["first search (reads the index), ms", round(figures.firstSearchMs), ""],
        ["next search, ms", round(figures.searchMs), ""],
        ["store a message (local echo), median ms", round(median(echo)), `≤ ${GOALS.echoMs}`],
        ["store a message, slowest of 40, ms", round(echo.at(-1) ?? 0), ""],
        ["store a backlog, messages/s", round(figures.writtenPerSecond), `≥ ${GOALS.backlogPerSecond}`],
        ["open and decode a backlog, envelopes/s", round(figures.openedPerSecond), `≥ ${GOALS.backlogPerSecond}`],
        ["space on disk, bytes a message", round(figures.bytesPerMessage), ""],
      ],
    ),
  );
}

/** Version 2, in script as in a browser, and with what the runtime of the desktop app has. */
function reportPairs(bench: Bench, inBrowser: PairFigures): void {
  const kem = nativeKem();
  const here = kem === undefined ? undefined : measurePairs(kem, PAIR_MESSAGES);
  if (here !== undefined) {
    addGoal(bench, "a short message of version 2 sealed, native", here.sealMs, GOALS.pairMs);
    addGoal(bench, "a short message of version 2 opened, native", here.openMs, GOALS.pairMs);
  }
  const perSecond = (ms: number | undefined): string => (ms === undefined ? "–" : round(1_000 / ms));
  const spent = (ms: number | undefined): string => (ms === undefined ? "–" : round(ms));
  bench.print(
    table(
      "A short message for one device in version 2",
      ["what", "Chromium, script", "Node, native"],
      [
        ["sealed, ms", spent(inBrowser.sealMs), spent(here?.sealMs)],
        ["opened and decoded, ms", spent(inBrowser.openMs), spent(here?.openMs)],
        ["a backlog opened, messages/s", perSecond(inBrowser.openMs), perSecond(here?.openMs)],
        ["bytes of the request that hands it in", inBrowser.bytes.toLocaleString("en"), here?.bytes.toLocaleString("en") ?? "–"],
      ],
    ),
  );
}
