// GET /metrics of a gateway: figures of this process and of what all share, in the Prometheus text format.
import type { FastifyInstance } from "fastify";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import type { GatewayExplorer } from "../explorer/open-explorer.ts";
import type { GatewayMail } from "../gateway-mail.ts";

export interface GatewayFigures {
  readonly mail: Pick<GatewayMail, "envelopeCount" | "refused">;
  readonly explorer: Pick<GatewayExplorer, "explorer" | "feeder" | "counts" | "replicas">;
  /** Notices that wait for a node. */
  readonly waitingNotices: () => number;
  /** What nodes refused. */
  readonly refused: { readonly count: number; readonly lost: number };
}

type Sample = readonly [labels: string, value: number];

/** Registers the endpoint. */
export function registerGatewayMetrics(app: FastifyInstance, figures: GatewayFigures): void {
  const { method, path, access } = rawEndpoints.getMetrics;
  app.route({
    method,
    url: path,
    config: { access },
    handler: (_request, reply) => {
      const lines = linesOf(figures, app.websocketServer.clients.size);
      reply.type("text/plain; version=0.0.4; charset=utf-8").send(`${lines.join("\n")}\n`);
    },
  });
}

function linesOf(
  { mail, explorer: { explorer, feeder, counts, replicas }, waitingNotices, refused }: GatewayFigures,
  sockets: number,
): readonly string[] {
  return [
    ...metric("envelopes", "gauge", "Envelopes in the database.", [["", mail.envelopeCount]]),
    ...metric("waiting_notices", "gauge", "Mail, deletions and openings that no node has taken yet.", [["", waitingNotices()]]),
    ...metric("refused_notices", "gauge", "Beside these, those that a node refused: they are tried again.", [["", refused.count]]),
    ...metric("lost_notices_total", "counter", "Refused ones that this process gave up after a week.", [["", refused.lost]]),
    ...metric("websockets", "gauge", "WebSockets of this process.", [["", sockets]]),
    ...metric(
      "refused_envelopes_total",
      "counter",
      "Envelopes that this process refused for want of room, by code.",
      samples("code", mail.refused),
    ),
    ...metric("explorer_height", "gauge", "Newest block in the database, as this process saw it last.", [["", explorer.height]]),
    ...metric("explorer_blocks_total", "counter", "Blocks that this process added to the database.", [["", feeder.added]]),
    ...metric(
      "explorer_reads_total",
      "counter",
      "Reads that the database may answer, by what answered them.",
      samples("from", { ...counts }),
    ),
    ...metric("replicas", "gauge", "Replicas that the explorer is read at.", [["", replicas.usable]]),
    ...metric(
      "replica_reads_total",
      "counter",
      "Statements of the explorer, by what ran them where replicas are named.",
      samples("at", { ...replicas.counts }),
    ),
  ];
}

function samples(label: string, counts: Readonly<Record<string, number>>): readonly Sample[] {
  return Object.entries(counts).map(([name, count]) => [`{${label}="${name}"}`, count]);
}

function metric(name: string, type: "gauge" | "counter", help: string, values: readonly Sample[]): readonly string[] {
  const full = `parley_gateway_${name}`;
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...values.map(([labels, value]) => `${full}${labels} ${value}`)];
}
