// Mailboxes of gateways over PostgreSQL beside those of a node: the same load, one after the other in each sample.
import { mkdir } from "node:fs/promises";
import { startGateways } from "../load/gateway-mailbox.ts";
import { type MailboxLoad, type MailboxResult, messagesOf, type ProcessorTimes, runMailboxLoad } from "../load/mailbox-load.ts";
import { mailboxesOf, parleyMailbox, type ServedMailboxes, sealEnvelopes } from "../load/parley-mailbox.ts";
import { noise, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import { type Bench, startEmpty } from "./bench.ts";
import { gatewayStores } from "./gateway-stores.ts";

const CLIENTS = 32;
const LOAD: MailboxLoad = { stored: 8_000, pushed: 200, pushedPerSecond: 50, listSeconds: 2 };

const SERVERS = {
  node: "a node, SQLite",
  one: "one gateway; pushed where it was published",
  two: "two gateways; pushed at the other one",
} as const;
type Server = keyof typeof SERVERS;
type Sample = Readonly<Record<Server, MailboxResult>>;

/** Fresh servers in every sample, one kind at a time. */
export async function gatewaySuite(bench: Bench): Promise<void> {
  await gatewayStores(bench);
  const envelopes = sealEnvelopes(messagesOf(LOAD));
  let runs = 0;
  const run = async (start: (name: string) => Promise<ServedMailboxes>): Promise<MailboxResult> => {
    runs += 1;
    await using server = await parleyMailbox(await start(`gateway-${runs}`), envelopes, CLIENTS);
    return await runMailboxLoad(server, LOAD);
  };
  const withGateways = (count: number): Promise<MailboxResult> =>
    run(async (name) => {
      const folder = `${bench.folder}/${name}`;
      await mkdir(folder);
      return await startGateways(folder, count);
    });
  const samples = await sample(bench.options.repeats, async (): Promise<Sample> => {
    const node = await run(async (name) => mailboxesOf(await startEmpty(bench, name)));
    return { node, one: await withGateways(1), two: await withGateways(2) };
  });
  const figure = (name: Server, of: (result: MailboxResult) => number): string => {
    const ratio = median(samples.values.map((value) => of(value[name]) / of(value.node)));
    return `${round(median(samples.values.map((value) => of(value[name]))))}${name === "node" ? "" : ` (${round(ratio)})`}`;
  };
  addGoals(bench, samples.values, samples.isNoisy);
  const rows = (Object.keys(SERVERS) as readonly Server[]).map((name) => [
    SERVERS[name],
    figure(name, ({ storedPerSecond }) => storedPerSecond),
    figure(name, ({ push }) => push.p50),
    figure(name, ({ push }) => push.p99),
    figure(name, ({ listsPerSecond }) => listsPerSecond ?? Number.NaN),
    figure(name, ({ processorMs }) => sum(processorMs.stored)),
    figure(name, ({ processorMs }) => sum(processorMs.list)),
  ]);
  const header = [
    "server",
    `stored/s, ${CLIENTS} clients`,
    "push p50 ms at 50/s",
    "push p99 ms",
    "lists of 50/s",
    "ms a stored one",
    "ms a list",
  ];
  bench.print(table(`Gateways: ratios to the node of the same sample (${noise(samples)})`, header, rows));
  const parts = (name: Server, of: (result: MailboxResult) => ProcessorTimes): readonly string[] =>
    ["node", "gateways", "PostgreSQL"].map((part) => round(median(samples.values.map((value) => of(value[name])[part] ?? 0))));
  bench.print(
    table(
      "Gateways: processor time by program, ms; of a stored message until the node behind has it too",
      ["server", "what", "node", "gateways", "PostgreSQL"],
      (Object.keys(SERVERS) as readonly Server[]).flatMap((name) => [
        [SERVERS[name], "stored message", ...parts(name, ({ processorMs }) => processorMs.stored)],
        [SERVERS[name], "list", ...parts(name, ({ processorMs }) => processorMs.list)],
      ]),
    ),
  );
}

function addGoals(bench: Bench, values: readonly Sample[], isNoisy: boolean): void {
  const toOne = (name: Server, to: Server, of: (result: MailboxResult) => number): number =>
    median(values.map((value) => of(value[name]) / of(value[to])));
  const stored = (result: MailboxResult): number => result.storedPerSecond;
  bench.goals.push(
    { what: "stored/s of two gateways", value: toOne("two", "one", stored), unit: "× one gateway", bound: { atLeast: 1.8 }, isNoisy },
    {
      what: "push p50 of a gateway",
      value: toOne("one", "node", ({ push }) => push.p50),
      unit: "× a node",
      bound: { atMost: 1.5 },
      isNoisy,
    },
  );
}

function sum(times: ProcessorTimes): number {
  return Object.values(times).reduce((total, ms) => total + ms, 0);
}
