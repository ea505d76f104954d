// One program that reads events: server-sent, each with its cursor as id. It reads at its own pace; what waits for it has a bound, beyond
// which it is closed and resumes where it was.
import { Readable } from "node:stream";
import type { Timers } from "#shared/util/clock.ts";

/** Events from where the stream is; undefined when there is none yet. */
export type NextEvents = () => Promise<readonly StreamedEvent[] | undefined>;

/** One event as it is sent. */
export interface StreamedEvent {
  readonly cursor: string;
  readonly type: string;
}

/** How a stream works. */
export interface AppEventStreamOptions {
  /** Advances with each call. Rejecting ends the stream. */
  readonly next: NextEvents;
  readonly bufferBytes: number;
  readonly heartbeatMs: number;
  readonly timers: Timers;
}

const GREETING = "retry: 2000\n\n";
const KEEP_ALIVE = ":\n\n";

/** Body of a response without an end. */
export class AppEventStream extends Readable {
  readonly #options: AppEventStreamOptions;
  #isReading = false;
  #isStale = false;
  #drained: (() => void) | undefined;
  #cancelHeartbeat: () => void = () => undefined;

  constructor(options: AppEventStreamOptions) {
    super();
    this.#options = options;
    this.push(GREETING);
    this.#beat();
    this.wake();
  }

  /** There may be something new. */
  wake(): void {
    this.#isStale = true;
    if (!this.#isReading) void this.#readOn();
  }

  override _read(): void {
    this.#drained?.();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#cancelHeartbeat();
    this.#drained?.();
    callback(error);
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isStale && !this.destroyed) {
        this.#isStale = false;
        for (let events = await this.#options.next(); events !== undefined && !this.destroyed; events = await this.#options.next()) {
          this.#write(events.map(formatEvent).join(""));
          if (this.readableLength >= this.readableHighWaterMark) await this.#whenDrained();
        }
      }
    } catch {
      this.destroy();
    } finally {
      this.#isReading = false;
    }
  }

  #beat(): void {
    this.#cancelHeartbeat = this.#options.timers.setTimer(this.#options.heartbeatMs, () => {
      this.#write(KEEP_ALIVE);
      this.#beat();
    });
  }

  #write(text: string): void {
    if (this.destroyed || text === "") return;
    if (this.readableLength + text.length > this.#options.bufferBytes) this.destroy();
    else this.push(text);
  }

  #whenDrained(): Promise<void> {
    if (this.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained = (): void => {
        this.#drained = undefined;
        resolve();
      };
    });
  }
}

function formatEvent(event: StreamedEvent): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
