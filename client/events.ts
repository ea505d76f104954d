// Events of a connection: each at least once, in order, over restarts of Parley and of the program.
import type { IncomingMessage } from "node:http";
import type { AppEvent } from "./api-types.ts";
import { isParleyError, type ParleyError } from "./client-error.ts";
import { unreachable } from "./exchange.ts";
import { Backoff, isMomentary, pause } from "./patience.ts";
import type { Transport } from "./transport.ts";

/** How events are read. */
export interface EventOptions {
  /** Begins behind this event instead of behind the last acknowledged one. */
  readonly after?: string;
  readonly signal?: AbortSignal;
  /** False: acknowledges none, so that each start begins where this one did. */
  readonly acknowledges?: boolean;
  /** Called with the reason why events do not come at the moment. */
  readonly onWait?: (reason: ParleyError) => void;
}

/** One frame of a stream, characters. */
const MAX_FRAME_CHARS = 1_048_576;
/** Acknowledgements are cumulative: no more often than this. */
const ACK_EVERY_MS = 250;
/** A last acknowledgement is worth no long wait: without it events come twice. */
const LAST_ACK_PATIENCE_MS = 2_000;

/** Events without an end. An event is acknowledged when the next one is asked for; one whose handling threw comes again. @throws ParleyError */
export async function* readEvents(transport: Transport, options: EventOptions): AsyncGenerator<AppEvent, void, void> {
  const { signal, onWait, acknowledges = true } = options;
  const acks = new Acknowledgements(transport);
  const backoff = new Backoff();
  let cursor = options.after;
  try {
    for (;;) {
      let waitMs: number | undefined;
      acks.retry();
      try {
        for await (const event of openStream(transport, cursor, signal)) {
          yield event;
          cursor = event.cursor;
          if (acknowledges) acks.add(cursor);
          backoff.reset();
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (cursor !== undefined && isForeignCursor(error)) cursor = undefined;
        else waitMs = waitAfter(error, onWait);
      }
      await pause(backoff.next(waitMs), signal);
    }
  } finally {
    await acks.end();
  }
}

/** The places of before were lost with their file: the last acknowledged one is as near as it gets. */
function isForeignCursor(error: unknown): boolean {
  return isParleyError(error, "BAD_REQUEST") && error.details.field === "cursor";
}

/** How long to wait at least after a failure, ms. @throws what does not pass by itself */
function waitAfter(error: unknown, onWait: EventOptions["onWait"]): number | undefined {
  if (!isMomentary(error, true)) throw error;
  onWait?.(error);
  return error.retryAfterMs;
}

/** Events of one stream, until it ends. @throws ParleyError when it breaks off */
async function* openStream(transport: Transport, cursor: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<AppEvent> {
  const ending = new AbortController();
  const response = await transport.stream(cursor, signal === undefined ? ending.signal : AbortSignal.any([ending.signal, signal]));
  try {
    yield* framesOf(response);
  } catch (error) {
    throw unreachable(error, signal);
  } finally {
    ending.abort();
    response.destroy();
  }
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<AppEvent> {
  response.setEncoding("utf8");
  let text = "";
  for await (const part of response as AsyncIterable<string>) {
    text += part;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    if (text.length > MAX_FRAME_CHARS) throw new Error("an event is too large");
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) yield JSON.parse(data) as AppEvent;
    }
  }
}

/** Acknowledges the newest of the events that were handled, one request at a time. */
class Acknowledgements {
  readonly #transport: Transport;
  readonly #ending = new AbortController();
  #newest: string | undefined;
  #sent: string | undefined;
  #isSending = false;
  #sending: Promise<void> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  add(cursor: string): void {
    this.#newest = cursor;
    this.retry();
  }

  /** Parley may be there again. */
  retry(): void {
    if (this.#isSending || this.#newest === this.#sent) return;
    this.#isSending = true;
    this.#sending = this.#sendAll();
  }

  /** Sends what is not acknowledged yet. Never throws: what is not acknowledged comes again. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#sending;
    if (this.#newest !== this.#sent) await this.#send(this.#newest, LAST_ACK_PATIENCE_MS);
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#ending;
    while (this.#newest !== this.#sent && !signal.aborted) {
      const cursor = this.#newest;
      if (!(await this.#send(cursor))) break;
      this.#sent = cursor;
      await pause(ACK_EVERY_MS, signal).catch(() => undefined);
    }
    this.#isSending = false;
  }

  /** False when it was refused or Parley is away: the next one holds it too. */
  async #send(cursor: string | undefined, patienceMs = 0): Promise<boolean> {
    return await this.#transport.send("acknowledgeEvents", { body: { cursor } }, { patienceMs, waitsForUnlock: true }).then(
      () => true,
      () => false,
    );
  }
}
