// Live connection to a node: subscriptions that survive reconnects, submission with acknowledgement, back-off. Runs anywhere
// with a WebSocket; socket, timers and randomness are arguments.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";
import type { ClientFrame, NodeFrame, PushFrame } from "./frames.ts";
import { PUSH_TYPES, type PushTypeOf, type TopicText } from "./topics.ts";

/** The part of a WebSocket that the client uses. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
}

export interface LiveOptions {
  /** ws:// or wss:// address of /api/ws, with the token as a query parameter where one is needed. */
  readonly url: string;
  readonly createSocket: (url: string) => SocketLike;
  readonly timers: Timers;
  /** A number in [0, 1) that spreads reconnects. */
  readonly jitter: () => number;
  /** Answers the node's nonce with a key and signature, for topics that need it; undefined leaves the connection anonymous. */
  readonly authenticate?: (hello: NodeFrame<"hello">) => Promise<{ readonly pub: string; readonly sig: string } | undefined>;
}

/** `connecting` before the first and between later connections. */
export type LiveState = "connecting" | "open" | "closed";

/** A listener gets the frames of its topic alone. */
type Listener = (frame: never) => void;

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
const HELLO_TIMEOUT_MS = 15_000;
const ACK_TIMEOUT_MS = 15_000;
const PING_INTERVAL_MS = 20_000;
const PONG_TIMEOUT_MS = 10_000;
/** `req` of the greeting's `auth` frame. */
const AUTH_REQUEST = "auth";

/** A live connection that reconnects until it is closed. */
export class LiveConnection {
  readonly #options: LiveOptions;
  readonly #topics = new Map<string, Set<Listener>>();
  readonly #acks = new Map<number, (ack: NodeFrame<"submit_ack"> | CodedError) => void>();
  readonly #stateListeners = new Set<(state: LiveState) => void>();
  #socket: SocketLike | undefined;
  #state: LiveState = "connecting";
  #attempts = 0;
  #request = 0;
  #cancelRetry: CancelTimer | undefined;
  #cancelPing: CancelTimer | undefined;
  #cancelPong: CancelTimer | undefined;
  #cancelHello: CancelTimer | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#connect();
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Calls back on every change of state; returns the way to stop that. After `open`, all subscriptions have been sent again. */
  onState(listener: (state: LiveState) => void): () => void {
    this.#stateListeners.add(listener);
    return (): void => {
      this.#stateListeners.delete(listener);
    };
  }

