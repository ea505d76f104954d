// Pushes about the chain: what clients of this gateway listen to is subscribed at a node, over as few connections as hold it.
import type { ChainPushes, PushTarget } from "#node/api/services.ts";
import { isPublicTopic } from "#node/api/websocket/topics.ts";
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { PushTypeOf, TopicText } from "#shared/api/socket/topics.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { PushGate } from "../explorer/push-gate.ts";
import { CHAIN_TOPICS, TOPICS_A_CONNECTION } from "../gateway-limits.ts";
import type { NodeLinks } from "../node-links.ts";

interface Connection {
  readonly live: LiveConnection;
  readonly topics: Map<TopicText, () => void>;
}

export interface NodePushesDependencies {
  readonly links: Pick<NodeLinks, "openSocket" | "turn">;
  readonly timers: Timers;
  /** Where pushes about blocks wait for these. */
  readonly gate: Pick<PushGate, "pass">;
  /** Called when pushes may have been missed. */
  readonly onGap: () => void;
}

/** Follows topics at the nodes. */
export class NodePushes implements ChainPushes {
  readonly #links: Pick<NodeLinks, "openSocket" | "turn">;
  readonly #timers: Timers;
  readonly #gate: Pick<PushGate, "pass">;
  readonly #onGap: () => void;
  readonly #connections = new Set<Connection>();

  constructor({ links, timers, gate, onGap }: NodePushesDependencies) {
    this.#links = links;
    this.#timers = timers;
    this.#gate = gate;
    this.#onGap = onGap;
  }

  attach(target: PushTarget): () => void {
    const stop = target.onChange((topic, hasSubscribers) => {
      if (!isPublicTopic(topic)) return;
      if (hasSubscribers) this.#follow(target, topic);
      else this.#leave(topic);
    });
    return (): void => {
      stop();
      for (const { live } of this.#connections) live.close();
      this.#connections.clear();
    };
  }

  assertRoom(topic: TopicText): void {
    const topics = [...this.#connections].map((connection) => connection.topics);
    if (topics.some((each) => each.has(topic)) || topics.reduce((sum, { size }) => sum + size, 0) < CHAIN_TOPICS) return;
    throw new CodedError("RATE_LIMITED", `Clients of this service listen to ${CHAIN_TOPICS} topics already: try again in a moment`);
  }

  #follow<Text extends TopicText>(target: PushTarget, topic: Text): void {
    const connection = [...this.#connections].find(({ topics }) => topics.size < TOPICS_A_CONNECTION) ?? this.#connect();
    const publish = ({ topic: _, ...push }: PushFrame<PushTypeOf<Text>>): void =>
      this.#gate.pass(heightOf(push), () => target.publish(topic, push));
    connection.topics.set(topic, connection.live.subscribe(topic, publish));
  }

  #leave(topic: TopicText): void {
    for (const connection of this.#connections) {
      const unsubscribe = connection.topics.get(topic);
      if (unsubscribe === undefined) continue;
      unsubscribe();
      connection.topics.delete(topic);
      if (connection.topics.size > 0) continue;
      this.#connections.delete(connection);
      connection.live.close();
    }
  }

  #connect(): Connection {
    const live = new LiveConnection({
      url: "",
      createSocket: (): SocketLike => this.#links.openSocket(),
      timers: this.#timers,
      jitter: Math.random,
    });
    let wasOpen = false;
    live.onState((state) => {
      if (state === "connecting") this.#links.turn();
      if (state !== "open") return;
      if (wasOpen) this.#onGap();
      wasOpen = true;
    });
    const connection = { live, topics: new Map<TopicText, () => void>() };
    this.#connections.add(connection);
    return connection;
  }
}

/** The block that a push is about; 0 for none. */
function heightOf(push: object): number {
  const { index, block } = push as { readonly index?: unknown; readonly block?: unknown };
  return [index, block].find((each) => typeof each === "number") ?? 0;
}
