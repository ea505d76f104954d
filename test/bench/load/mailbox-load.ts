// Messages into a store and out of it again: the same load for every kind of server.
import { setTimeout as delay } from "node:timers/promises";
import { type Percentiles, percentiles } from "../measure/statistics.ts";

/** One connection to a server that stores messages. */
export interface MailboxClient {
  /** Resolves when message `n` is stored. */
  publish(n: number): Promise<void>;
  /** Resolves when 50 messages of mailbox `n` have arrived; undefined when the server has no such thing. */
  readonly list: ((n: number) => Promise<void>) | undefined;
}

/** A server with connections to it. */
export interface MailboxServer extends AsyncDisposable {
  readonly clients: readonly MailboxClient[];
  /** From now on calls back with the number of each message that is pushed to a subscriber. */
  subscribe(listener: (n: number) => void): Promise<void>;
  /** Processor time of its programs so far, by program, ms. */
  processorMs?(): ProcessorTimes;
  /** Resolves once it has done what follows from what was stored. */
  settled?(): Promise<void>;
}

/** Processor time by program, ms. */
export type ProcessorTimes = Readonly<Record<string, number>>;

/** What is done with one server. */
export interface MailboxLoad {
  /** Messages that are stored as fast as all clients can. */
  readonly stored: number;
  /** Messages that are pushed, and how many of them a second. */
  readonly pushed: number;
  readonly pushedPerSecond: number;
  readonly listSeconds: number;
}

/** Outcome of a load. */
export interface MailboxResult {
  readonly storedPerSecond: number;
  /** From publishing to the push, ms. */
  readonly push: Percentiles;
  readonly listsPerSecond: number | undefined;
  /** Of one stored message and of one list, by program. */
  readonly processorMs: { readonly stored: ProcessorTimes; readonly list: ProcessorTimes };
}

/** Mailboxes over which messages are spread: message n goes to mailbox n modulo this. */
export const MAILBOXES = 32;
/** Messages of a list. */
export const LIST_LENGTH = 50;

/** Messages that a load needs. */
export function messagesOf({ stored, pushed }: MailboxLoad): number {
  return stored + pushed;
}

/** Runs a load on a fresh server: store, push, list. */
export async function runMailboxLoad(server: MailboxServer, load: MailboxLoad): Promise<MailboxResult> {
  const before = server.processorMs?.() ?? {};
  const storedPerSecond = await storeAll(server, load.stored);
  await server.settled?.();
  const between = server.processorMs?.() ?? {};
  const lists = await listFor(server, load.listSeconds);
  const after = server.processorMs?.() ?? {};
  const push = await pushTimes(server, load);
  const processorMs = { stored: shares(before, between, load.stored), list: shares(between, after, lists?.count ?? 0) };
  return { storedPerSecond, push, listsPerSecond: lists?.perSecond, processorMs };
}

function shares(before: ProcessorTimes, after: ProcessorTimes, count: number): ProcessorTimes {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / count]));
}

async function storeAll({ clients }: MailboxServer, count: number): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (next < count) await client.publish(next++);
    }),
  );
  return (count / (performance.now() - started)) * 1_000;
}

async function pushTimes(server: MailboxServer, { stored, pushed, pushedPerSecond }: MailboxLoad): Promise<Percentiles> {
  const sent = new Map<number, number>();
  const samples: number[] = [];
  const { promise: allArrived, resolve } = Promise.withResolvers<void>();
  await server.subscribe((n) => {
    const at = sent.get(n);
    if (at === undefined) return;
    samples.push(performance.now() - at);
    if (samples.length === pushed) resolve();
  });
  const started = performance.now();
  for (let i = 0; i < pushed; i += 1) {
    await delay(Math.max(0, started + (i * 1_000) / pushedPerSecond - performance.now()));
    sent.set(stored + i, performance.now());
    await server.clients[0]?.publish(stored + i);
  }
  await allArrived;
  return percentiles(samples);
}

async function listFor(
  { clients }: MailboxServer,
  seconds: number,
): Promise<{ readonly count: number; readonly perSecond: number } | undefined> {
  if (clients.every(({ list }) => list === undefined)) return undefined;
  let lists = 0;
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    clients.map(async ({ list }) => {
      while (performance.now() < end) await list?.(lists++ % MAILBOXES);
    }),
  );
  return { count: lists, perSecond: (lists / (performance.now() - started)) * 1_000 };
}
