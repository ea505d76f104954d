// Topics that are followed at the nodes, over as few connections as hold them.
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { PushTypeOf, TopicText } from "#shared/api/socket/topics.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import type { Timers } from "#shared/util/clock.ts";
import { TOPICS_A_CONNECTION } from "../gateway-limits.ts";
import type { NodeLinks } from "../node-links.ts";

interface Connection {
  readonly live: LiveConnection;
  readonly topics: Map<TopicText, () => void>;
}

export interface NodeTopicsDependencies {
  readonly links: Pick<NodeLinks, "openSocket" | "turn">;
  readonly timers: Timers;
  /** Called when pushes may have been missed. */
  readonly onGap: () => void;
}

/** Follows topics; who uses it bounds how many. */
export class NodeTopics {
  readonly #dependencies: NodeTopicsDependencies;
  readonly #connections = new Set<Connection>();

  constructor(dependencies: NodeTopicsDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return [...this.#connections].reduce((sum, { topics }) => sum + topics.size, 0);
  }

  has(topic: TopicText): boolean {
    return [...this.#connections].some(({ topics }) => topics.has(topic));
  }

  /** Calls back for each push of a topic until that is left. */
  follow<Text extends TopicText>(topic: Text, listener: (push: Omit<PushFrame<PushTypeOf<Text>>, "topic">) => void): void {
    const connection = [...this.#connections].find(({ topics }) => topics.size < TOPICS_A_CONNECTION) ?? this.#connect();
    connection.topics.set(
      topic,
      connection.live.subscribe(topic, ({ topic: _, ...push }) => listener(push)),
    );
  }

  leave(topic: TopicText): void {
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

  close(): void {
    for (const { live } of this.#connections) live.close();
    this.#connections.clear();
  }

  #connect(): Connection {
    const { links, timers, onGap } = this.#dependencies;
    const createSocket = (): SocketLike => links.openSocket();
    const live = new LiveConnection({ url: "", createSocket, timers, jitter: Math.random });
    let wasOpen = false;
    live.onState((state) => {
      if (state === "connecting") links.turn();
      if (state !== "open") return;
      if (wasOpen) onGap();
      wasOpen = true;
    });
    const connection = { live, topics: new Map<TopicText, () => void>() };
    this.#connections.add(connection);
    return connection;
  }
}
