// GET /api/events: server-sent events of blocks and transactions, with resume by Last-Event-ID.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CommittedBlock, EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import { historyPruned } from "#node/queries/history-pruned.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { hostTimers } from "#shared/util/host.ts";
import type { ResolvedApiOptions } from "../options.ts";
import type { CallerRights } from "../security/access-guard.ts";
import { addressGroup, type Reader } from "../security/client-address.ts";
import type { ApiServices } from "../services.ts";
import { CatchUpQueue } from "./catch-up-queue.ts";
import { formatEvents } from "./event-chunk.ts";
import { positionAfter } from "./event-id.ts";
import { EventStream } from "./event-stream.ts";

const { method, path, access } = rawEndpoints.streamEvents;

/** Registers the endpoint; the result says how many streams are open. */
export function registerEvents(
  app: FastifyInstance,
  services: ApiServices,
  { options, guard }: { readonly options: ResolvedApiOptions; readonly guard: CallerRights },
): () => number {
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
      const stream = streams.open(request, guard.isOwn(request));
      reply.type("text/event-stream; charset=utf-8").header("x-accel-buffering", "no").send(stream);
    },
  });
  return () => streams.size;
}

/** Bytes that wait for a reader before it is dropped; it resumes where it was. docs/limits.md lists it. */
export const STREAM_BUFFER_BYTES = 1_048_576;
/** Time after which a thread that had too much to do is asked again, ms. */
const BUSY_PAUSE_MS = 250;

class EventStreams {
  readonly #services: ApiServices;
  readonly #options: ResolvedApiOptions;
  readonly #streams = new Set<EventStream>();
  readonly #perAddress = new Map<string, number>();
  readonly #stops: readonly (() => void)[];
  readonly #catchUps: CatchUpQueue;
  /** Newest block that was reported. */
  #tip: Height = 0;

  constructor(services: ApiServices, options: ResolvedApiOptions) {
    this.#services = services;
    this.#options = options;
    this.#catchUps = new CatchUpQueue({
      read: (position, reader): Promise<EventChunk | undefined> => this.#readChunk(position, reader),
      clock: services.clock,
      timers: hostTimers,
    });
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
  open(request: FastifyRequest, isOwn: boolean): EventStream {
    const start = this.#startOf(request.headers["last-event-id"]);
    const address = addressGroup(request.ip);
    const open = this.#perAddress.get(address) ?? 0;
    const { streamsPerAddress, socketBufferBytes } = this.#options.limits;
    if (open >= streamsPerAddress) throw new CodedError("RATE_LIMITED", `An address opens at most ${streamsPerAddress} event streams`);
    this.#perAddress.set(address, open + 1);
    const stream = new EventStream({
      start,
      source: (height, skip): Promise<EventChunk | undefined> => this.#eventsFrom({ address, isOwn }, { height, skip }),
      bufferBytes: Math.min(socketBufferBytes, STREAM_BUFFER_BYTES),
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

  /**
   * A new reader starts with the next block; so does one that names a block this chain does not have.
   * @throws CodedError HISTORY_PRUNED for one that this node does not hold
   */
  #startOf(lastEventId: string | readonly string[] | undefined): StreamPosition {
    const tip = this.#services.node.sync().height;
    const next = { height: tip + 1, skip: 0 };
    if (lastEventId === undefined || lastEventId === "") return next;
    const after = positionAfter(String(lastEventId));
    const first = this.#services.node.history?.()?.from_height ?? 0;
    if (after.height < first) throw historyPruned(after.height, first);
    return after.height > tip ? next : after;
  }

  async #eventsFrom(reader: Reader, position: StreamPosition): Promise<EventChunk | undefined> {
    if (position.height > Math.max(this.#tip, this.#services.node.sync().height)) return undefined;
    return await this.#catchUps.next(reader, position);
  }

  async #readChunk(position: StreamPosition, reader: Reader): Promise<EventChunk | undefined> {
    const { heavyReads, explorer } = this.#services;
    if (heavyReads?.readEvents === undefined) {
      const block = await explorer.getBlock(position.height);
      if (block === undefined) return undefined;
      return { bytes: utf8(formatEvents(block).slice(position.skip).join("")), next: position.height + 1 };
    }
    for (;;) {
      try {
        return await heavyReads.readEvents(position, reader);
      } catch (error) {
        if (!isCodedError(error, "BUSY")) throw error;
        await new Promise<void>((resolve) => hostTimers.setTimer(BUSY_PAUSE_MS, resolve));
      }
    }
  }

  #blockCommitted({ block, hash }: CommittedBlock): void {
    const index = block.header.height;
    this.#tip = index;
    if (this.#streams.size === 0) return;
    const events = formatEvents({ index, hash, transactions: block.transactions });
    for (const stream of this.#streams) stream.blockCommitted(index, events);
  }

  #keepAlive(): void {
    for (const stream of this.#streams) stream.keepAlive();
  }
}
