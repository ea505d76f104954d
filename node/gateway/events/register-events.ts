// GET /apps/v1/events and POST /apps/v1/events/ack.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ConnectionView } from "#shared/apps/messages/apps-api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { AppGuard } from "../http/app-guard.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import { routeOptions } from "../http/register-operations.ts";
import type { GatewayServices } from "../services.ts";
import type { AppEventSource } from "./app-event-source.ts";
import { AppEventStream, type StreamedEvent } from "./app-event-stream.ts";
import type { EventPlace, EventPlaces } from "./event-places.ts";
import type { PlacedEvent } from "./placed-events.ts";

/** What events need. */
export interface EventDependencies {
  readonly services: GatewayServices;
  readonly limits: GatewayLimits;
  readonly source: AppEventSource;
  readonly places: EventPlaces;
}

/** Something of another time than this: the stream waits for it. */
const LATER = ["APP_LOCKED", "KEYRING_LOCKED", "UNAVAILABLE", "UPSTREAM_FAILED", "BUSY", "RATE_LIMITED", "INTERNAL"] as const;

/** Open streams by connection. */
export class AppEvents {
  readonly #dependencies: EventDependencies;
  readonly #streams = new Map<string, Set<AppEventStream>>();
  readonly #stops: readonly (() => void)[];

  constructor(dependencies: EventDependencies) {
    this.#dependencies = dependencies;
    const { node, keyring, messages } = dependencies.services;
    this.#stops = [
      node.onBlock(() => this.#wakeAll()),
      keyring.onEvent((event) => {
        if (event.event === "line") for (const stream of this.#streams.get(event.connection) ?? []) stream.wake();
        else if (event.event === "state") this.#wakeAll();
      }),
      messages?.onEvent(() => this.#wakeAll()) ?? ((): void => undefined),
    ];
  }

  /** Registers the stream. */
  register(app: FastifyInstance, guard: AppGuard): void {
    app.addHook("preClose", async () => this.close());
    app.route({
      ...routeOptions("streamEvents"),
      handler: async (request, reply) => {
        const { connection, token } = guard.callerOf(request);
        if (connection === undefined) throw new CodedError("INVARIANT", "A stream has a connection");
        const stream = await this.#open(connection, token, cursorOf(request));
        return await reply.type("text/event-stream; charset=utf-8").header("x-accel-buffering", "no").send(stream);
      },
    });
  }

  /** Handler of the acknowledgement. */
  get handlers(): Pick<AppHandlers, "acknowledgeEvents"> {
    const { places } = this.#dependencies;
    return {
      acknowledgeEvents: async ({ connection, body }): Promise<AppReply<"acknowledgeEvents">> => {
        places.acknowledge(connection.id, places.parse(connection.id, body.cursor));
        return { body: { ok: true } };
      },
    };
  }

  /** Ends the streams of a connection, whose token is no longer good. */
  end(connection: string): void {
    for (const stream of this.#streams.get(connection) ?? []) stream.destroy();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const connection of this.#streams.keys()) this.end(connection);
  }

  /** @throws CodedError BAD_REQUEST for a cursor that is none, RATE_LIMITED beyond the share of streams */
  async #open(connection: ConnectionView, token: string, cursor: string | undefined): Promise<AppEventStream> {
    const { places, source, limits, services } = this.#dependencies;
    const given = cursor === undefined ? places.acknowledged(connection.id) : places.parse(connection.id, cursor);
    this.#assertShare(connection.id);
    let place: EventPlace | undefined = given;
    let isGapKnown = given === undefined;
    const step = async (): Promise<readonly PlacedEvent[] | undefined> => {
      place ??= await source.firstPlace(connection);
      if (!isGapKnown) {
        const gap = await source.gapAfter(place);
        isGapKnown = true;
        if (gap !== undefined) {
          place = gap.place;
          return [gap];
        }
      }
      const page = await source.read(connection, token, place);
      place = page.next;
      return page.events.length > 0 || page.hasMore ? page.events : undefined;
    };
    const next = async (): Promise<readonly StreamedEvent[] | undefined> => {
      try {
        const events = await step();
        return events?.map(({ event, place: behind }) => ({ cursor: places.format(connection.id, behind), ...event }));
      } catch (error) {
        if (isCodedError(error, ...LATER)) return undefined;
        throw error;
      }
    };
    const { streamBufferBytes: bufferBytes, heartbeatMs } = limits;
    return this.#keep(connection.id, new AppEventStream({ next, bufferBytes, heartbeatMs, timers: services.timers }));
  }

  #assertShare(connection: string): void {
    const { streamsPerConnection } = this.#dependencies.limits;
    if ((this.#streams.get(connection)?.size ?? 0) >= streamsPerConnection)
      throw new CodedError("RATE_LIMITED", `A connection has at most ${streamsPerConnection} streams: close one first`);
  }

  #keep(connection: string, stream: AppEventStream): AppEventStream {
    const streams = this.#streams.get(connection) ?? new Set();
    this.#streams.set(connection, streams.add(stream));
    stream.once("close", () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#streams.get(connection) === streams) this.#streams.delete(connection);
    });
    return stream;
  }

  #wakeAll(): void {
    for (const streams of this.#streams.values()) for (const stream of streams) stream.wake();
  }
}

/** Of the query, or of a browser-like client that reconnects. */
function cursorOf(request: FastifyRequest): string | undefined {
  const { cursor } = request.query as { readonly cursor?: string };
  const header = request.headers["last-event-id"];
  return cursor ?? (typeof header === "string" && header !== "" ? header : undefined);
}
