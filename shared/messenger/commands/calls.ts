// Calls as this device makes, answers and ends them: each a line in the chat or a change of it, and queued like every content. How to reach
// this device goes along and is not stored with the line.
import { type CallAnswerBody, type CallEndBody, type CallMedia, MAX_CALL_S, MAX_SDP_BYTES } from "#shared/content/chat/call-content.ts";
import type { MessageId, MessageReference } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import { type Change, writeChange } from "../changes/change.ts";
import { amendMessage } from "../model/amend-message.ts";
import { requirePeer } from "../model/conversation-id.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import { begunAt } from "../model/progress/message-time.ts";
import { type MessageRecord, newId } from "../model/records.ts";
import { markRead } from "../receiving/apply-incoming.ts";
import { addOwnMessage, messageThere } from "../sending/compose-message.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A call that is made. */
export interface NewCall {
  readonly id: MessageId;
  readonly media: CallMedia;
  readonly sdp: string;
}

/** The calling half of a running messenger. */
export class CallCommands {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Calls a contact. @throws CodedError BAD_REQUEST for someone else, and a description that is too long. */
  async offerCall(conversation: ConversationId, { id, media, sdp }: NewCall): Promise<MessageKey> {
    const peer = requirePeer(conversation);
    if (!this.#context.registry.isContact(peer)) throw new CodedError("BAD_REQUEST", "Only contacts can be called");
    const body = { kind: "call.offer", media, sdp: checkedSdp(sdp) } as const;
    const key = await writeChange(this.#context, (change) => addOwnMessage(this.#context, change, { conversation: peer, body, id }));
    this.#onQueued();
    return key;
  }

  /** Answers a call that came. @throws CodedError NOT_FOUND for one that is not here. */
  async answerCall(call: MessageReference, { leg, sdp }: Pick<CallAnswerBody, "leg" | "sdp">): Promise<void> {
    await this.#say(call, { kind: "call.answer", to: call, leg, sdp: checkedSdp(sdp) });
  }

  /** Ends a call, or what one answer began. @throws CodedError NOT_FOUND for one that is not here. */
  async endCall(call: MessageReference, { reason, seconds, leg, cause }: Omit<CallEndBody, "kind" | "to">): Promise<void> {
    const spoken = Math.min(Math.max(0, Math.round(seconds)), MAX_CALL_S);
    await this.#say(call, { kind: "call.end", to: call, reason, seconds: spoken, ...(leg && { leg }), ...(cause && { cause }) });
  }

  async #say(call: MessageReference, body: CallAnswerBody | CallEndBody): Promise<void> {
    const { account, store, clock, random } = this.#context;
    await writeChange(this.#context, async (change) => {
      const key = await store.messageKey(call.author, call.id);
      const record = await messageThere(change, key);
      const at = clock.nowMs();
      const next = amendMessage(record, call.author, { from: account.masterPub, at, body });
      if (next !== undefined) change.updateMessage(key, next);
      if (body.kind === "call.answer" || body.reason === "declined") seen(this.#context, change, { key, record: next ?? record });
      change.queueFor(record.conversation, { kind: "amendment", id: newId(random), at, body });
    });
    this.#onQueued();
  }
}

/** Whoever answers or declines a call has seen it. */
function seen(
  { slower }: Pick<EngineContext, "slower">,
  change: Change,
  message: { readonly key: MessageKey; readonly record: MessageRecord },
): void {
  if (!message.record.isUnread) return;
  markRead(change, message, begunAt(slower.now()));
  change.queue(message.record.conversation, { kind: "readMark", ids: [message.record.id] });
}

function checkedSdp(sdp: string): string {
  if (sdp === "" || utf8Length(sdp) > MAX_SDP_BYTES)
    throw new CodedError("BAD_REQUEST", `The description of a call has 1 to ${MAX_SDP_BYTES} bytes`, { details: { field: "sdp" } });
  return sdp;
}
