// The envelopes of an attempt: which plaintext goes to which device under which key, sealed with few calls of the keyring.
import type { InstanceCard, StreamPosition } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import type { SealedEnvelope, SealRequest } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { ownerName } from "#shared/protocol/pairs/card-id.ts";
import { MAX_PUBLIC_CONTENT_BYTES } from "#shared/protocol/pairs/pair-wire.ts";
import type { PublicCard } from "#shared/protocol/pairs/public-card.ts";
import { newId, type OutboxRecord } from "../model/records.ts";
import type { WantedCard } from "../node/their-public-cards.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { AssignedEntry } from "./assign-entries.ts";
import type { Part } from "./delivery-parts.ts";
import { fieldsOf, type PublicCardsOfOwners, pairRequest, publicRequest, type UnboundContent } from "./pair-request.ts";

/** Requests of one call of the keyring, unless a single entry has more: while some are sealed, those before leave. */
const REQUESTS_PER_CALL = 32;

type SealingContext = Pick<
  EngineContext,
  "account" | "node" | "keyring" | "clock" | "random" | "streams" | "epochs" | "registry" | "newestBlock"
>;

/** An entry with what is sent of it. */
export interface Planned {
  readonly entry: AssignedEntry;
  readonly parts: readonly Part[];
}

/** What is to be sealed of an entry, one recipient a request. */
export interface SealingPlan extends Planned {
  readonly requests: readonly SealRequest[];
  /** Devices that get nothing of it before they show a new short-lived key. */
  readonly held: readonly X25519KeyHex[];
  /** Ids of the own cards that are shown, by device. */
  readonly shownCards: ReadonlyMap<X25519KeyHex, string>;
}

/** A plan with its envelopes in the order of its requests, or why there are none. */
export type SealedPlan = SealingPlan &
  ({ readonly envelopes: readonly SealedEnvelope[] } | { readonly envelopes?: undefined; readonly error: unknown });

/** What is to be sealed of an entry. */
export function planSealing(context: SealingContext, { entry, parts }: Planned, cards: PublicCardsOfOwners): SealingPlan {
  const held: X25519KeyHex[] = [];
  const shownCards = new Map<X25519KeyHex, string>();
  const requests = parts.flatMap((part) =>
    part.devices.flatMap((device) => {
      const leaving = entry.leaving.get(device);
      if (entry.waiting.includes(device)) held.push(device);
      if (entry.waiting.includes(device) || entry.settled.includes(device)) return [];
      if (leaving === undefined)
        return requestOfVersion1(context, { part, entry, device, card: cards.get(ownerName({ person: part.to, device })) }, held);
      const { request, cardId } = pairRequest(context, part, device, leaving);
      if (cardId !== undefined) shownCards.set(device, cardId);
      return [request];
    }),
  );
  for (const [device, { card }] of entry.introductions) shownCards.set(device, card.id);
  return { entry, parts, requests, held, shownCards };
}

/** Devices that get something in version 1: a public card of theirs is better than their short-lived key, and than the lasting one. */
export function inVersion1({ entry, parts }: Planned): readonly WantedCard[] {
  const isOfVersion1 = (device: X25519KeyHex): boolean =>
    !entry.leaving.has(device) && !entry.waiting.includes(device) && !entry.settled.includes(device);
  // Who asks for something again may have lost the secret of the card that it came under.
  const isFresh = entry.record.task.kind === "again";
  return parts.flatMap(({ to, devices }) => devices.filter(isOfVersion1).map((device) => ({ person: to, device, isFresh })));
}

interface DevicePart {
  readonly part: Part;
  readonly entry: AssignedEntry;
  readonly device: X25519KeyHex;
  readonly card: PublicCard | undefined;
}

