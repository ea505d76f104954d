// The interface of a gateway: the node's own server, over mailboxes of the database and what nodes say of the chain.
import type { FastifyInstance } from "fastify";
import type { ApiOptions } from "#node/api/options.ts";
import { type ApiServer, createServer } from "#node/api/server.ts";
import type { SocketServices } from "#node/api/services.ts";
import { systemClock, systemRandom, systemTimers } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import type { TypingExchange } from "#node/relay/typing-exchange.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { GatewayExplorer } from "../explorer/open-explorer.ts";
import type { GatewayMail } from "../gateway-mail.ts";
import type { NodeLinks } from "../node-links.ts";
import { NodePushes } from "./chain-pushes.ts";
import { type GatewayFigures, registerGatewayMetrics } from "./gateway-metrics.ts";
import { createProxiedHandlers } from "./proxied-handlers.ts";

export interface GatewayServerDependencies {
  readonly api: ApiOptions;
  readonly chainId: string;
  readonly mail: GatewayMail;
  readonly explorer: GatewayExplorer;
  readonly typing: TypingExchange;
  readonly links: NodeLinks;
  readonly verify: Verify;
  readonly log: Log;
  /** Registers what is to be called when clients may have missed pushes. */
  readonly onSkipped: (listener: () => void) => () => void;
  readonly onGap: () => void;
  /** Notices that wait for a node. */
  readonly waitingNotices: () => number;
  readonly refused: GatewayFigures["refused"];
}

/** Builds the server. */
export async function createGatewayServer(dependencies: GatewayServerDependencies): Promise<ApiServer> {
  const { api, mail, explorer, links, waitingNotices, refused } = dependencies;
  return await createServer(
    { ...api, hasLocalPrograms: false },
    {
      services: socketServices(dependencies),
      createHandlers: (_app, options) => createProxiedHandlers({ mail, explorer, links, clock: systemClock, options }),
      registerRest: (app): void => {
        registerGatewayMetrics(app, { mail, explorer, waitingNotices, refused });
        refuseStreams(app);
      },
    },
  );
}

function socketServices({
  chainId,
  mail,
  explorer,
  typing,
  links,
  verify,
  log,
  onSkipped,
  onGap,
}: GatewayServerDependencies): SocketServices {
  const { client } = links;
  return {
    node: { chainId },
    relay: mail,
    typing,
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
    chainPushes: new NodePushes({ links, timers: systemTimers, gate: explorer.gate, onGap }),
    verify,
    clock: systemClock,
    random: systemRandom,
    log,
  };
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
