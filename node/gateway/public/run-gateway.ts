// The process of `parley gateway`: serves until it is asked to stop. All that lasts is in the database; any number of processes share it.
import type { ApiOptions } from "#node/api/options.ts";
import { type ListenAddress, localUrl } from "#node/config/listen-address.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createLog, type Log, standardErrorSink } from "#node/observability/log.ts";
import type { MailElsewhere } from "#node/relay/intake/mail-elsewhere.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { listReaders } from "#node/storage/mailbox/sharing/postgres/mail/mail-reads.ts";
import { countNotices, type WaitingNotices } from "#node/storage/mailbox/sharing/postgres/mail/network-positions.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { startExchange } from "./exchange/network-exchange.ts";
import { RefusedMail } from "./exchange/refused-mail.ts";
import { openGatewayExplorer } from "./explorer/open-explorer.ts";
import { HEIGHT_INTERVAL_MS, NAMED_READERS, START_PAUSE_MS } from "./gateway-limits.ts";
import { GatewayPostage } from "./gateway-postage.ts";
import { NamedReaders } from "./named-readers.ts";
import { type NodeAddress, NodeLinks } from "./node-links.ts";
import { NodesMail } from "./nodes-mail.ts";
import { type OpenedMail, openGatewayMail } from "./open-gateway-mail.ts";
import { createGatewayServer, type GatewayServerDependencies } from "./server/gateway-server.ts";
import { HeardElsewhere } from "./server/heard-elsewhere.ts";
import { NodeTopics } from "./server/node-topics.ts";
import { TypingNotices } from "./server/typing-notices.ts";

