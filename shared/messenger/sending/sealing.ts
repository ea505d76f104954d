// The envelopes of an attempt: which plaintext goes to which device under which key, sealed with few calls of the keyring.
import type { StreamPosition } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import { MAX_CONTENT_HEADS } from "#shared/protocol/groups/group-bounds.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { newId, type OutboxRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { grouped, type Part } from "./delivery-parts.ts";

/** Requests of one call of the keyring, unless a single entry has more. */
const REQUESTS_PER_CALL = 64;

type SealingContext = Pick<
  EngineContext,
  "account" | "node" | "keyring" | "clock" | "random" | "streams" | "epochs" | "registry" | "newestBlock" | "settings"
>;

/** An entry with what is sent of it. */
export interface Planned {
  readonly assigned: OutboxRecord;
  readonly parts: readonly Part[];
}

/** What is to be sealed of an entry, one recipient a request. */
export interface SealingPlan extends Planned {
  readonly requests: readonly SealRequest[];
  /** Devices that get nothing of it before they show a new short-lived key. */
  readonly held: readonly X25519KeyHex[];
}

/** A plan with its envelopes in the order of its requests, or why there are none. */
export type SealedPlan = SealingPlan &
  ({ readonly envelopes: readonly Envelope[] } | { readonly envelopes?: undefined; readonly error: unknown });

/** What is to be sealed of an entry. */
export function planSealing(context: SealingContext, { assigned, parts }: Planned): SealingPlan {
  const sentAt = Math.floor(context.clock.nowMs() / 1000);
  const held: X25519KeyHex[] = [];
  const requests = parts.flatMap((part) =>
    part.devices.flatMap((device) => {
      const key = context.epochs.keyFor(device, sentAt);
      if (key.kind === "stale") held.push(device);
      const sealed =
        key.kind === "stale" ? heldBack(context, { part, assigned, device }) : { part, position: positionOf(context, assigned, device) };
      if (sealed === undefined) return [];
      const request: SealRequest = {
        plaintext: plaintextOf(context, sealed.part, sealed.position),
        recipients: [device],
        sentAt,
        hidesSender: context.settings().hideSender,
        ...(key.kind === "epoch" ? { epochPub: key.epochPub } : {}),
      };
      return [request];
    }),
  );
  return { assigned, parts, requests, held };
}

/** Seals plans, in their order. One that cannot be sealed keeps no other one from it. */
export async function sealPlans(context: SealingContext, plans: readonly SealingPlan[]): Promise<readonly SealedPlan[]> {
  const sealed: SealedPlan[] = [];
  for (let start = 0; start < plans.length; ) {
    const end = endOfCall(plans, start);
    sealed.push(...(await sealTogether(context, plans.slice(start, end))));
    start = end;
  }
  return sealed;
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
function heldBack(
  { streams }: SealingContext,
  { part, assigned, device }: { readonly part: Part; readonly assigned: OutboxRecord; readonly device: X25519KeyHex },
): { readonly part: Part; readonly position: undefined } | undefined {
  if (part.body.kind === "resend" || part.body.kind === "resend.gone") return { part, position: undefined };
  const position = assigned.places?.[device];
  if (assigned.task.kind === "again" || position === undefined) return undefined;
  const { stream } = streams.sending;
  return {
    part: { to: part.to, devices: [device], body: { kind: "knock", stream, upTo: position }, identity: undefined },
    position: undefined,
  };
}

function positionOf(
  { streams }: SealingContext,
  { task, places: sequenceNumbers }: OutboxRecord,
  device: X25519KeyHex,
): StreamPosition | undefined {
  const position = task.kind === "again" ? task.position : sequenceNumbers?.[device];
  return position === undefined ? undefined : { stream: streams.sending.stream, position };
}

function plaintextOf(
  { account, node, clock, random, epochs, registry, newestBlock }: SealingContext,
  part: Part,
  position: StreamPosition | undefined,
): Uint8Array {
  const { id, at, expiresInS } = part.identity ?? {};
  const block = registry.isContact(part.to) ? newestBlock.known : undefined;
  const heads = part.group && registry.get(groupConversation(part.group.id)).group?.log?.heads.slice(0, MAX_CONTENT_HEADS);
  return encodeContent({
    id: id ?? newId(random),
    at: at ?? clock.nowMs(),
    from: account.masterPub,
    fromDevice: account.devicePub,
    to: part.to,
    chainId: node.chainId,
    ...(expiresInS === undefined ? {} : { expiresInS }),
    ...grouped(part),
    ...(heads === undefined ? {} : { heads }),
    ...(position === undefined ? {} : { place: position }),
    ...(epochs.own === null ? {} : { card: epochs.own }),
    ...(block === undefined ? {} : { block }),
    body: part.body,
  });
}
