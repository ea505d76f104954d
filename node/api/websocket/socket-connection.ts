// One WebSocket connection: greets, answers frames, holds subscriptions, drops itself when its reader is too slow.
import type { WebSocket } from "@fastify/websocket";
import type { ClientFrame, NodeFrame, RequestId } from "#shared/api/socket/frames.ts";
import { socketAuthBytes } from "#shared/api/socket/socket-auth.ts";
import type { TopicText } from "#shared/api/socket/topics.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex, isHex, toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import { describeFailure } from "../failures.ts";
import type { WaitingBytes } from "../http/waiting-bytes.ts";
import { type ApiLimits, watchableBoxes } from "../limits.ts";
import { clientOf } from "../security/mail-input.ts";
import type { TrialBudget } from "../security/trial-budget.ts";
import type { SocketServices } from "../services.ts";
import { type ParsedFrame, parseClientFrame } from "./parse-client-frame.ts";
import type { Subscriber, TopicHub } from "./topic-hub.ts";
import { isPublicTopic, parseTopic, type Topic } from "./topics.ts";

/** What all connections share. */
export interface SocketContext {
  readonly services: SocketServices;
  readonly hub: TopicHub;
  readonly limits: ApiLimits;
  /** Where what waits for this connection is counted. */
  readonly waiting?: { readonly bytes: WaitingBytes; readonly address: string };
  /** What submissions use for nothing. */
  readonly budget?: TrialBudget;
}

/** What the upgrade request decided about a connection. */
export interface SocketRights {
  /** True when typing topics need an authenticated key. */
  readonly needsKey: boolean;
  /** True for a connection that sees the chain alone: no mailboxes and no typing. */
  readonly seesChainOnly?: boolean;
  /** True for a program of the node's owner. */
  readonly isOwn?: boolean;
  /** True where no rate counts the sender. */
  readonly isExempt?: boolean;
  readonly mayWrite: boolean;
  /** Takes one frame of the sender's rate: 0 when it may continue. */
  readonly takeRate: (frame: string) => number;
}

/** The byte stream below a WebSocket; what is written while it is corked leaves as one piece. */
export interface SocketTransport {
  cork(): void;
  uncork(): void;
}

type OrderedFrame = Exclude<ClientFrame, { readonly type: "submit_tx" }>;

const NONCE_BYTES = 32;
/** Typing notices of a connection under names that prove nothing: so many in this time, ms. One who types sends one a device every 4 s. */
const MAX_UNPROVEN = 32;
const UNPROVEN_MS = 4_000;
const CLOSE_POLICY = 1008;
const CLOSE_TRY_AGAIN = 1013;
/** Less than this waits for quick readers too, bytes. */
const COUNTED_BYTES = 65_536;

/** A connection; the socket's events call its methods. */
export class SocketConnection implements Subscriber {
  readonly #socket: WebSocket;
  readonly #transport: SocketTransport;
  readonly #context: SocketContext;
  readonly #rights: SocketRights;
  readonly #nonce: string;
  /** Topic names by the form in which they were subscribed. */
  readonly #topics = new Map<string, TopicText>();
  /** How many of these are of mailboxes. */
  #inboxes = 0;
  readonly #keys = new Set<PublicKeyHex>();
  #inOrder: Promise<void> = Promise.resolve();
  #refused = 0;
  /** Notices under names that prove nothing, and since when they are counted. */
  #names = 0;
  #namesSinceMs = Number.NEGATIVE_INFINITY;
  #isAlive = true;
  #isCorked = false;
  #countedBytes = 0;

  constructor(socket: WebSocket, transport: SocketTransport, context: SocketContext, rights: SocketRights) {
    this.#socket = socket;
    this.#transport = transport;
    this.#context = context;
    this.#rights = rights;
    this.#nonce = toHex(context.services.random(NONCE_BYTES));
  }

  /** First frame of the connection. */
  greet(): void {
    const { chainId } = this.#context.services.node;
    this.#send({ type: "hello", nonce: this.#nonce, chain_id: chainId, auth_required: this.#rights.needsKey });
  }