/** What a device gets in version 1; those that get nothing of it yet are added to `held`. */
function requestOfVersion1(context: SealingContext, devicePart: DevicePart, held: X25519KeyHex[]): readonly SealRequest[] {
  const { part, entry, device, card } = devicePart;
  const whole = { part, position: positionOf(context, entry.record, device), shown: entry.introductions.get(device) };
  const underCard = card && publicRequest(context, { device, card, to: part.to }, fieldsOfVersion1(context, whole));
  if (underCard !== undefined && underCard.plaintext.length <= MAX_PUBLIC_CONTENT_BYTES) return [underCard];
  const sentAt = Math.floor(context.clock.nowMs() / 1000);
  const key = context.epochs.keyFor(device, sentAt);
  if (key.kind === "stale") held.push(device);
  const sealed = key.kind === "stale" ? heldBack(context, devicePart) : whole;
  if (sealed === undefined) return [];
  const request: SealRequest = {
    plaintext: plaintextOf(context, sealed),
    recipients: [device],
    sentAt,
    hidesSender: true,
    ...(key.kind === "epoch" ? { epochPub: key.epochPub } : {}),
  };
  return [request];
}

/** Seals plans, in their order, each as soon as its call is done. One that cannot be sealed keeps no other one from it. */
export async function* sealPlans(context: SealingContext, plans: readonly SealingPlan[]): AsyncGenerator<SealedPlan, void> {
  for (let start = 0; start < plans.length; ) {
    const end = endOfCall(plans, start);
    yield* await sealTogether(context, plans.slice(start, end));
    start = end;
  }
}

/** Behind the last plan whose requests go with those of the first one. */
function endOfCall(plans: readonly SealingPlan[], start: number): number {
  let end = start + 1;
  for (let count = plans[start]?.requests.length ?? 0; end < plans.length; end += 1) {
    count += plans[end]?.requests.length ?? 0;
    if (count > REQUESTS_PER_CALL) break;
  }
  return end;
}

async function sealTogether(context: SealingContext, plans: readonly SealingPlan[]): Promise<readonly SealedPlan[]> {
  const requests = plans.flatMap((plan) => plan.requests);
  try {
    const envelopes = requests.length === 0 ? [] : await context.keyring.seal({ requests });
    let from = 0;
    return plans.map((plan) => {
      const to = from + plan.requests.length;
      const own = { ...plan, envelopes: envelopes.slice(from, to) };
      from = to;
      return own;
    });
  } catch (error) {
    if (plans.length === 1) return plans.map((plan) => ({ ...plan, error }));
    // One of them is to blame: the others are sealed without it.
    return (await Promise.all(plans.map((plan) => sealTogether(context, [plan])))).flat();
  }
}

/**
 * What a device gets whose short-lived key may be destroyed. Its lasting key is for nothing that a person wrote: it is prompted that
 * something waits, and by asking for that it shows a new key.
 */
function heldBack({ streams }: SealingContext, { part, entry, device }: DevicePart): PlainPart | undefined {
  const { task, places } = entry.record;
  const shown = entry.introductions.get(device);
  if (part.body.kind === "resend" || part.body.kind === "resend.gone") return { part, position: undefined, shown };
  const position = places?.[device];
  if (task.kind === "again" || position === undefined) return undefined;
  const { stream } = streams.sending;
  const prompt = { to: part.to, devices: [device], body: { kind: "knock", stream, upTo: position }, identity: undefined } as const;
  return { part: prompt, position: undefined, shown };
}

function positionOf(
  { streams }: SealingContext,
  { task, places: sequenceNumbers }: OutboxRecord,
  device: X25519KeyHex,
): StreamPosition | undefined {
  const position = task.kind === "again" ? task.position : sequenceNumbers?.[device];
  return position === undefined ? undefined : { stream: streams.sending.stream, position };
}

interface PlainPart {
  readonly part: Part;
  readonly position: StreamPosition | undefined;
  /** A card of the pair with the recipient's device. */
  readonly shown: InstanceCard | undefined;
}

function plaintextOf(context: SealingContext, plain: PlainPart): Uint8Array {
  const { account, node } = context;
  const bound = { from: account.masterPub, fromDevice: account.devicePub, to: plain.part.to, chainId: node.chainId };
  return encodeContent({ ...bound, ...fieldsOfVersion1(context, plain) });
}

function fieldsOfVersion1(context: SealingContext, { part, position, shown }: PlainPart): UnboundContent {
  const { random, epochs } = context;
  return {
    id: part.identity?.id ?? newId(random),
    ...fieldsOf(context, part),
    ...(position === undefined ? {} : { place: position }),
    ...(epochs.own === null ? {} : { card: epochs.own }),
    ...(shown === undefined ? {} : { pairCard: shown }),
  };
}
