// Changes that stay on this device: drafts, another try, emoji.

import { EMOJI_KEY, type EmojiChoices, type SkinTone, withEmoji } from "#shared/content/chat/emoji-choices.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Change, writeChange } from "../changes/change.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import { waitingAgain } from "../model/progress/outgoing-state.ts";
import { DEVICES_KEY } from "../state/device-registry.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** What others have to know. */
export interface LocalChangeEvents {
  /** Something waits in the outbox. */
  onQueued(): void;
}

/** Makes them. */
export class LocalChanges {
  readonly #context: EngineContext;
  readonly #events: LocalChangeEvents;
  /** Not written yet. */
  readonly #drafts = new Map<ConversationId, string>();

  constructor(context: EngineContext, events: LocalChangeEvents) {
    this.#context = context;
    this.#events = events;
  }

  async setDraft(id: ConversationId, text: string): Promise<void> {
    this.#drafts.set(id, text);
    await this.#context.writer.run(async () => {
      const draft = this.#drafts.get(id);
      const { registry, clock } = this.#context;
      this.#drafts.delete(id);
      if (draft === undefined || draft === registry.get(id).draft) return;
      const change = new Change(this.#context);
      const { lastMessage, updatedAt } = change.conversation(id);
      change.updateConversation(id, { draft, updatedAt: draft === "" ? (lastMessage?.at ?? updatedAt) : clock.nowMs() });
      await change.commit();
    });
  }

  /** It was sent, or its chat deleted: a draft that waits to be written must not come back. */
  dropDraft(id: ConversationId): void {
    this.#drafts.delete(id);
  }

  /** Tries a failed or waiting message again at once. */
  async retry(key: MessageKey): Promise<void> {
    const { outbox, clock, writer } = this.#context;
    await writer.run(async () => {
      const failed = outbox.messageEntriesOf(key).filter(({ isFailed }) => isFailed);
      if (failed.length === 0) return;
      const change = new Change(this.#context);
      for (const record of failed) change.putOutbox({ ...record, isFailed: false, queuedAt: clock.nowMs() });
      const message = await change.batch.message(key);
      if (message !== undefined) change.updateMessage(key, waitingAgain(message));
      await change.commit();
    });
    for (const { seq } of outbox.messageEntriesOf(key)) outbox.retryNow(seq);
    this.#events.onQueued();
  }

  /** The change of a person's devices was seen to. */
  async acknowledgeDevices(person: PublicKeyHex): Promise<void> {
    const { devices } = this.#context;
    devices.acknowledge(person);
    await writeChange(this.#context, async (change) => change.batch.putMeta(DEVICES_KEY, devices.all));
  }

  /** An emoji was used: it is among the first that are offered. */
  noteEmoji(emoji: string): Promise<void> {
    return this.#putEmoji(withEmoji(this.#context.registry.emoji, emoji));
  }

  /** The skin tone of emoji that have one. */
  setSkinTone(tone: SkinTone): Promise<void> {
    return this.#putEmoji({ ...this.#context.registry.emoji, tone });
  }

  #putEmoji(choices: EmojiChoices): Promise<void> {
    this.#context.registry.emoji = choices;
    return writeChange(this.#context, async (change) => change.batch.putMeta(EMOJI_KEY, choices));
  }
}
