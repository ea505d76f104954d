// Copies of a scheduled message that the own node sends where no program of the person runs at its time. They are sealed as the message would
// be if it left now, but without a position: the message itself follows by the ordinary way once a program runs, under the same id, so who has
// a copy already knows it, and who could not open one misses nothing. A copy changes no chain and acknowledges nothing.
import type { SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { bodyWithoutQuote, outlives } from "../../changes/chats/answers.ts";
import type { LeavingContent } from "../../changes/pairs/leave-contents.ts";
import { groupOf } from "../../model/conversation-id.ts";
import type { ScheduledMessage } from "../../model/message.ts";
import { MAX_HELD_BYTES, MAX_HELD_ENVELOPES } from "../../model/node-port.ts";
import { authorOf, type MessageContent, type OutboxRecord, type SendTask } from "../../model/records.ts";
import { isBound } from "../../pairs/pair-record.ts";
import { leave } from "../../pairs/send-content.ts";
import type { AssignedEntry } from "../../sending/assign-entries.ts";
import { replyTo } from "../../sending/compose-message.ts";
import { type Part, partsOf } from "../../sending/delivery-parts.ts";
import { planSealing, type SealingPlan, sealPlans } from "../../sending/sealing.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { peopleOf } from "../../state/recipients.ts";

/** A node sends copies so long after the time of the message: a program that runs is faster, and its message needs no second way, seconds. */
export const HELD_AFTER_S = 10;

/** Copies that can be sealed now. */
export interface PlannedCopies {
  /** Says for whom, under which keys, and of which words they are: others of the same mark bring nothing new. */
  readonly mark: string;
  /** Some are for devices that have shown no card. */
  readonly isOpenToTheft: boolean;
  /** Undefined where there are none, or more than a node holds. @throws CodedError of the keyring */
  seal(): Promise<readonly SealedEnvelope[] | undefined>;
}

/** What a scheduled message says, as of now: an answer to something that is gone is a message. */
export async function bodyOf(
  { account, store, registry }: Pick<EngineContext, "account" | "store" | "registry">,
  message: ScheduledMessage,
): Promise<MessageContent> {
  const { text, mentions, preview } = message;
  const said = { text, ...(mentions && { mentions }), ...(preview && { preview }) };
  const answered = message.replyTo === undefined ? undefined : await store.readMessage(message.replyTo);
  if (answered === undefined || answered.conversation !== message.conversation || answered.body.kind === "deleted")
    return { kind: "text", ...said };
  const body = replyTo(answered, authorOf(answered, account.masterPub), said);
  const { timer } = registry.get(message.conversation);
  return outlives(timer?.seconds ?? 0, answered) ? bodyWithoutQuote(body) : body;
}

/** Copies of a message for everyone whom it would reach now. @throws CodedError of the look-up of devices */
export async function planCopies(context: EngineContext, message: ScheduledMessage): Promise<PlannedCopies> {
  const { account, registry, store } = context;
  const { id, conversation, dueAt } = message;
  const record = registry.get(conversation);
  const groupId = groupOf(conversation);
  const group = groupId === undefined || record.group === undefined ? undefined : { id: groupId, keeper: record.group.keeper };
  const body = await bodyOf(context, message);
  const key = await store.messageKey(account.masterPub, id);
  const seconds = record.timer?.seconds ?? 0;
  const task = { kind: "message", key, id, at: dueAt, body, ...(seconds > 0 && { expiresInS: seconds }), ...(group && { group }) } as const;
  const plans: SealingPlan[] = [];
  for (const peer of peopleOf(record, account.masterPub)) plans.push(...(await planFor(context, peer, task)));
  const requests = plans.flatMap((plan) => plan.requests);
  const keys = requests.map(({ recipients, epochPub, pair }) => [recipients[0], epochPub, pair?.card.id]);
  return {
    mark: JSON.stringify([dueAt, seconds, body, keys]),
    isOpenToTheft: requests.some(({ pair }) => pair === undefined),
    seal: async () => (requests.length > MAX_HELD_ENVELOPES ? undefined : sealed(context, plans)),
  };
}

type MessageTask = Extract<SendTask, { readonly kind: "message" }>;

async function planFor(context: EngineContext, peer: PublicKeyHex, task: MessageTask): Promise<readonly SealingPlan[]> {
  const record: OutboxRecord = { seq: 0, peer, task, queuedAt: 0, done: [], isRelayed: false, isFailed: false };
  const keysOf = (person: PublicKeyHex): ReturnType<EngineContext["directory"]["get"]> => context.directory.get(person);
  const parts = (await partsOf({ ...context, keysOf }, record)) ?? [];
  if (parts.length === 0) return [];
  // What is said of blocks would be old by then.
  const sealing = { ...context, newestBlock: { known: undefined } as EngineContext["newestBlock"] };
  // A public card opens for days only, and copies wait for weeks.
  const plan = planSealing(sealing, { entry: entryOf(context, record, parts), parts }, new Map());
  const sentAt = Math.ceil(task.at / 1000);
  return [{ ...plan, requests: plan.requests.map((request) => ({ ...request, sentAt })) }];
}

/** As if it left now, without positions and without what a chain says of itself and of others. */
function entryOf({ pairs, days }: EngineContext, record: OutboxRecord, parts: readonly Part[]): AssignedEntry {
  const leaving = new Map<X25519KeyHex, LeavingContent>();
  const waiting: X25519KeyHex[] = [];
  for (const { to, devices, identity } of parts)
    for (const device of devices) {
      const pair = pairs.get(device);
      if (pair === undefined || pair.peer !== to || !isBound(pair)) continue;
      const step = leave(pair.state, undefined, { now: days.now(), isStranger: true });
      if (step === undefined || identity === undefined) waiting.push(device);
      else {
        const { id: cardId, kem, x, psk } = step.sealTo;
        const { stream, after } = step.frame;
        leaving.set(device, {
          id: identity.id,
          position: undefined,
          sealTo: { id: cardId, kem, x, psk },
          isPublic: false,
          frame: { stream, ...(after !== undefined && { after }) },
          shown: undefined,
        });
      }
    }
  return { record, leaving, introductions: new Map(), settled: [], waiting, isCovered: false };
}

async function sealed(context: EngineContext, plans: readonly SealingPlan[]): Promise<readonly SealedEnvelope[] | undefined> {
  const envelopes: SealedEnvelope[] = [];
  for await (const plan of sealPlans(context, plans)) {
    if (plan.envelopes === undefined) throw plan.error;
    envelopes.push(...plan.envelopes);
  }
  const isFitting = JSON.stringify(envelopes).length <= MAX_HELD_BYTES;
  return envelopes.length > 0 && isFitting ? envelopes : undefined;
}
