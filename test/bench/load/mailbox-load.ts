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
}

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
  const storedPerSecond = await storeAll(server, load.stored);
  const listsPerSecond = await listFor(server, load.listSeconds);
  const push = await pushTimes(server, load);
  return { storedPerSecond, push, listsPerSecond };
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

async function listFor({ clients }: MailboxServer, seconds: number): Promise<number | undefined> {
  if (clients.every(({ list }) => list === undefined)) return undefined;
  let lists = 0;
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    clients.map(async ({ list }) => {
      while (performance.now() < end) await list?.(lists++ % MAILBOXES);
    }),
  );
  return (lists / (performance.now() - started)) * 1_000;
}
