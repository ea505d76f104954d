// Payments of chats. What was signed is stored before any node is given it, together with the mark on the request that it answers: so a
// request is paid at most once without the person saying so, whatever ends in between, and what was signed is sent or given up, never lost.
import type { MessageId } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type Change, writeChange } from "../changes/change.ts";
import { queueOwnProfile } from "../changes/profiles.ts";
import { requirePeer } from "../model/conversation-id.ts";
import type { ConversationId, HeldPayment, MessageKey, PaymentFate } from "../model/message.ts";
import { HELD_PAYMENTS_KEY, isPaidLater, MAX_HELD_PAYMENTS, type OwnPayment, ownTxIdOf, withOwnPayment } from "../model/payments.ts";
import { authorOf } from "../model/records.ts";
import { addOwnMessage, amendOwn, messageThere } from "../sending/compose-message.ts";
import { payNote } from "../sending/compose-payment.ts";
import { removeMessages, reopenRequest } from "../sending/remove-messages.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** A payment that was signed for a chat. */
export interface SignedPayment {
  readonly transaction: Transaction;
  /** Words for the other person alone; may be "". */
  readonly note: string;
  /** Key of the request that it answers, or null. */
  readonly request: MessageKey | null;
  /** Id of the own payment for the request that the person saw when they confirmed this one; null for none. */
  readonly after: string | null;
  /** It was confirmed while the request was not declined: it is not made where an own device has declined it since. */
  readonly unlessDeclined?: boolean;
}

/** A stored payment of which no node is known to have it. */
export interface HeldMessage extends HeldPayment {
  readonly key: MessageKey;
  readonly conversation: ConversationId;
}

