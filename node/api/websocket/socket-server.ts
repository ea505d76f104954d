// GET /api/ws: accepts connections within the limits, keeps them alive, and turns events of the node into pushes.
import type { WebSocket } from "@fastify/websocket";
import fastifyWebsocket from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Awaitable, isLater } from "#node/queries/awaitable.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import type { ArrivedEnvelope } from "#node/relay/intake/mail-service.ts";
import type { OpenedBox } from "#node/relay/owners/opened-boxes.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import type { TopicText } from "#shared/api/socket/topics.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { WaitingBytes } from "../http/waiting-bytes.ts";
import type { ResolvedApiOptions } from "../options.ts";
import type { AccessGuard } from "../security/access-guard.ts";
import { addressGroup } from "../security/client-address.ts";
import type { TrialBudget } from "../security/trial-budget.ts";
import type { SocketServices } from "../services.ts";
import { publishBlock } from "./block-pushes.ts";
import { SocketConnection } from "./socket-connection.ts";
import { TopicHub } from "./topic-hub.ts";
import { isPublicTopic } from "./topics.ts";

const { method, path, access } = rawEndpoints.openWebSocket;

const CLOSE_GOING_AWAY = 1001;
/** "Service restart": clients connect again. */
const CLOSE_SKIPPED = 1012;
const CLOSE_TOO_MANY = 1013;

export interface SocketServerDependencies {
  readonly services: SocketServices;
  readonly options: ResolvedApiOptions;
  readonly guard: AccessGuard;
  readonly waiting: WaitingBytes;
  readonly budget: TrialBudget;
}

/** Registers the plugin and its route. To be called before any other route. */
export async function registerSocketServer(app: FastifyInstance, dependencies: SocketServerDependencies): Promise<void> {
  const sockets = new SocketServer(dependencies);
  await app.register(fastifyWebsocket, {
    options: { maxPayload: dependencies.options.limits.frameBytes, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      // A frame over the cap: the library has sent its close frame and ends the connection itself.
      dependencies.services.log.debug({ err: error }, "A WebSocket connection failed");
      if (socket.readyState === socket.OPEN) socket.terminate();
    },
    preClose: (done) => {
      sockets.close();
      app.websocketServer.close();
      done();
    },
  });
  app.route({
    method,
    url: path,
    config: { access },
    preHandler: (request, _reply, done) => {
      if (request.ws) sockets.assertRoom(request);
      done();
    },
    handler: (_request, reply) => {
      reply
        .code(426)
        .header("upgrade", "websocket")
        .send({ error: `${path} is a WebSocket endpoint: connect with ws://` });
    },
    wsHandler: (socket, request) => sockets.accept(socket, request),
  });
}

const INBOX = "inbox:";

class SocketServer {
  readonly #dependencies: SocketServerDependencies;
  readonly #hub = new TopicHub();
  readonly #connections = new Map<WebSocket, SocketConnection>();
  readonly #perAddress = new Map<string, number>();
  /** Mailboxes that someone listens to, with the way to end that. */
  readonly #watched = new Map<TopicText, () => void>();
  readonly #stops: readonly (() => void)[];

