// GET /api/events: server-sent events of blocks and transactions, with resume by Last-Event-ID.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ResolvedApiOptions } from "../options.ts";
import { addressGroup } from "../security/client-address.ts";
import type { ApiServices } from "../services.ts";
import { eventId, positionAfter, type StreamPosition } from "./event-id.ts";
import { EventStream } from "./event-stream.ts";

const { method, path, access } = rawEndpoints.streamEvents;

/** Registers the endpoint; the result says how many streams are open. */
export function registerEvents(app: FastifyInstance, services: ApiServices, options: ResolvedApiOptions): () => number {
  const streams = new EventStreams(services, options);
  app.addHook("preClose", (done) => {
    streams.close();
    done();
  });
  app.route({
    method,
    url: path,
    exposeHeadRoute: false,
    config: { access },
    handler: (request, reply) => {
      const stream = streams.open(request);
      reply.type("text/event-stream; charset=utf-8").header("x-accel-buffering", "no").send(stream);
    },
  });
  return () => streams.size;
}

interface EventBlock {
  readonly index: Height;
  readonly hash: string;
  readonly transactions: readonly { readonly id: string; readonly from: string }[];
}

class EventStreams {
  readonly #services: ApiServices;
  readonly #options: ResolvedApiOptions;
  readonly #streams = new Set<EventStream>();
  readonly #perAddress = new Map<string, number>();
  readonly #stops: readonly (() => void)[];

  constructor(services: ApiServices, options: ResolvedApiOptions) {
    this.#services = services;
    this.#options = options;
    const timer = setInterval(() => this.#keepAlive(), options.limits.heartbeatMs);
    timer.unref();
    this.#stops = [
      services.events.onCommit(
        (committed) => this.#blockCommitted(committed),
        () => this.#streams.size > 0,
      ),
      (): void => clearInterval(timer),
    ];
  }

  get size(): number {
    return this.#streams.size;
  }

  /** @throws CodedError BAD_REQUEST for an id that is none, RATE_LIMITED when the address has its share of streams. */
  open(request: FastifyRequest): EventStream {
    const start = this.#startOf(request.headers["last-event-id"]);
    const address = addressGroup(request.ip);
    const open = this.#perAddress.get(address) ?? 0;
    const { streamsPerAddress, socketBufferBytes } = this.#options.limits;
    if (open >= streamsPerAddress) throw new CodedError("RATE_LIMITED", `An address opens at most ${streamsPerAddress} event streams`);
    this.#perAddress.set(address, open + 1);
    const stream = new EventStream({
      start,
      source: (height): Promise<readonly string[] | undefined> => this.#eventsOf(height),
      bufferBytes: socketBufferBytes,
      onError: (error): void => this.#services.log.error({ err: error }, "An event stream failed"),
    });
    this.#streams.add(stream);
    stream.once("close", () => {
      this.#streams.delete(stream);
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left === 0) this.#perAddress.delete(address);
      else this.#perAddress.set(address, left);
    });
    return stream;
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const stream of this.#streams) stream.destroy();
  }

  /** A new reader starts with the next block; so does one that names a block this chain does not have. */
  #startOf(lastEventId: string | readonly string[] | undefined): StreamPosition {
    const tip = this.#services.node.sync().height;
    const next = { height: tip + 1, skip: 0 };
    if (lastEventId === undefined || lastEventId === "") return next;
    const after = positionAfter(String(lastEventId));
    return after.height > tip ? next : after;
  }

  async #eventsOf(height: Height): Promise<readonly string[] | undefined> {
    const block = await this.#services.explorer.getBlock(height);
    return block === undefined ? undefined : formatEvents(block);
  }

  #blockCommitted({ block, hash }: CommittedBlock): void {
    if (this.#streams.size === 0) return;
    const index = block.header.height;
    const events = formatEvents({ index, hash, transactions: block.transactions });
    for (const stream of this.#streams) stream.blockCommitted(index, events);
  }

  #keepAlive(): void {
    for (const stream of this.#streams) stream.keepAlive();
  }
}

function formatEvents({ index, hash, transactions }: EventBlock): readonly string[] {
  const block = { type: "block", index, hash, tx_count: transactions.length };
  const events = [block, ...transactions.map(({ id, from }) => ({ type: "tx", id, block: index, from }))];
  return events.map((event, position) => `id: ${eventId(index, position)}\ndata: ${JSON.stringify(event)}\n\n`);
}
