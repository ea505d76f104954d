// One reader of server-sent events. It catches up with the chain at its own pace, then gets every block as it becomes final;
// what waits for it has a bound, beyond which it is dropped and resumes where it was.
import { Readable } from "node:stream";
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** The events of a block in the form that is sent, or those of several from a position on; undefined when there is no such block yet. */
export type EventSource = (height: Height, skip: number) => Promise<readonly string[] | EventChunk | undefined>;

/** How a stream works. */
export interface EventStreamOptions {
  readonly start: StreamPosition;
  readonly source: EventSource;
  /** Bytes that may wait before the reader is dropped. */
  readonly bufferBytes: number;
  readonly onError: (error: unknown) => void;
}

const GREETING = "retry: 2000\n\n";
const KEEP_ALIVE = ":\n\n";

/** Body of a response without an end. */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  #next: StreamPosition;
  #isCatchingUp = false;
  #isBehind = false;
  #wakeWriter: (() => void) | undefined;

  constructor(options: EventStreamOptions) {
    super();
    this.#options = options;
    this.#next = options.start;
    this.push(GREETING);
    void this.#catchUp();
  }

  /** The events of a block that became final. */
  blockCommitted(height: Height, events: readonly string[]): void {
    if (this.#isCatchingUp) this.#isBehind = true;
    else if (height === this.#next.height) this.#send(events);
    else void this.#catchUp();
  }

  /** Shows that the connection lives, and finds out when it does not. */
  keepAlive(): void {
    if (!this.#isCatchingUp) this.#write(KEEP_ALIVE);
  }

  override _read(): void {
    this.#wakeWriter?.();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#wakeWriter?.();
    callback(error);
  }

  async #catchUp(): Promise<void> {
    this.#isCatchingUp = true;
    try {
      do {
        this.#isBehind = false;
        for (let events = await this.#events(); events !== undefined; events = await this.#events()) {
          if ("bytes" in events) this.#sendChunk(events);
          else this.#send(events);
          if (this.readableLength >= this.readableHighWaterMark) await this.#drained();
        }
      } while (this.#isBehind && !this.destroyed);
    } catch (error) {
      this.#options.onError(error);
      this.destroy();
    }
    this.#isCatchingUp = false;
  }

  async #events(): Promise<readonly string[] | EventChunk | undefined> {
    return this.destroyed ? undefined : await this.#options.source(this.#next.height, this.#next.skip);
  }

  #sendChunk({ bytes, next }: EventChunk): void {
    this.#next = { height: next, skip: 0 };
    this.#write(bytes);
  }

  #send(events: readonly string[]): void {
    const { height, skip } = this.#next;
    this.#next = { height: height + 1, skip: 0 };
    this.#write(events.slice(skip).join(""));
  }

  #write(text: string | Uint8Array): void {
    if (this.destroyed || text.length === 0) return;
    if (this.readableLength > this.#options.bufferBytes) this.destroy();
    else this.push(text);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeWriter = (): void => {
        this.#wakeWriter = undefined;
        resolve();
      };
    });
  }
}
