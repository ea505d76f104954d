// Pushes about the chain: what clients of this gateway listen to is subscribed at a node, over as few connections as hold it.
import type { ChainPushes, PushTarget } from "#node/api/services.ts";
import { isPublicTopic } from "#node/api/websocket/topics.ts";
import type { TopicText } from "#shared/api/socket/topics.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PushGate } from "../explorer/push-gate.ts";
import { CHAIN_TOPICS } from "../gateway-limits.ts";
import { NodeTopics, type NodeTopicsDependencies } from "./node-topics.ts";

export interface NodePushesDependencies extends NodeTopicsDependencies {
  /** Where pushes about blocks wait for these. */
  readonly gate: Pick<PushGate, "pass">;
}

/** Follows topics at the nodes. */
export class NodePushes implements ChainPushes {
  readonly #gate: Pick<PushGate, "pass">;
  readonly #topics: NodeTopics;

  constructor({ gate, ...dependencies }: NodePushesDependencies) {
    this.#gate = gate;
    this.#topics = new NodeTopics(dependencies);
  }

  attach(target: PushTarget): () => void {
    const stop = target.onChange((topic, hasSubscribers) => {
      if (!isPublicTopic(topic)) return;
      if (hasSubscribers) this.#follow(target, topic);
      else this.#topics.leave(topic);
    });
    return (): void => {
      stop();
      this.#topics.close();
    };
  }

  assertRoom(topic: TopicText): void {
    if (this.#topics.has(topic) || this.#topics.size < CHAIN_TOPICS) return;
    throw new CodedError("RATE_LIMITED", `Clients of this service listen to ${CHAIN_TOPICS} topics already: try again in a moment`);
  }

  #follow<Text extends TopicText>(target: PushTarget, topic: Text): void {
    this.#topics.follow(topic, (push) => this.#gate.pass(heightOf(push), () => target.publish(topic, push)));
  }
}

/** The block that a push is about; 0 for none. */
function heightOf(push: object): number {
  const { index, block } = push as { readonly index?: unknown; readonly block?: unknown };
  return [index, block].find((each) => typeof each === "number") ?? 0;
}