  /** Receives the pushes of a topic until the returned function is called. */
  subscribe<Text extends TopicText>(topic: Text, listener: (frame: PushFrame<PushTypeOf<Text>>) => void): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    listeners.add(listener);
    this.#topics.set(topic, listeners);
    if (listeners.size === 1) this.#send({ type: "subscribe", topic });
    return (): void => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#topics.get(topic) !== listeners) return;
      this.#topics.delete(topic);
      this.#send({ type: "unsubscribe", topic });
    };
  }

  /**
   * Submits a transaction over the socket.
   * @throws CodedError UNAVAILABLE without a connection or a response in time: the caller then uses HTTP, which a duplicate id makes safe;
   * TX_REJECTED with the node's reason.
   */
  submit(tx: unknown): Promise<NodeFrame<"submit_ack">> {
    if (this.#state !== "open") return Promise.reject(new CodedError("UNAVAILABLE", "There is no live connection to the node"));
    this.#request += 1;
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const cancel = this.#options.timers.setTimer(ACK_TIMEOUT_MS, () =>
        this.#resolve(request, new CodedError("UNAVAILABLE", "The node did not acknowledge in time")),
      );
      this.#acks.set(request, (ack) => {
        cancel();
        if (ack instanceof CodedError) reject(ack);
        else resolve(ack);
      });
      this.#send({ type: "submit_tx", tx, req: request });
    });
  }

  /** Tells the holder of a device key that a person is typing. Lost when there is no connection. */
  sendTyping(to: string, from: string): void {
    this.#send({ type: "typing", to, from });
  }

  /** Opens a fresh connection at once: the old one may be dead without knowing it, as after a sleep of the machine. */
  reconnect(): void {
    if (this.#state === "closed") return;
    this.#cancelRetry?.();
    this.#dropSocket();
    this.#lost();
    this.#cancelRetry?.();
    this.#attempts = 0;
    this.#connect();
  }

  /** Ends the connection for good. */
  close(): void {
    this.#setState("closed");
    this.#clearTimers();
    this.#cancelRetry?.();
    this.#dropSocket();
  }

  #connect(): void {
    const socket = this.#options.createSocket(this.#options.url);
    this.#socket = socket;
    this.#cancelHello = this.#options.timers.setTimer(HELLO_TIMEOUT_MS, () => {
      this.#dropSocket();
      this.#lost();
    });
    socket.onopen = null;
    socket.onmessage = (event): void => {
      if (this.#socket === socket) this.#receive(event.data);
    };
    socket.onclose = (): void => {
      if (this.#socket === socket) this.#lost();
    };
    socket.onerror = null;
  }

  #receive(data: unknown): void {
    const frame = parseFrame(data);
    if (frame === undefined) return;
    switch (frame.type) {
      case "hello":
        void this.#greet(frame);
        return;
      case "pong":
        this.#cancelPong?.();
        return;
      case "submit_ack":
        if (typeof frame.req === "number") this.#resolve(frame.req, frame);
        return;
      case "auth_ok":
        this.#opened();
        return;
      case "error":
        // A refused key leaves the connection open, without the topics that need it.
        if (frame.req === AUTH_REQUEST) this.#opened();
        else if (typeof frame.req === "number") this.#resolve(frame.req, new CodedError("TX_REJECTED", frame.error));
        return;
      case "subscribed":
      case "unsubscribed":
        return;
      default:
        if (PUSH_TYPES.includes(frame.type)) for (const listener of this.#topics.get(frame.topic) ?? []) listener(frame as never);
    }
  }

  async #greet(hello: NodeFrame<"hello">): Promise<void> {
    const socket = this.#socket;
    const proof = await this.#options.authenticate?.(hello).catch(() => undefined);
    if (this.#socket !== socket) return;
    if (proof === undefined) this.#opened();
    else this.#send({ type: "auth", ...proof, req: AUTH_REQUEST }, true);
  }

  #opened(): void {
    this.#cancelHello?.();
    this.#attempts = 0;
    for (const topic of this.#topics.keys()) this.#send({ type: "subscribe", topic }, true);
    this.#setState("open");
    this.#schedulePing();
  }

  #schedulePing(): void {
    this.#cancelPing = this.#options.timers.setTimer(PING_INTERVAL_MS, () => {
      this.#send({ type: "ping" });
      this.#cancelPong = this.#options.timers.setTimer(PONG_TIMEOUT_MS, () => {
        this.#dropSocket();
        this.#lost();
      });
      this.#schedulePing();
    });
  }

  #lost(): void {
    this.#socket = undefined;
    this.#clearTimers();
    for (const request of [...this.#acks.keys()])
      this.#resolve(request, new CodedError("UNAVAILABLE", "The connection to the node was lost"));
    if (this.#state === "closed") return;
    this.#setState("connecting");
    const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts);
    this.#attempts = Math.min(this.#attempts + 1, 10);
    this.#cancelRetry = this.#options.timers.setTimer(delay * (0.75 + this.#options.jitter() / 2), () => this.#connect());
  }

  #resolve(request: number, ack: NodeFrame<"submit_ack"> | CodedError): void {
    const resolve = this.#acks.get(request);
    this.#acks.delete(request);
    resolve?.(ack);
  }

  #send(frame: ClientFrame, isGreeting = false): void {
    if (this.#socket !== undefined && (isGreeting || this.#state === "open")) this.#socket.send(JSON.stringify(frame));
  }

  #setState(state: LiveState): void {
    if (this.#state === state || this.#state === "closed") return;
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
  }

  #clearTimers(): void {
    this.#cancelPing?.();
    this.#cancelPong?.();
    this.#cancelHello?.();
  }

  #dropSocket(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }
}

function parseFrame(data: unknown): NodeFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && "type" in value ? (value as NodeFrame) : undefined;
  } catch {
    return undefined;
  }
}
