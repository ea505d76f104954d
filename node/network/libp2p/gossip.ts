// Gossip by topic: what comes in is metered, queued, validated and only then forwarded.
import { TopicValidatorResult } from "@libp2p/gossipsub";
import type { TypedEventTarget } from "@libp2p/interface";
import type { Log } from "#node/observability/log.ts";
import type { Clock } from "#shared/util/clock.ts";
import { FlowMeter } from "../flow/token-bucket.ts";
import { WorkQueue } from "../flow/work-queue.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName, PeerOffence, ValidationResult } from "../peer-network.ts";
import { type ProtocolNames, TOPICS, type Topic } from "../protocol-names.ts";

/** Result for a message of a topic; `malformed` when its bytes are no message. */
export type MessageValidation = ValidationResult | "malformed";

/** Validates a message; must not throw or reject. */
export type ValidateMessage = (data: Uint8Array, from: PeerName) => Promise<MessageValidation>;

/** The part of gossipsub that is used; the last two are members of its class only. */
export interface ValidatingPubSub
  extends Pick<
    TypedEventTarget<{ "gossipsub:message": CustomEvent<GossipMessage> }>,
    "addEventListener" | "removeEventListener" | "safeDispatchEvent"
  > {
  subscribe(topic: string): void;
  getSubscribers(topic: string): { toString(): string }[];
  publish(topic: string, data: Uint8Array, options?: { readonly floodPublish?: boolean }): Promise<unknown>;
  readonly streamsOutbound: ReadonlyMap<PeerName, unknown>;
  reportMessageValidationResult(id: string, source: PeerName, result: TopicValidatorResult): void;
}

/** A message before it is validated. */
export interface GossipMessage {
  readonly propagationSource: { toString(): string };
  readonly msgId: string;
  readonly msg: { readonly topic: string; readonly data: Uint8Array };
}

/** What gossip works with. */
export interface GossipDependencies {
  readonly pubsub: ValidatingPubSub;
  readonly names: ProtocolNames;
  readonly topicValidators: Readonly<Record<Topic, ValidateMessage>>;
  /** Topics that this node takes part in. */
  readonly topics: readonly Topic[];
  readonly clock: Clock;
  readonly log: Log;
  report(peer: PeerName, offence: PeerOffence): void;
  onReceived(peer: PeerName): void;
  /** The peer was the first to bring something of use. */
  onAccepted(peer: PeerName, topic: Topic, bytes: number): void;
}

interface Arrival {
  readonly id: string;
  readonly from: PeerName;
  readonly data: Uint8Array;
}

const RESULTS = {
  accept: TopicValidatorResult.Accept,
  ignore: TopicValidatorResult.Ignore,
  reject: TopicValidatorResult.Reject,
} as const;

/** Topics that only some messages of are worth sending to everyone: large, or many. They go through the mesh. */
const MESH_ONLY: readonly Topic[] = ["tx", "blocks"];

/** Receives and publishes messages of its topics. */
export class Gossip {
  readonly #dependencies: GossipDependencies;
  readonly #topics: ReadonlyMap<string, Topic>;
  readonly #queues: Readonly<Record<Topic, WorkQueue<Arrival>>>;
  readonly #meters = new Map<PeerName, Map<Topic, FlowMeter>>();
  readonly #onMessage = (event: CustomEvent<GossipMessage>): void => this.#receive(event.detail);

  constructor(dependencies: GossipDependencies) {
    this.#dependencies = dependencies;
    this.#topics = new Map(dependencies.topics.map((topic) => [dependencies.names.topics[topic], topic]));
    this.#queues = Object.fromEntries(TOPICS.map((topic) => [topic, this.#queueOf(topic)])) as Record<Topic, WorkQueue<Arrival>>;
  }

  /** Listens; gossipsub runs already. */
  start(): void {
    this.#dependencies.pubsub.addEventListener("gossipsub:message", this.#onMessage);
    for (const name of this.#topics.keys()) this.#dependencies.pubsub.subscribe(name);
  }

  /** Peers that listen to a topic and to which a stream is open: to all others a message is dropped. */
  reached(topic: Topic): readonly PeerName[] {
    const { pubsub, names } = this.#dependencies;
    const listeners = pubsub.getSubscribers(names.topics[topic]).map(String);
    return listeners.filter((peer) => pubsub.streamsOutbound.has(peer));
  }

  /** Sends a message; without subscribers it is dropped. */
  publish(topic: Topic, data: Uint8Array): void {
    const { pubsub, names, log } = this.#dependencies;
    void pubsub
      .publish(names.topics[topic], data, { floodPublish: !MESH_ONLY.includes(topic) })
      .catch((error: unknown) => log.debug({ err: error, topic }, "A message could not be published"));
  }

  /** Forgets the rates of a peer that went away, and what waits of it. */
  forget(peer: PeerName): void {
    this.#meters.delete(peer);
    for (const queue of Object.values(this.#queues)) queue.forget(peer);
  }

  close(): void {
    this.#dependencies.pubsub.removeEventListener("gossipsub:message", this.#onMessage);
    for (const queue of Object.values(this.#queues)) queue.close();
  }

  #receive({ propagationSource, msgId, msg }: GossipMessage): void {
    const topic = this.#topics.get(msg.topic);
    if (topic === undefined) return;
    const from = propagationSource.toString();
    this.#dependencies.onReceived(from);
    const arrival: Arrival = { id: msgId, from, data: msg.data };
    if (msg.data.length > NETWORK_LIMITS.topics[topic].messageBytes) {
      this.#reportResult(arrival, "malformed");
      return;
    }
    if (!this.#meterOf(from, topic).take(msg.data.length, this.#dependencies.clock.monotonicMs())) {
      this.#dependencies.report(from, "flood");
      this.#reportResult(arrival, "ignore");
      return;
    }
    this.#queues[topic].push(arrival, { sender: from, bytes: msg.data.length });
  }

  #meterOf(peer: PeerName, topic: Topic): FlowMeter {
    const meters = this.#meters.get(peer) ?? new Map<Topic, FlowMeter>();
    this.#meters.set(peer, meters);
    const meter = meters.get(topic) ?? new FlowMeter(NETWORK_LIMITS.topics[topic], this.#dependencies.clock.monotonicMs());
    meters.set(topic, meter);
    return meter;
  }

  #queueOf(topic: Topic): WorkQueue<Arrival> {
    const { queued, concurrent } = NETWORK_LIMITS.topics[topic];
    const { waitingGossipBytes: totalBytes, waitingGossipBytesPerPeer: senderBytes, turnMs } = NETWORK_LIMITS;
    return new WorkQueue<Arrival>({
      limits: { queued, concurrent, senderBytes, totalBytes, turnMs },
      clock: this.#dependencies.clock,
      work: async (arrival): Promise<void> =>
        this.#finish(topic, arrival, await this.#dependencies.topicValidators[topic](arrival.data, arrival.from)),
      drop: (arrival): void => this.#reportResult(arrival, "ignore"),
    });
  }

  #finish(topic: Topic, arrival: Arrival, validation: MessageValidation): void {
    if (validation === "accept") this.#dependencies.onAccepted(arrival.from, topic, arrival.data.length);
    this.#reportResult(arrival, validation);
  }

  #reportResult({ id, from }: Arrival, validation: MessageValidation): void {
    const result = validation === "malformed" ? "reject" : validation;
    if (result === "reject") this.#dependencies.report(from, validation === "malformed" ? "malformed" : "invalid");
    this.#dependencies.pubsub.reportMessageValidationResult(id, from, RESULTS[result]);
  }
}