  get isOwn(): boolean {
    return this.#rights.isOwn === true;
  }

  deliver(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (!this.#hasRoom(frame.length)) {
      this.#context.services.log.debug({ bufferedBytes: this.#socket.bufferedAmount }, "A slow WebSocket reader was dropped");
      this.#socket.terminate();
      return;
    }
    this.#cork();
    this.#socket.send(frame, { binary: false });
  }

  /**
   * Answers one frame. Frames take effect in the order in which they came, so that a client need not wait for `auth_ok` to subscribe;
   * submissions are outside that order, for they are checked by many at once.
   */
  receive(data: string | undefined): void {
    const parsed = this.#read(data);
    if ("problem" in parsed) this.#refuse(parsed.problem, parsed.req);
    else this.#take(parsed.frame);
  }

  /** Called between two pings: drops a connection that did not answer the last one. */
  heartbeat(): void {
    this.#count(this.#socket.bufferedAmount);
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }

  /** The peer answered a ping. */
  alive(): void {
    this.#isAlive = true;
  }

  /** Ends all subscriptions. */
  closed(): void {
    this.#count(0);
    for (const [form, name] of this.#topics) this.#context.hub.unsubscribe(name, form, this);
    this.#topics.clear();
  }

  /** True when a frame may wait for the reader, of this connection and of its address. */
  #hasRoom(frameBytes: number): boolean {
    const { limits, waiting } = this.#context;
    const buffered = this.#socket.bufferedAmount;
    if (buffered + frameBytes > limits.socketBufferBytes) return false;
    this.#count(buffered);
    if (waiting === undefined || buffered < COUNTED_BYTES) return true;
    return waiting.bytes.hasRoom({ address: waiting.address, isOwn: this.#rights.isOwn === true }, frameBytes);
  }

  /** Notes what waits, where that is more than every connection may have. */
  #count(buffered: number): void {
    const counted = buffered < COUNTED_BYTES ? 0 : buffered;
    if (counted !== this.#countedBytes) this.#context.waiting?.bytes.change(this.#context.waiting.address, counted - this.#countedBytes);
    this.#countedBytes = counted;
  }

  /** A block is sent in many frames at once: they go to the system in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#transport.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#transport.uncork();
    });
  }

  #read(data: string | undefined): ParsedFrame {
    if (this.#rights.takeRate(data ?? "") > 0) return { problem: "Too many frames from this address: wait a moment" };
    return data === undefined ? { problem: "A frame is a text, not binary" } : parseClientFrame(data);
  }

  #take(frame: ClientFrame): void {
    if (frame.type === "submit_tx") void this.#submit(frame.tx, frame.req);
    else this.#inOrder = this.#inOrder.then(() => this.#response(frame));
  }

  async #response(frame: OrderedFrame): Promise<void> {
    try {
      await this.#handle(frame);
      this.#refused = 0;
    } catch (error) {
      // A client would think that it listens: it is to connect again and subscribe then.
      if (frame.type === "subscribe" && isCodedError(error, "UNAVAILABLE") && "retryAfterS" in error.details)
        this.#socket.close(CLOSE_TRY_AGAIN, "The service is away: connect again");
      else this.#refuse(this.#textOf(error), "req" in frame ? frame.req : undefined);
    }
  }

  async #handle(frame: OrderedFrame): Promise<void> {
    switch (frame.type) {
      case "subscribe":
        return await this.#subscribe(frame.topic, frame.req);
      case "unsubscribe":
        return this.#unsubscribe(frame.topic, frame.req);
      case "typing":
        return await this.#relayTyping(frame.to, frame.from);
      case "ping":
        return this.#send({ type: "pong", ...echo(frame.req) });
      case "auth":
        return await this.#authenticate(frame);
      default:
        frame satisfies never;
    }
  }

  async #submit(tx: unknown, req: RequestId | undefined): Promise<void> {
    const { services, budget, waiting } = this.#context;
    const { mempool, clock } = services;
    try {
      if (!this.#rights.mayWrite)
        throw new CodedError("UNAUTHORIZED", "This node needs its API token: open the connection with ?token=<token>");
      const caller = { address: waiting?.address ?? "", isOwn: this.#rights.isOwn === true };
      const work = (): ReturnType<typeof mempool.submit> => mempool.submit(tx, clock.nowMs());
      const { id, warning } = await (budget === undefined ? work() : budget.submit(caller, tx, work));
      this.#send({ type: "submit_ack", id, status: "accepted", ...(warning === undefined ? {} : { warning }), ...echo(req) });
    } catch (error) {
      this.#send({ type: "error", error: this.#textOf(error), ...idOf(tx), ...echo(req) });
    }
  }

  async #subscribe(form: string, req: RequestId | undefined): Promise<void> {
    const topic = parseTopic(form);
    const isHolder = await this.#isHolder(topic);
    await this.#assertMayListen(topic, isHolder);
    const { limits } = this.#context;
    const isInbox = topic.kind === "inbox:";
    const most = isInbox ? watchableBoxes(limits, this.#rights.isExempt === true) : limits.subscriptions;
    const count = isInbox ? this.#inboxes : this.#topics.size - this.#inboxes;
    if (!this.#topics.has(form) && count >= most)
      throw new CodedError("RATE_LIMITED", `A connection holds at most ${most} subscriptions${isInbox ? " of mailboxes" : ""}`);
    if (isPublicTopic(topic.name)) this.#context.services.chainPushes?.assertRoom(topic.name);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (isInbox && !this.#topics.has(form)) this.#inboxes += 1;
    this.#topics.set(form, topic.name);
    // A mark that is written down, and work for other nodes: for owners alone.
    if (topic.kind === "inbox:" && isHolder) this.#context.services.relay.serve(topic.key, this.#party());
    this.#context.hub.subscribe(topic.name, form, this);
    this.#send({ type: "subscribed", topic: form, ...echo(req) });
  }

  /** Who its readers count as. */
  #party(): string {
    const { isOwn = false, isExempt = false } = this.#rights;
    return clientOf({ isOwn, isExempt, address: this.#context.waiting?.address ?? "" }).party;
  }

  #unsubscribe(form: string, req: RequestId | undefined): void {
    const name = this.#topics.get(form);
    if (name !== undefined) this.#context.hub.unsubscribe(name, form, this);
    if (name?.startsWith("inbox:")) this.#inboxes -= 1;
    this.#topics.delete(form);
    this.#send({ type: "unsubscribed", topic: form, ...echo(req) });
  }

  async #relayTyping(to: string, from: string): Promise<void> {
    if (!isHex(to, 32) || !isHex(from, 32)) throw new CodedError("BAD_REQUEST", "typing: to and from are X25519 keys of 64 hex characters");
    this.#assertSeesMailboxes();
    const sender = from.toLowerCase();
    const notice = { to: to.toLowerCase(), from: sender };
    if (this.#rights.needsKey && !(await this.#holdsKey(sender))) await this.#takeName(notice.to);
    this.#context.hub.publish(`typing:${notice.to}`, { type: "typing", ...notice });
    this.#context.services.typing?.publish(notice);
  }

  /** To a box that its owner has opened people type under names that the owner alone knows. They prove nothing, so the connection counts. */
  async #takeName(to: string): Promise<void> {
    if (!(await this.#isOpenBox(to))) throw new CodedError("FORBIDDEN", "typing: from is not a device of an authenticated key");
    const nowMs = this.#context.services.clock.monotonicMs();
    if (nowMs - this.#namesSinceMs >= UNPROVEN_MS) [this.#namesSinceMs, this.#names] = [nowMs, 0];
    if (this.#names >= MAX_UNPROVEN) throw new CodedError("RATE_LIMITED", "typing: too many notices of this connection");
    this.#names += 1;
  }

  async #authenticate(frame: Extract<ClientFrame, { readonly type: "auth" }>): Promise<void> {
    const { services, limits } = this.#context;
    const signature = isHex(frame.sig, 64) ? fromHex(frame.sig) : tryFromBase64(frame.sig);
    if (!isHex(frame.pub, 32) || signature?.length !== 64)
      throw new CodedError("BAD_REQUEST", "auth: pub is a hex Ed25519 key, sig hex or base64 of 64 bytes");
    const pub = frame.pub.toLowerCase();
    if (!this.#keys.has(pub) && this.#keys.size >= limits.authenticatedKeys)
      throw new CodedError("RATE_LIMITED", `A connection authenticates at most ${limits.authenticatedKeys} keys`);
    if (!(await services.verify(signature, socketAuthBytes(services.node.chainId, this.#nonce), fromHex(pub))))
      throw new CodedError("UNAUTHORIZED", "auth: the signature does not verify over this connection's nonce");
    this.#keys.add(pub);
    this.#send({ type: "auth_ok", pub, ...echo(frame.req) });
  }

  /** Those who may list a mailbox may hear of it; what is not kept in a mailbox, such as typing, is for the holder of the key. */
  async #assertMayListen(topic: Topic, isHolder: boolean): Promise<void> {
    if (isPublicTopic(topic.name)) return;
    this.#assertSeesMailboxes();
    // Anyone can publish a mailbox key as his own: that proves nothing of who reads it.
    if (topic.kind === "inbox:" && !this.isOwn && (await this.#context.services.relay.boxes.find(topic.key))?.opening.read === "owner")
      throw new CodedError("FORBIDDEN", "inbox: the owner alone reads this box");
    if (topic.kind === "typing:" && (await this.#isOpenBox(topic.key))) return;
    if (topic.kind !== "inbox:" && this.#rights.needsKey && !isHolder)
      throw new CodedError("FORBIDDEN", `${topic.kind} needs auth with the master key that published or linked this key`);
  }

  #assertSeesMailboxes(): void {
    if (this.#rights.seesChainOnly === true)
      throw new CodedError("UNAUTHORIZED", "Mailboxes of this node are for programs of its owner: open the connection with ?token=<token>");
  }

  async #isHolder(topic: Topic): Promise<boolean> {
    if (isPublicTopic(topic.name)) return false;
    return this.#rights.isOwn === true || (await this.#holdsKey(topic.key));
  }

  /** True for a mailbox that its owner has opened and that anyone who knows its key may list: none of a device that the chain knows. */
  async #isOpenBox(boxKey: string): Promise<boolean> {
    return (await this.#context.services.relay.boxes.find(boxKey))?.opening.read === "anyone";
  }

  /** True when an authenticated master key has published the X25519 key or linked it as a device. */
  async #holdsKey(boxKey: string): Promise<boolean> {
    const { explorer } = this.#context.services;
    for (const masterPub of this.#keys) {
      const [identity, devices] = await Promise.all([explorer.identity(masterPub), explorer.deviceList(masterPub)]);
      if (identity.x25519_pub === boxKey || devices.some((device) => device.x25519_pub_key === boxKey)) return true;
    }
    return false;
  }

  #refuse(error: string, req: RequestId | undefined): void {
    this.#send({ type: "error", error, ...echo(req) });
    this.#refused += 1;
    if (this.#refused >= this.#context.limits.refusedFrames) this.#socket.close(CLOSE_POLICY, "Too many refused frames");
  }

  #textOf(error: unknown): string {
    const { status, text } = describeFailure(error);
    if (status === 500) this.#context.services.log.error({ err: error }, "A WebSocket frame failed");
    return text;
  }

  #send(frame: NodeFrame): void {
    this.deliver(Buffer.from(JSON.stringify(frame)));
  }
}

function echo(req: RequestId | undefined): { readonly req?: RequestId } {
  return req === undefined ? {} : { req };
}

function idOf(tx: unknown): { readonly id?: string } {
  const id = typeof tx === "object" && tx !== null && "id" in tx ? tx.id : undefined;
  return typeof id === "string" && id !== "" ? { id: id.slice(0, 128) } : {};
}