/** Requests that are closed, and payments until a node has them. */
export class Payments {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /**
   * Stores a signed payment as a receipt that is not sent yet. Give it to a node only when this has resolved. One that was stored before
   * is not stored again, not even where it was deleted since.
   * @throws CodedError PAYMENT_UNDER_WAY where the request has an own payment that was not seen; BAD_REQUEST for a payment to another
   * person, or a request that was cancelled, or declined since; UNAVAILABLE where too many wait; NOT_FOUND for a request that is not here.
   */
  async holdPayment(id: ConversationId, { transaction, note, request, after, unlessDeclined = false }: SignedPayment): Promise<MessageKey> {
    const peer = requirePeer(id);
    const { id: txId, type, from, to, amount } = transaction;
    if (type !== "TRANSFER" || from !== this.#context.account.masterPub || to !== peer)
      throw new CodedError("BAD_REQUEST", "The payment is not one of this account to the person of the chat");
    const words = noteOf(note);
    return writeChange(this.#context, async (change) => {
      const known = await this.#heldBefore(change, { txId, peer, request });
      if (known !== undefined) return known;
      const keys = await this.#heldKeys(change);
      if (keys.length >= MAX_HELD_PAYMENTS) throw new CodedError("UNAVAILABLE", `${MAX_HELD_PAYMENTS} payments wait for the node already`);
      const asked = request === null ? undefined : await this.#requestThere(change, id, { request, after, unlessDeclined });
      const answered = asked !== undefined && asked.amountUt <= amount ? request : null;
      // A share is named in its group, when a node has the payment; the receipt between the two names no message of another chat.
      const named = answered === null || asked?.isShare === true ? null : (asked?.id ?? null);
      const key = await addOwnMessage(this.#context, change, {
        conversation: id,
        body: {
          kind: "pay.receipt",
          txId,
          amountUt: amount,
          request: named,
          ...words,
        },
        held: { transaction, request: answered, fate: { kind: "unsent" } },
      });
      if (answered !== null) await markRequest(change, answered, { txId, at: (await messageThere(change, key)).at });
      change.batch.putMeta(HELD_PAYMENTS_KEY, [...keys, key]);
      return key;
    });
  }

  /** Payments that a node is to be given, or asked about, in the order in which they were signed. */
  async heldPayments(): Promise<readonly HeldMessage[]> {
    const { store } = this.#context;
    const keys = (await store.readMeta<readonly MessageKey[]>(HELD_PAYMENTS_KEY)) ?? [];
    const records = await Promise.all(keys.map((key) => store.readMessage(key)));
    return records.flatMap((record, index) => {
      const key = keys[index];
      return key === undefined || record?.held === undefined ? [] : [{ ...record.held, key, conversation: record.conversation }];
    });
  }

  /** A node has the payment: its receipt goes to the other person and to one's own devices. */
  async releasePayment(key: MessageKey): Promise<void> {
    await writeChange(this.#context, async (change) => {
      const record = await change.batch.message(key);
      if (record?.held === undefined || record.body.kind !== "pay.receipt") return;
      const { held, ...sent } = record;
      const { id, conversation, body, expiry } = record;
      change.updateMessage(key, sent);
      const task = { kind: "message", key, id, at: Math.floor(record.at), body } as const;
      change.queueFor(conversation, { ...task, ...(expiry && { expiresInS: expiry.seconds }) });
      queueOwnProfile(this.#context, change, conversation);
      if (held.request !== null) await this.#nameShare(change, held.request, body.txId);
      await this.#drop(change, key);
    });
    this.#onQueued();
  }

  /**
   * What became of a payment that is held. One that was refused or is too old is over: its request can be paid again. False where it is not
   * this any more: it was taken back meanwhile, is over, or another own device has paid the request. Then no node is to be given it.
   */
  async setPaymentFate(key: MessageKey, fate: PaymentFate): Promise<boolean> {
    return writeChange(this.#context, async (change) => {
      const record = await change.batch.message(key);
      if (record?.held === undefined || isOver(record.held.fate)) return false;
      const { held } = record;
      const isOvertaken = fate.kind === "handed" && held.fate.kind === "unsent" && (await this.#isOvertaken(change, held));
      const become = isOvertaken ? PAID_ELSEWHERE : fate;
      change.updateMessage(key, { ...record, held: { ...held, fate: become } });
      if (isOver(become)) await this.#giveUp(change, key, held);
      return !isOvertaken;
    });
  }

  /** Removes a payment that no node was given, or that is over. @throws CodedError PAYMENT_UNDER_WAY for any other. */
  async discardPayment(key: MessageKey): Promise<void> {
    await writeChange(this.#context, async (change) => {
      const { held } = await messageThere(change, key);
      if (held === undefined || held.fate.kind === "handed")
        throw new CodedError("PAYMENT_UNDER_WAY", "A node may have this payment already");
      await this.#giveUp(change, key, held);
      await removeMessages(this.#context, change, [key]);
    });
  }

  /** Cancels an own request, or declines one of the other person. */
  async closePayRequest(key: MessageKey): Promise<void> {
    await writeChange(this.#context, (change) =>
      amendOwn(this.#context, change, { key, body: ({ id }, author) => ({ kind: "pay.close", to: { author, id } }) }),
    );
    this.#onQueued();
  }

  /** The receipt of a payment that was stored before, for the same request; also where it was deleted since. */
  async #heldBefore(
    change: Change,
    { txId, peer, request }: { readonly txId: string; readonly peer: ConversationId; readonly request: MessageKey | null },
  ): Promise<MessageKey | undefined> {
    const { store, account } = this.#context;
    const known = await store.readMeta<MessageKey>(await store.paymentName({ txId, peer, direction: "out" }));
    const receipt = known === undefined ? undefined : await change.batch.message(known);
    // One that was refused or is too old has no mark on its request any more, and is not begun again.
    if (request === null || receipt === undefined || receipt.held?.request === request) return known;
    const asked = await change.batch.message(request);
    return asked !== undefined && ownTxIdOf(asked, account.masterPub) === txId ? known : undefined;
  }

  /** Says in the group of a bill that the own share was paid. */
  async #nameShare(change: Change, request: MessageKey, txId: string): Promise<void> {
    if ((await change.batch.message(request))?.body.kind !== "pay.split") return;
    await amendOwn(this.#context, change, { key: request, body: ({ id }, author) => ({ kind: "pay.share", to: { author, id }, txId }) });
  }

  /** The request, or the own share of a bill, that is paid. @throws CodedError PAYMENT_UNDER_WAY where it has an own payment that was not seen. */
  async #requestThere(
    change: Change,
    peer: ConversationId,
    { request, after, unlessDeclined }: Required<Pick<SignedPayment, "after" | "unlessDeclined">> & { readonly request: MessageKey },
  ): Promise<{ readonly id: MessageId; readonly amountUt: AmountUt; readonly isShare: boolean }> {
    const me = this.#context.account.masterPub;
    const record = await messageThere(change, request);
    const { id, body, conversation } = record;
    const share = body.kind === "pay.split" ? body.shares.find(({ person }) => person === me) : undefined;
    const isOwed = record.direction === "in" && authorOf(record, me) === peer;
    const amountUt = body.kind === "pay.request" && conversation === peer ? body.amountUt : share?.amountUt;
    if (!isOwed || amountUt === undefined) throw new CodedError("BAD_REQUEST", "This message asks for no payment");
    if (record.closedBy?.includes(peer)) throw new CodedError("BAD_REQUEST", "This request was cancelled");
    if (unlessDeclined && record.closedBy?.includes(me)) throw new CodedError("BAD_REQUEST", "This request was declined");
    if (ownTxIdOf(record, me) !== after) throw new CodedError("PAYMENT_UNDER_WAY", "This request has a payment already");
    return { id, amountUt, isShare: share !== undefined };
  }

  async #isOvertaken(change: Change, { request, transaction }: HeldPayment): Promise<boolean> {
    const asked = request === null ? undefined : await change.batch.message(request);
    return asked !== undefined && isPaidLater(asked, this.#context.account.masterPub, transaction.id);
  }

  async #giveUp(change: Change, key: MessageKey, held: HeldPayment): Promise<void> {
    await reopenRequest(change, held);
    await this.#drop(change, key);
  }

  async #drop(change: Change, key: MessageKey): Promise<void> {
    change.batch.putMeta(
      HELD_PAYMENTS_KEY,
      (await this.#heldKeys(change)).filter((other) => other !== key),
    );
  }

  /** Those whose message is still here: one that was deleted is sent by no one. */
  async #heldKeys(change: Change): Promise<readonly MessageKey[]> {
    const keys = (await this.#context.store.readMeta<readonly MessageKey[]>(HELD_PAYMENTS_KEY)) ?? [];
    const records = await Promise.all(keys.map((key) => change.batch.message(key)));
    return keys.filter((_, index) => records[index]?.held !== undefined);
  }
}

/** Another own device was faster. */
const PAID_ELSEWHERE: PaymentFate = {
  kind: "refused",
  problem: { code: "PAYMENT_UNDER_WAY", message: "Another own device has paid this request" },
};

/** Of a receipt. @throws CodedError BAD_REQUEST. */
function noteOf(text: string): { readonly note?: string } {
  const note = payNote(text);
  return note === "" ? {} : { note };
}

function isOver({ kind }: PaymentFate): boolean {
  return kind === "refused" || kind === "expired";
}

async function markRequest(change: Change, request: MessageKey, payment: OwnPayment): Promise<void> {
  const marked = withOwnPayment(await messageThere(change, request), payment);
  if (marked !== undefined) change.updateMessage(request, marked);
}
