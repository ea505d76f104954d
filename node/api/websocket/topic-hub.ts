// Who listens to which topic. A push is serialised once a topic, however many listen.

import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { PushType, PushTypeOf, TopicText } from "#shared/api/socket/topics.ts";

/** A push before it gets its topic. */
export type Push<Type extends PushType> = Omit<PushFrame<Type>, "topic">;

/** Something that takes finished frames. */
export interface Subscriber {
  /** True for one of the node's own programs. */
  readonly isOwn?: boolean;
  deliver(frame: Buffer): void;
}

/** Subscriptions of all connections. */
export class TopicHub {
  readonly #topics = new Map<TopicText, Map<string, Set<Subscriber>>>();
  readonly #listeners = new Set<(name: TopicText, hasSubscribers: boolean) => void>();

  /** Calls back when a topic gets its first subscriber and when its last one goes; returns the way to stop that. */
  onChange(listener: (name: TopicText, hasSubscribers: boolean) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  /** `form` is the topic as the subscriber wrote it, `name` what all forms share. */
  subscribe(name: TopicText, form: string, subscriber: Subscriber): void {
    const isFirst = !this.#topics.has(name);
    const forms = this.#topics.get(name) ?? new Map<string, Set<Subscriber>>();
    const subscribers = forms.get(form) ?? new Set<Subscriber>();
    this.#topics.set(name, forms.set(form, subscribers.add(subscriber)));
    if (isFirst) this.#report(name, true);
  }

  unsubscribe(name: TopicText, form: string, subscriber: Subscriber): void {
    const forms = this.#topics.get(name);
    const subscribers = forms?.get(form);
    if (forms === undefined || subscribers === undefined) return;
    subscribers.delete(subscriber);
    if (subscribers.size === 0) forms.delete(form);
    if (forms.size > 0) return;
    this.#topics.delete(name);
    this.#report(name, false);
  }

  /** True when someone listens. */
  has(name: TopicText): boolean {
    return this.#topics.has(name);
  }

  /** Every topic that someone listens to. */
  names(): IterableIterator<TopicText> {
    return this.#topics.keys();
  }

  /** True when someone listens to a topic of this kind. */
  hasSome(isOfKind: (name: TopicText) => boolean): boolean {
    return [...this.#topics.keys()].some(isOfKind);
  }

  /** Sends a push, which gets its `topic` here, to everyone who listens, or to the node's own programs among them. */
  publish<Text extends TopicText>(name: Text, push: Push<PushTypeOf<Text>>, isForOwnAlone = false): void {
    for (const [form, subscribers] of this.#topics.get(name) ?? []) {
      const frame = Buffer.from(JSON.stringify({ ...push, topic: form }));
      for (const subscriber of [...subscribers]) if (!isForOwnAlone || subscriber.isOwn === true) subscriber.deliver(frame);
    }
  }

  #report(name: TopicText, hasSubscribers: boolean): void {
    for (const listener of [...this.#listeners]) listener(name, hasSubscribers);
  }
}
