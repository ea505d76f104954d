// The interface of a gateway: the node's own server, over mailboxes of the database and what nodes say of the chain.
import type { FastifyInstance } from "fastify";
import type { ApiOptions } from "#node/api/options.ts";
import { type ApiServer, createServer } from "#node/api/server.ts";
import type { SocketServices } from "#node/api/services.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { NodePushes } from "./chain-pushes.ts";
import type { GatewayMail } from "./gateway-mail.ts";
import type { NodeLinks } from "./node-links.ts";
import { createProxiedHandlers } from "./proxied-handlers.ts";

export interface GatewayServerDependencies {
  readonly api: ApiOptions;
  readonly chainId: string;
  readonly mail: GatewayMail;
  readonly links: NodeLinks;
  readonly verify: Verify;
  readonly log: Log;
  /** Registers what is to be called when clients may have missed pushes. */
  readonly onSkipped: (listener: () => void) => () => void;
  readonly onGap: () => void;
  /** Notices that wait for a node. */
  readonly waitingNotices: () => number;
}

/** Builds the server. */
export async function createGatewayServer(dependencies: GatewayServerDependencies): Promise<ApiServer> {
  const { api, mail, links, waitingNotices } = dependencies;
  return await createServer(
    { ...api, hasLocalPrograms: false },
    {
      services: socketServices(dependencies),
      createHandlers: (_app, options) => createProxiedHandlers({ mail, links, clock: systemClock, options }),
      registerRest: (app): void => {
        registerMetrics(app, mail, waitingNotices);
        refuseStreams(app);
      },
    },
  );
}

function socketServices({ chainId, mail, links, verify, log, onSkipped, onGap }: GatewayServerDependencies): SocketServices {
  const { client } = links;
  return {
    node: { chainId },
    relay: mail,
    mempool: {
      size: 0,
      get: () => undefined,
      submit: (tx) => client.submitTransaction({ body: tx as Parameters<typeof client.submitTransaction>[0]["body"] }),
    },
    explorer: {
      identity: (pubkey) => client.getIdentity({ pubkey }),
      deviceList: async (masterPub) => (await client.listDevices({ master_pub: masterPub })).devices,
    },
    events: { onCommit: () => () => undefined, onSkipped },
    chainPushes: new NodePushes(links, systemTimers, onGap),
    verify,
    clock: systemClock,
    random: systemRandom,
    log,
  };
}

/** Figures of this process and of what all share, in the Prometheus text format. */
function registerMetrics(app: FastifyInstance, mail: GatewayMail, waitingNotices: () => number): void {
  const { method, path, access } = rawEndpoints.getMetrics;
  app.route({
    method,
    url: path,
    config: { access },
    handler: (_request, reply) => {
      const lines = [
        ...metric("parley_gateway_envelopes", "gauge", "Envelopes in the database.", [["", mail.envelopeCount]]),
        ...metric("parley_gateway_waiting_notices", "gauge", "Mail, deletions and openings that no node has taken yet.", [
          ["", waitingNotices()],
        ]),
        ...metric("parley_gateway_websockets", "gauge", "WebSockets of this process.", [["", app.websocketServer.clients.size]]),
        ...metric(
          "parley_gateway_refused_envelopes_total",
          "counter",
          "Envelopes that this process refused for want of room, by code.",
          Object.entries(mail.refused).map(([code, count]) => [`{code="${code}"}`, count] as const),
        ),
      ];
      reply.type("text/plain; version=0.0.4; charset=utf-8").send(`${lines.join("\n")}\n`);
    },
  });
}

function metric(
  name: string,
  type: "gauge" | "counter",
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}${labels} ${value}`)];
}

function refuseStreams(app: FastifyInstance): void {
  const { method, path, access } = rawEndpoints.streamEvents;
  app.route({
    method,
    url: path,
    exposeHeadRoute: false,
    config: { access },
    handler: () => {
      throw new CodedError("UNAVAILABLE", "A gateway has no stream of server-sent events: use its WebSocket, /api/ws");
    },
  });
}
