// GET /metrics, and what it counts: requests by route, blocks by their times, and how the node does.
import type { FastifyInstance } from "fastify";
import { NodeMetrics } from "#node/observability/metrics.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import type { ApiServices } from "../services.ts";

const { method, path, access } = rawEndpoints.getMetrics;
/** Routes whose responses last as long as their readers like. */
const ENDLESS_ROUTES: ReadonlySet<string> = new Set(
  Object.values(rawEndpoints).flatMap(({ access, path }) => (access === "socket" ? [path] : [])),
);
/** Counts what is there, and has nothing fetched for it. */
const hasNoSubscribers = (): boolean => false;
/** Route of requests to paths that do not exist. */
const NO_ROUTE = "none";

/** Registers the endpoint and starts counting. `eventStreams` tells how many are open. */
export function registerMetrics(app: FastifyInstance, services: ApiServices, eventStreams: () => number): void {
  const { node, mempool, relay, events, clock } = services;
  const metrics = new NodeMetrics({
    version: node.version.node_version,
    commit: node.version.build.commit,
    startedAtSec: Math.floor(clock.nowMs() / 1000),
    height: (): number => node.sync().height,
    pendingTransactions: (): number => mempool.size,
    mailboxEnvelopes: (): number => relay.envelopeCount,
    peers: (): number => node.peers().length,
    targetHeight: (): number => node.sync().target_height,
    isLive: (): number => Number(node.sync().state === "live"),
    round: (): number => node.consensusRound(),
    webSockets: (): number => app.websocketServer.clients.size,
    eventStreams,
  });
  const stop = events.onCommit(blockObserver(metrics, Date.parse(node.sync().tip_time)), hasNoSubscribers);
  app.addHook("onClose", (_app, done) => {
    stop();
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

function blockObserver(metrics: NodeMetrics, tipTimeMs: number): (committed: CommittedBlock) => void {
  let parentTimeMs = tipTimeMs;
  return ({ block, receipts }) => {
    const { timeMs } = block.header;
    metrics.observeBlock({
      intervalSec: (timeMs - parentTimeMs) / 1000,
      transactions: block.transactions.map(({ type }, position) => ({ type, isOk: receipts[position]?.isOk ?? false })),
    });
    parentTimeMs = timeMs;
  };
}
