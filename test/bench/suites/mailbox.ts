// The mailbox: envelopes stored, pushed and listed, beside NATS JetStream and a nostr relay.
import { type MailboxLoad, type MailboxResult, type MailboxServer, messagesOf, runMailboxLoad } from "../load/mailbox-load.ts";
import { mailboxesOf, parleyMailbox, sealEnvelopes } from "../load/parley-mailbox.ts";
import { noise, sample } from "../measure/sampling.ts";
import { median, round, table } from "../measure/statistics.ts";
import { startNats } from "../peers/nats.ts";
import { type NostrEvent, signNostrEvents, startNostrRelay } from "../peers/nostr-relay.ts";
import { type Bench, startEmpty } from "./bench.ts";

const CLIENTS = 32;
const LOAD: MailboxLoad = { stored: 8_000, pushed: 200, pushedPerSecond: 50, listSeconds: 2 };
/** The relay stores a fiftieth of what the others do. */
const NOSTR_LOAD: MailboxLoad = { ...LOAD, stored: 1_600 };

type Sample = Readonly<Record<"parley", MailboxResult>> & Readonly<Record<"nats" | "nostr", MailboxResult | undefined>>;

/** Fresh servers in every sample, one at a time. */
export async function mailboxSuite(bench: Bench): Promise<void> {
  const { hasPackages, hasNats } = bench.peers;
  const envelopes = sealEnvelopes(messagesOf(LOAD));
  const texts = envelopes.map((envelope) => JSON.stringify(envelope));
  const events: readonly NostrEvent[] = hasPackages
    ? signNostrEvents(envelopes.slice(0, messagesOf(NOSTR_LOAD)).map(({ ciphertext }) => ciphertext))
    : [];
  let runs = 0;
  const samples = await sample(bench.options.repeats, async (): Promise<Sample> => {
    runs += 1;
    const node = await startEmpty(bench, `mailbox-${runs}`);
    return {
      parley: await run(await parleyMailbox(mailboxesOf(node), envelopes, CLIENTS), LOAD),
      nats: hasNats ? await run(await startNats(texts, CLIENTS), LOAD) : undefined,
      nostr: hasPackages ? await run(await startNostrRelay(events, CLIENTS), NOSTR_LOAD) : undefined,
    };
  });
  const figures = (name: keyof Sample, figure: (result: MailboxResult) => number | undefined): string => {
    const values = samples.values.flatMap((value) => (value[name] === undefined ? [] : (figure(value[name]) ?? [])));
    return values.length === 0 ? "" : round(median(values));
  };
  const row = (title: string, name: keyof Sample): readonly string[] => [
    title,
    figures(name, (result) => result.storedPerSecond),
    figures(name, (result) => result.push.p50),
    figures(name, (result) => result.push.p99),
    figures(name, (result) => result.listsPerSecond),
  ];
  const peers = [
    ...(hasNats ? [row("NATS JetStream, file, no fsync for each message", "nats")] : []),
    ...(hasPackages ? [row("nostr-relay, SQLite, list cache of 1 s", "nostr")] : []),
  ];
  bench.print(
    table(
      `Mailbox: sealed messages of 512 bytes (${noise(samples)})`,
      ["server", `stored/s, ${CLIENTS} clients`, "push p50 ms at 50/s", "push p99 ms", `lists of 50/s, ${CLIENTS} clients`],
      [row("parley, SQLite, fsync in groups", "parley"), ...peers],
    ),
  );
  addGoals(bench, samples.values, samples.isNoisy);
}

async function run(server: MailboxServer, load: MailboxLoad): Promise<MailboxResult> {
  await using open = server;
  return await runMailboxLoad(open, load);
}

function addGoals(bench: Bench, values: readonly Sample[], isNoisy: boolean): void {
  const { hasPackages, hasNats } = bench.peers;
  const ratio = (peer: "nats" | "nostr", figure: (result: MailboxResult) => number | undefined): number =>
    median(values.map((value) => (figure(value.parley) ?? Number.NaN) / ((value[peer] && figure(value[peer])) ?? Number.NaN)));
  const stored = (result: MailboxResult): number => result.storedPerSecond;
  const lists = (result: MailboxResult): number | undefined => result.listsPerSecond;
  if (hasNats) {
    bench.goals.push(
      { what: "envelopes stored/s", value: ratio("nats", stored), unit: "× NATS", bound: { atLeast: 0.8 }, isNoisy },
      { what: "push p50", value: ratio("nats", (result) => result.push.p50), unit: "× NATS", bound: { atMost: 1.5 }, isNoisy },
    );
  }
  if (hasPackages) {
    bench.goals.push(
      { what: "envelopes stored/s", value: ratio("nostr", stored), unit: "× nostr-relay", bound: { atLeast: 15 }, isNoisy },
      { what: "lists of 50/s", value: ratio("nostr", lists), unit: "× nostr-relay", bound: { atLeast: 3 }, isNoisy },
    );
  }
}