  constructor(dependencies: SocketServerDependencies) {
    this.#dependencies = dependencies;
    const { events, relay, typing, chainPushes } = dependencies.services;
    const timer = setInterval(() => this.#heartbeat(), dependencies.options.limits.heartbeatMs);
    timer.unref();
    this.#stops = [
      events.onCommit(
        (committed) => this.#publishBlock(committed),
        () => this.#hub.hasSome(isPublicTopic),
      ),
      events.onSkipped?.(() => this.#restart()) ?? ((): void => undefined),
      chainPushes?.attach(this.#hub) ?? ((): void => undefined),
      this.#hub.onChange((name, hasSubscribers) => this.#watch(name, hasSubscribers)),
      relay.onArrival(
        (envelope) => void this.#publishEnvelope(envelope),
        (recipientPub) => this.#hub.has(`inbox:${recipientPub}`),
      ),
      typing?.onNotice(({ to, from }) => this.#hub.publish(`typing:${to}`, { type: "typing", to, from })) ?? ((): void => undefined),
      (): void => clearInterval(timer),
    ];
  }

  /** @throws CodedError RATE_LIMITED when the address has its share of connections. */
  assertRoom(request: FastifyRequest): void {
    const limit = this.#dependencies.options.limits.connectionsPerAddress;
    if ((this.#perAddress.get(addressGroup(request.ip)) ?? 0) >= limit)
      throw new CodedError("RATE_LIMITED", `An address opens at most ${limit} WebSocket connections`);
  }

  accept(socket: WebSocket, request: FastifyRequest): void {
    const { services, options, guard, waiting, budget } = this.#dependencies;
    const address = addressGroup(request.ip);
    const open = (this.#perAddress.get(address) ?? 0) + 1;
    if (open > options.limits.connectionsPerAddress) {
      socket.close(CLOSE_TOO_MANY, "Too many connections");
      return;
    }
    this.#perAddress.set(address, open);
    const isOwn = guard.isOwn(request);
    const isPrivate = options.isPrivate && options.token !== undefined;
    const connection = new SocketConnection(
      socket,
      request.raw.socket,
      { services, hub: this.#hub, limits: options.limits, waiting: { bytes: waiting, address }, budget },
      {
        needsKey: !isOwn && (isPrivate || !guard.looksLocal(request)),
        seesChainOnly: !guard.mayUseMailboxes(request),
        isOwn,
        isExempt: guard.isExempt(request),
        mayWrite: guard.mayWrite(request),
        takeRate: (frame): number => guard.takeFrame(request, frame),
      },
    );
    this.#connections.set(socket, connection);
    socket.on("message", (data: Buffer, isBinary: boolean) => connection.receive(isBinary ? undefined : data.toString("utf8")));
    socket.on("pong", () => connection.alive());
    socket.on("close", () => {
      this.#connections.delete(socket);
      this.#release(address);
      connection.closed();
    });
    connection.greet();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const socket of this.#connections.keys()) socket.close(CLOSE_GOING_AWAY, "The node is closing");
    setTimeout(() => {
      for (const socket of this.#connections.keys()) socket.terminate();
    }, this.#dependencies.options.limits.closeTimeoutMs).unref();
  }

  /** No client is to think that nothing happened: a reader that connects again reads what it missed. */
  #restart(): void {
    for (const socket of this.#connections.keys()) socket.close(CLOSE_SKIPPED, "Blocks were skipped: reconnect and read again");
  }

  #publishBlock(committed: CommittedBlock): void {
    try {
      publishBlock(this.#hub, committed);
    } catch (error) {
      // Telling a block must never touch the chain that made it.
      this.#dependencies.services.log.error({ err: error }, "A block could not be sent to WebSocket connections");
    }
  }

  /** Mail of a mailbox may lie elsewhere. */
  #watch(name: TopicText, hasSubscribers: boolean): void {
    if (!name.startsWith(INBOX)) return;
    this.#watched.get(name)?.();
    this.#watched.delete(name);
    if (hasSubscribers) this.#watched.set(name, this.#dependencies.services.relay.watch(name.slice(INBOX.length)));
  }

  #publishEnvelope(envelope: ArrivedEnvelope): Awaitable<void> {
    const name = `inbox:${envelope.recipient_pub}` as const;
    if (!this.#hub.has(name)) return undefined;
    const { id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, sent_at } = envelope;
    const push = { type: "inbox" as const, id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, sent_at };
    // Who listened before the owner closed the box to others hears no more of it.
    const publish = (box: OpenedBox | undefined): void => this.#hub.publish(name, push, box?.opening.read === "owner");
    const box = this.#dependencies.services.relay.boxes.find(recipient_pub);
    return isLater(box) ? box.then(publish).catch((error: unknown) => this.#noteUntold(error)) : publish(box);
  }

  #noteUntold(error: unknown): void {
    this.#dependencies.services.log.warn(
      { err: error },
      "Listeners of a mailbox were not told of an envelope: they find it when they list",
    );
  }

  #heartbeat(): void {
    for (const connection of this.#connections.values()) connection.heartbeat();
  }

  #release(address: string): void {
    const open = (this.#perAddress.get(address) ?? 1) - 1;
    if (open === 0) this.#perAddress.delete(address);
    else this.#perAddress.set(address, open);
  }
}
