// GET /metrics, and what it counts: requests by route, blocks by their times, and how the node does.
import type { FastifyInstance } from "fastify";
import type { MailSources } from "#node/observability/mail-metrics.ts";
import { type MetricSources, type NetworkMetric, NodeMetrics } from "#node/observability/metrics.ts";
import { VoteRecord } from "#node/observability/vote-record.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { NO_EXCHANGE, type QueueFigures } from "#node/relay/intake/outgoing-mail.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { ApiServices, ConsensusDescription, NodeDescription, SnapshotNumbers } from "../services.ts";

const { method, path, access } = rawEndpoints.getMetrics;
/** Routes whose responses last as long as their readers like. */
const ENDLESS_ROUTES: ReadonlySet<string> = new Set(
  Object.values(rawEndpoints).flatMap(({ access, path }) => (access === "socket" ? [path] : [])),
);
/** Counts what is there, and has nothing fetched for it. */
const hasNoSubscribers = (): boolean => false;
/** What a node without a signer counts. */
const NO_ANSWERS = { signed: 0, refused: 0, late: 0, lost: 0 };
/** What fetching older blocks can be at, and what becomes of a file of them. */
const BACKFILL_STATES = ["running", "waiting", "paused"];
const NO_SEGMENTS = { stored: 0, unserved: 0, failed: 0 };
/** Route of requests to paths that do not exist. */
const NO_ROUTE = "none";

/** Counts of the network; none on a node that stays alone. */
function networkSources(node: NodeDescription): Record<NetworkMetric, () => readonly (readonly [string, number])[]> {
  const sourceOf = (metric: NetworkMetric) => (): readonly (readonly [string, number])[] =>
    Object.entries(node.network?.()?.[metric] ?? {});
  return {
    connections: sourceOf("connections"),
    bans: sourceOf("bans"),
    offences: sourceOf("offences"),
    turnedAway: sourceOf("turnedAway"),
    addresses: sourceOf("addresses"),
    waitingBytes: sourceOf("waitingBytes"),
  };
}

/** Counts of the relay of calls; nothing where none is offered. */
function callRelaySources(
  relay: ApiServices["callRelay"],
): Pick<MetricSources, "callAllocations" | "callsAllocated" | "callBytes" | "callDrops" | "callRefusals"> {
  return {
    callAllocations: (): number => relay?.figures().allocations ?? 0,
    callsAllocated: (): number => relay?.figures().allocated ?? 0,
    callBytes: (): number => relay?.figures().bytes ?? 0,
    callDrops: (): readonly (readonly [string, number])[] => Object.entries(relay?.figures().dropped ?? {}),
    callRefusals: (): readonly (readonly [string, number])[] => Object.entries(relay?.figures().refused ?? {}),
  };
}

/** Counts of mail at keepers; nothing where there are none. */
function mailSources({ relay, node }: Pick<ApiServices, "relay" | "node">): MailSources {
  const { carried, asked, digests } = NO_EXCHANGE;
  return {
    queuedMail: (): number => relay.outgoing?.queued ?? 0,
    queuedMailBytes: (): number => relay.outgoing?.queuedBytes ?? 0,
    outgoingMail: (): readonly (readonly [string, number])[] => outgoingOutcomes(relay.outgoing),
    carriedMail: (): readonly (readonly [string, number])[] => Object.entries(relay.exchange?.carried ?? carried),
    carriedBytes: (): number => relay.exchange?.bytes ?? 0,
    carriedWatches: (): number => relay.exchange?.watches ?? 0,
    askedCarriers: (): readonly (readonly [string, number])[] => Object.entries(relay.exchange?.asked ?? asked),
    signedDigests: (): readonly (readonly [string, number])[] => Object.entries(relay.exchange?.digests ?? digests),
    doubtedKeepers: (): number => relay.exchange?.doubted ?? 0,
    keptLies: (): number => node.keptLies?.() ?? 0,
  };
}