/** What a gateway is started with. */
export interface GatewaySettings {
  /** Addresses of the database, the first that is no standby is used. */
  readonly databases: readonly string[];
  /** Addresses of databases that follow it: the explorer is read there. */
  readonly replicas: readonly string[];
  readonly nodes: readonly NodeAddress[];
  readonly listen: ListenAddress;
  readonly api: ApiOptions;
  /** The least fee that counts as postage. */
  readonly leastFeeUt: AmountUt;
  readonly log: "text" | "json";
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serves until a signal. @throws CodedError when it cannot start. */
export async function runGateway(settings: GatewaySettings): Promise<void> {
  const log = createLog(settings.log, standardErrorSink());
  const stopped = new AbortController();
  for (const signal of STOP_SIGNALS) process.on(signal, () => stopped.abort());
  await using opened = new AsyncDisposableStack();
  const url = await startGateway(settings, { log, signal: stopped.signal, opened });
  if (url === undefined) return;
  log.info({}, `Ready at ${url}`);
  await ended(stopped.signal);
  log.info({}, "Stopping");
}

interface StartContext {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly opened: AsyncDisposableStack;
}

/** Its address; undefined when it was stopped before it served. */
async function startGateway(settings: GatewaySettings, context: StartContext): Promise<string | undefined> {
  const { log, opened } = context;
  const links = new NodeLinks(settings.nodes);
  const onError = (error: unknown, what = "The database failed"): void => log.warn({ err: error }, what);
  const database = openPostgres(settings.databases, (error) => onError(error, "A connection to the database broke"));
  opened.defer(() => database.close());
  const chainId = await whenThere(context, async () => (await links.client.getNetworkInfo({})).chain_id);
  if (chainId === undefined) return undefined;
  let height: number | undefined;
  opened.defer(
    repeat(HEIGHT_INTERVAL_MS, async () => {
      height = (await links.client.getStatus({})).sync.height;
    }),
  );
  const skipped = new Set<() => void>();
  const onGap = (): void => {
    for (const listener of [...skipped]) listener();
  };
  const verify = createNativeVerifier();
  const postage = new GatewayPostage(links.client, settings.leastFeeUt);
  const waitingNotices = countedNotices(database, opened);
  const readers = new NamedReaders({ links, clock: systemClock, timers: systemTimers, onError });
  opened.defer(() => readers.close());
  const elsewhere = new NodesMail({ links, database, clock: systemClock, timers: systemTimers, onError });
  opened.defer(() => elsewhere.close());
  await elsewhere.start();
  const heard = hearElsewhere({ links, database, readers, elsewhere, onGap });
  opened.defer(() => heard.close());
  const refused = new RefusedMail({ links, database, clock: systemClock, timers: systemTimers, onError });
  const open = (): Promise<OpenedMail> =>
    openGatewayMail({
      ...{ database, chainId, clock: systemClock, timers: systemTimers, random: systemRandom, verify, postage },
      height: () => height,
      waitingNotices,
      onGap,
      onError: (error) => onError(error),
      askFirst: (notice, mailbox) => refused.ask(notice, mailbox),
      elsewhere: () => elsewhere.current,
      onReader: (recipientPub, party) => readers.note(recipientPub, party),
      onListener: (recipientPub) => heard.watch(recipientPub),
    });
  const mailboxes = await whenThere(context, open);
  if (mailboxes === undefined) return undefined;
  opened.defer(() => mailboxes.close());
  const { mail } = mailboxes;
  heard.tell = (envelope): void => mail.announce(envelope);
  await nameKnown(readers, database, onError);
  opened.defer(startExchange({ database, mail, links, clock: systemClock, timers: systemTimers, onError }));
  opened.defer(refused.start());
  const { databases, replicas } = settings;
  const explorer = openGatewayExplorer({ databases, replicas, database, chainId, links, log, onError });
  opened.defer(() => explorer.close());
  const typing = new TypingNotices({ database, clock: systemClock, timers: systemTimers, random: systemRandom, onError });
  opened.defer(() => typing.close());
  const notices = {
    typing: typing.exchange,
    onGap,
    onSkipped: registerIn(skipped),
    waitingNotices: (): number => waitingNotices().count,
    refused,
  };
  return await serve(settings.listen, { api: settings.api, chainId, mail, explorer, links, verify, log, ...notices }, opened);
}

interface HearParts {
  readonly links: NodeLinks;
  readonly database: PostgresDatabase;
  readonly readers: NamedReaders;
  readonly elsewhere: NodesMail;
  readonly onGap: () => void;
}

/** For those who listen without a proof. */
function hearElsewhere({ links, database, readers, elsewhere, onGap }: HearParts): HeardElsewhere {
  return new HeardElsewhere({
    ...{ database, timers: systemTimers },
    topics: new NodeTopics({ links, timers: systemTimers, onGap }),
    elsewhere: (): MailElsewhere | undefined => elsewhere.current,
    isNamed: (box): boolean => readers.has(box),
  });
}

/** Its address. */
async function serve(listen: ListenAddress, parts: GatewayServerDependencies, opened: AsyncDisposableStack): Promise<string> {
  const server = await createGatewayServer(parts);
  opened.defer(() => server.close());
  const { port } = await server.listen(listen);
  return localUrl({ ...listen, port });
}

/** Registers listeners; gives for each the way to take it out. */
function registerIn(listeners: Set<() => void>): GatewayServerDependencies["onSkipped"] {
  return (listener) => {
    listeners.add(listener);
    return (): void => void listeners.delete(listener);
  };
}

/** Readers of before the start, the latest last; without them they are named when they come again. */
async function nameKnown(readers: NamedReaders, database: PostgresDatabase, onError: (error: unknown) => void): Promise<void> {
  const nowMs = systemClock.nowMs();
  const sinceSec = Math.floor((nowMs - MAILBOX_LIMITS.retentionMs) / 1_000);
  const known = await listReaders(database, sinceSec, NAMED_READERS).catch(onError);
  for (const { pub, servedAtSec } of known ?? []) readers.note(pub, "", Math.max(0, nowMs - servedAtSec * 1_000));
  readers.start();
}

/** Tries again while the database or the nodes are away; undefined when it was stopped meanwhile. */
async function whenThere<T>({ log, signal }: StartContext, work: () => Promise<T>): Promise<T | undefined> {
  let hasSaid = false;
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!isCodedError(error, "UNAVAILABLE")) throw error;
      if (!hasSaid) log.warn({ err: error }, "The gateway waits for the database and a node");
      hasSaid = true;
    }
    await Promise.race([ended(signal), new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS))]);
  }
  return undefined;
}

function countedNotices(database: PostgresDatabase, opened: AsyncDisposableStack): () => WaitingNotices {
  let waiting: WaitingNotices = { count: 0, bytes: 0 };
  opened.defer(
    repeat(HEIGHT_INTERVAL_MS, async () => {
      waiting = await countNotices(database);
    }),
  );
  return () => waiting;
}

/** Runs now and again; a failure leaves what was known before. Returns the way to stop. */
function repeat(intervalMs: number, work: () => Promise<void>): () => void {
  const run = (): void => void work().catch(() => undefined);
  run();
  const timer = setInterval(run, intervalMs);
  return (): void => clearInterval(timer);
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
