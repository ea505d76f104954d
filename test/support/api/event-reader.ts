// Reads server-sent events from a real socket.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { pollUntil } from "../host/poll-until.ts";
import { assertDocumentedEvent } from "./documented-frame.ts";

/** An event as its lines say. */
export interface ReadEvent {
  readonly id: string | undefined;
  readonly data: unknown;
}

/** A connection to /api/events. */
export interface EventReader {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Everything received so far. */
  text(): string;
  events(): readonly ReadEvent[];
  /** Waits until so many events have come. */
  waitFor(count: number): Promise<readonly ReadEvent[]>;
  readonly isClosed: boolean;
  /** Stops reading from the socket, or continues. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a stream; resolves with the head of the response. */
export async function openEvents(port: number, headers: Record<string, string> = {}, path = "/api/events"): Promise<EventReader> {
  const { message, outgoing } = await new Promise<{ message: IncomingMessage; outgoing: ClientRequest }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers });
    sent.on("response", (response) => resolve({ message: response, outgoing: sent }));
    sent.on("error", reject);
    sent.end();
  });
  let text = "";
  let isClosed = false;
  message.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  message.on("error", () => undefined);
  message.on("close", () => {
    isClosed = true;
  });
  const events = (): readonly ReadEvent[] => text.split("\n\n").slice(0, -1).flatMap(parseEvent);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    text: () => text,
    events,
    waitFor: async (count): Promise<readonly ReadEvent[]> => {
      await pollUntil(() => events().length >= count, { timeoutMs: 10_000, what: `${count} events` });
      return events();
    },
    get isClosed(): boolean {
      return isClosed;
    },
    pause: () => void message.pause(),
    resume: () => void message.resume(),
    close: () => void outgoing.destroy(),
  };
}

function parseEvent(block: string): readonly ReadEvent[] {
  const field = (name: string): string | undefined =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field("data");
  if (data === undefined) return [];
  const event: unknown = JSON.parse(data);
  assertDocumentedEvent(event);
  return [{ id: field("id"), data: event }];
}