/** Registers the endpoint and starts counting. `eventStreams` tells how many are open. */
export function registerMetrics(app: FastifyInstance, services: ApiServices, eventStreams: () => number): void {
  const { node, mempool, relay, events, clock } = services;
  const { consensus } = node;
  const votes = new VoteRecord(consensus?.validatorKey ?? "");
  const metrics = new NodeMetrics({
    version: node.version.node_version,
    commit: node.version.build.commit,
    startedAtSec: Math.floor(clock.nowMs() / 1000),
    height: (): number => node.sync().height,
    pendingTransactions: (): number => mempool.size,
    mailboxEnvelopes: (): number => relay.envelopeCount,
    peers: (): number => node.peers().length,
    lowestPeerScore: (): number => Math.min(0, ...node.peers().map(({ score = 0 }) => score)),
    targetHeight: (): number => node.sync().target_height,
    isLive: (): number => Number(node.sync().state === "live"),
    round: (): number => consensus?.status().round ?? 0,
    isAbstaining: (): number => Number(consensus !== undefined && isAbstaining(consensus)),
    lastSignedHeight: (): number => votes.lastSignedHeight,
    isSignerConnected: (): number => Number(consensus?.signer?.().isConnected ?? false),
    signerAnswers: (): readonly (readonly [string, number])[] => Object.entries(consensus?.signer?.().answers ?? NO_ANSWERS),
    engineFaults: (): number => node.contracts?.().engineFaults ?? 0,
    interpretedModules: (): number => node.contracts?.().interpretedModules ?? 0,
    damagedFiles: (): number => node.damagedFiles?.() ?? 0,
    firstHeight: (): number => node.oldBlocks?.().firstHeight ?? 0,
    backfillStates: (): readonly (readonly [string, number])[] =>
      BACKFILL_STATES.map((state) => [state, Number(node.oldBlocks?.().state === state)]),
    backfillBytes: (): number => node.oldBlocks?.().bytes ?? 0,
    backfillSegments: (): readonly (readonly [string, number])[] => Object.entries(node.oldBlocks?.().segments ?? NO_SEGMENTS),
    snapshotHeight: (): number => node.snapshots?.().height ?? 0,
    snapshots: (): readonly (readonly [string, number])[] => snapshotOutcomes(node.snapshots?.()),
    snapshotSentBytes: (): number => node.snapshots?.().sentBytes ?? 0,
    pendingBytes: (): number => mempool.bytes ?? 0,
    missedCommits: (): readonly (readonly [string, number])[] => [...votes.missed].map(([key, count]) => [formatAddress(key), count]),
    ...mailSources(services),
    refusedEnvelopes: (): readonly (readonly [string, number])[] => Object.entries(relay.refused),
    ...callRelaySources(services.callRelay),
    storageBytes: (): readonly (readonly [string, number])[] =>
      Object.entries(node.storage()).map(([name, bytes]) => [name.replace(/_bytes$/, ""), bytes]),
    network: networkSources(node),
    webSockets: (): number => app.websocketServer.clients.size,
    eventStreams,
  });
  const stops = [
    events.onCommit(blockObserver({ metrics, votes, services }, Date.parse(node.sync().tip_time)), hasNoSubscribers),
    consensus?.onLogSync((seconds) => metrics.observeLogSync(seconds)),
  ];
  app.addHook("onClose", (_app, done) => {
    for (const stop of stops) stop?.();
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
    const label = route === NO_ROUTE ? NO_ROUTE : request.method;
    if (!ENDLESS_ROUTES.has(route))
      metrics.observeRequest({ method: label, route, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    done();
  });
  app.route({
    method,
    url: path,
    config: { access },
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
}

function snapshotOutcomes({ made, failed }: Pick<SnapshotNumbers, "made" | "failed"> = { made: 0, failed: 0 }): [string, number][] {
  return [
    ["made", made],
    ["failed", failed],
  ];
}

function outgoingOutcomes(
  { handedOver, expired, refused }: Pick<QueueFigures, "handedOver" | "expired" | "refused"> = { handedOver: 0, expired: 0, refused: 0 },
): [string, number][] {
  return [
    ["handed_over", handedOver],
    ["expired", expired],
    ["refused", refused],
  ];
}

function isAbstaining(consensus: ConsensusDescription): boolean {
  const { isValidator, isVoting } = consensus.status();
  return isValidator && !isVoting;
}

interface BlockObservers {
  readonly metrics: NodeMetrics;
  readonly votes: VoteRecord;
  readonly services: Pick<ApiServices, "node" | "clock">;
}

function blockObserver({ metrics, votes, services }: BlockObservers, tipTimeMs: number): (committed: CommittedBlock) => void {
  const { node, clock } = services;
  let parentTimeMs = tipTimeMs;
  return ({ block, receipts }) => {
    const { header, lastCommit, transactions } = block;
    metrics.observeBlock({
      intervalSec: (header.timeMs - parentTimeMs) / 1000,
      delaySec: (clock.nowMs() - header.timeMs) / 1000,
      parentRounds: lastCommit === null ? undefined : lastCommit.round + 1,
      transactions: transactions.map(({ type }, position) => ({ type, isOk: receipts[position]?.isOk ?? false })),
    });
    if (lastCommit !== null && node.consensus !== undefined) votes.note(lastCommit, node.consensus.validatorsAt(lastCommit.height));
    parentTimeMs = header.timeMs;
  };
}
