// A WebSocket to the node that reports when things arrive.

interface Frame {
  readonly type: string;
  readonly id?: string;
}

/** Subscriptions of one connection; `arrived` resolves with the monotonic time of the push that carries an id. */
export class LiveFeed {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (atMs: number) => void>();
  readonly #seen = new Map<string, number>();

  readonly #onPush: (id: string, atMs: number) => void;

  private constructor(socket: WebSocket, onPush: (id: string, atMs: number) => void) {
    this.#socket = socket;
    this.#onPush = onPush;
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(String(event.data)) as Frame));
  }

  /** Connected and subscribed to the topics; `onPush` hears of every push with an id, and of one that comes twice as often. */
  static async open(
    port: number,
    topics: readonly string[],
    onPush: (id: string, atMs: number) => void = (): void => undefined,
  ): Promise<LiveFeed> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
    let subscribed = 0;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener("error", () => reject(new Error("The WebSocket failed")));
    socket.addEventListener("message", (event) => {
      const frame = JSON.parse(String(event.data)) as Frame;
      if (frame.type === "hello") for (const topic of topics) socket.send(JSON.stringify({ type: "subscribe", topic }));
      if (frame.type === "error") reject(new Error(String(event.data)));
      if (frame.type === "subscribed") subscribed += 1;
      if (subscribed === topics.length) resolve();
    });
    const feed = new LiveFeed(socket, onPush);
    await promise;
    return feed;
  }

  /** Monotonic time at which the push with this id arrived. */
  arrived(id: string): Promise<number> {
    const seen = this.#seen.get(id);
    if (seen !== undefined) return Promise.resolve(seen);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  close(): void {
    this.#socket.close();
  }

  #receive(frame: Frame): void {
    if (frame.id === undefined || (frame.type !== "tx" && frame.type !== "inbox")) return;
    const now = performance.now();
    this.#onPush(frame.id, now);
    this.#seen.set(frame.id, now);
    this.#waiting.get(frame.id)?.(now);
    this.#waiting.delete(frame.id);
  }
}
