// The step of a pair for an envelope, in the change that stores what the envelope means: what is acknowledged is on disk.
import type { InstanceCard, MessageId, ResendBody } from "#shared/content/content.ts";
import { isCertified } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { cardNumber } from "#shared/protocol/pairs/card-id.ts";
import { cardDigest, isGenuineCard, type ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../../model/conversation-id.ts";
import { advanceState, withReached } from "../../model/progress/outgoing-state.ts";
import { isBound, isPastOldForm, type PairRecord, withProof } from "../../pairs/pair-record.ts";
import { hasCome } from "../../pairs/received-chain.ts";
import { askForPositions } from "../../pairs/sent-chain.ts";
import { type OpenedContent, type StepContext, takeContent, takeOlderVersion, takeUnopened } from "../../pairs/take-content.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";
import { addLossLine } from "./loss-line.ts";
import { isUnacknowledged, type PairContext, pairWith } from "./pair-context.ts";
import type { IntroducedEvent, OlderEvent, OpenedEvent, PairEvent } from "./pair-event.ts";
import { renewPair, waitForLacking } from "./renew-pair.ts";

type IncomingBody = OpenedEvent["content"]["body"];

type ApplyContext = PairContext & Pick<EngineContext, "streams">;

/** Takes what an envelope means for its pair. */
export async function applyPair(context: ApplyContext, change: Change, event: PairEvent): Promise<void> {
  if (event.kind === "introduced") return applyIntroduction(context, change, event);
  const record = recordFor(context, change, event);
  if (record === undefined) return;
  if (event.kind === "older") return applyOlder(context, change, event);
  if (event.kind === "opened") return applyOpened(context, change, record, event);
  const { state, isSetBack } = takeUnopened(record.state, event.cardId, stepContext(context, change, record.peer));
  change.putPair({ ...record, state });
  if (isSetBack) await renewPair(context, change, { device: record.device, heardMs: heardAtMs(record) });
}

/**
 * The pair that an envelope is of. Under a public card the first content of a device may come, as where its pair made room for others. Such a
 * card is known to everyone: strangers begin no pair so, and write into none that their introduction began, whose size they would choose.
 */
function recordFor(context: ApplyContext, change: Change, event: Exclude<PairEvent, IntroducedEvent>): PairRecord | undefined {
  if (event.kind !== "opened" || event.cardId !== null) return change.pair(event.device);
  if (context.registry.isBlocked(event.from)) return change.pair(event.device);
  return isUnacknowledged(context, change, event.from) ? undefined : pairWith(context, change, event.from, event.device);
}

/** A device that has shown a card wrote version 1. */
function applyOlder(context: ApplyContext, change: Change, { from, device }: Pick<OlderEvent, "from" | "device">): void {
  const record = change.pair(device);
  const state = record && takeOlderVersion(record.state, stepContext(context, change, from));
  if (record?.peer === from && state !== undefined && state !== record.state) change.putPair({ ...record, state });
}

/** A device shows a card where it could not be sealed to yet. */
async function applyIntroduction(
  context: ApplyContext,
  change: Change,
  { from, device, id, at, shown, prekey, isAlong }: IntroducedEvent,
): Promise<void> {
  const { chainId } = context.node;
  const known = pairWith(context, change, from, device);
  if (known === undefined) return;
  const isVouched = prekey !== undefined && isCertified(chainId, from, { devicePub: device, ...prekey });
  const record = known.signingPub === null && isVouched ? { ...known, signingPub: prekey.signingPub } : known;
  const card = newCard(context, record, shown);
  if (card === "ungenuine") return;
  const isNews = card !== undefined;
  const content = { cardId: "", id, at, stream: { instance: shown.instance, last: 0, base: 0 }, card };
  await take(context, change, record, content);
  // Words in an old form are not taken, so no receipt answers them under the card.
  if (isAlong && (!isNews || isPastOldForm(record, from, context.days.day))) applyOlder(context, change, { from, device });
}

async function applyOpened(
  context: ApplyContext,
  change: Change,
  record: PairRecord,
  { cardId, content, cameIn }: OpenedEvent,
): Promise<void> {
  const { id, at, stream, place, ack, lost, body, box } = content;
  const gone = goneOf(content);
  const isMissing = ({ position }: { readonly position: number }): boolean => {
    const { chain } = record.state.theirs ?? {};
    return chain?.instance !== stream.instance || !hasCome(chain, position);
  };
  const missing = body.kind === "resend.gone" ? gone.filter(isMissing) : [];
  const shown = content.card && newCard(context, record, { instance: stream.instance, card: content.card });
  await take(
    context,
    change,
    {
      ...record,
      // Everyone knows a public card: it does not say that the device knows one of this pair.
      ...(cardId !== null && { isProven: true }),
      ...(isOfPerson(body) && { atHandAt: context.days.now() }),
      ...abilitiesOf(content),
    },
    {
      cardId: cardId ?? "",
      id,
      wordsOf: wordsOf(body),
      isKept: body.kind === "text" || body.kind === "reply" || body.kind === "sync.sent",
      isDeletion: saidIn(body).kind === "delete",
      at,
      stream,
      place,
      ack,
      lost,
      gone,
      box,
      cameIn,
      card: shown === "ungenuine" ? undefined : shown,
    },
  );
  if (continuesOther(record, content)) context.devices.noteCopied(record.peer, record.device);
  if (body.kind === "resend") askedFor(change, record.device, body);
  context.pairs.gaps.noteGiven(record.device, stream);
  // Of a blocked person nothing is shown, and who is not known could fill a chat with lines.
  if (missing.length === 0 || isUnacknowledged(context, change, record.peer)) return;
  const lossId = `${stream.instance}:${missing.map(({ position }) => position).join()}`;
  await addLossLine(context, change, { peer: record.peer, device: record.device, id: lossId, count: missing.length });
}

/** What the other device says that it understands. */
function abilitiesOf({ files, boxes, form, logs }: OpenedEvent["content"]): Partial<PairRecord> {
  return {
    // Who says what files it takes and names no form opens none under public cards, whatever a later program at that device said.
    ...(files !== undefined && { takesFiles: files, opensForm: 0 }),
    ...(boxes !== undefined && { readsBoxes: boxes }),
    ...(form !== undefined && { opensForm: form }),
    ...(logs !== undefined && { readsLogs: logs }),
  };
}

/** The other device continues another instance under which it has written: it was set back or copied. */
function continuesOther({ state: { theirs } }: PairRecord, { after, stream }: Pick<OpenedEvent["content"], "after" | "stream">): boolean {
  if (after === undefined || after === stream.instance || theirs === null) return false;
  return [theirs.chain.instance, theirs.former?.chain.instance, ...theirs.past].includes(after);
}

/** Kinds that programs send by themselves. */
const BY_PROGRAMS: ReadonlySet<string> = new Set(["mark", "knock", "resend", "resend.gone", "attachment.chunk", "profile"]);

/** True for what shows that a person has the device at hand: they wrote, read or changed something there. */
function isOfPerson(body: IncomingBody): boolean {
  const { kind } = body;
  if (body.kind === "receipt") return body.status === "read";
  return !BY_PROGRAMS.has(kind) && !kind.startsWith("file.") && !kind.startsWith("group.");
}

/** The message whose words an edit has. */
function wordsOf(body: OpenedEvent["content"]["body"]): MessageId | undefined {
  const said = saidIn(body);
  return said.kind === "edit" ? said.id : undefined;
}

/** What a content says itself, or repeats of another own device. */
function saidIn(body: IncomingBody): IncomingBody | Extract<IncomingBody, { readonly kind: "sync.sent" }>["body"] {
  return body.kind === "sync.sent" ? body.body : body;
}

/** The other device lacks positions of the own chain. */
function askedFor(change: Change, device: X25519KeyHex, { stream, positions }: ResendBody): void {
  const record = change.pair(device);
  if (record === undefined || record.state.instance !== stream) return;
  change.putPair({ ...record, state: { ...record.state, sent: askForPositions(record.state.sent, positions) } });
}

/** Positions of the author's chain that are gone for good, with the ids of what was there. */
function goneOf({ body, stream }: OpenedEvent["content"]): readonly { readonly position: number; readonly id: MessageId }[] {
  if (body.kind !== "resend.gone" || body.stream !== stream.instance || body.ids === undefined) return [];
  const { ids } = body;
  return body.positions.flatMap((position, at) => {
    const id = ids[at];
    return id === undefined || position > stream.last ? [] : [{ position, id }];
  });
}

async function take(context: ApplyContext, change: Change, record: PairRecord, content: OpenedContent): Promise<void> {
  const { peer, device } = record;
  const wasBound = isBound(change.pair(device) ?? record);
  const taken = takeContent(record.state, content, stepContext(context, change, peer));
  const reached = { ...record, state: taken.state };
  const after = content.cardId === "" ? reached : withProof(reached, content.stream.instance, context.days.day, hasAllOf(record, content));
  change.putPair(after);
  if (!wasBound && isBound(after)) endVersion1(context, change, after);
  await noteDelivered(context, change, peer, taken.acked);
  if (taken.lacking.length > 0) await waitForLacking(context, change, device, taken.lacking);
  if (taken.state.isCopied && !record.state.isCopied) context.devices.noteCopied(peer, device);
  if (taken.isSetBack) await renewPair(context, change, { device, heardMs: heardAtMs(record) });
}

/** True where a content acknowledges as much of the own chain as was acknowledged before, and something: who was set back has less. */
function hasAllOf({ state: { instance, sent } }: PairRecord, { ack }: OpenedContent): boolean {
  return ack?.instance === instance && ack.upTo > 0 && ack.upTo >= sent.ackedUpTo;
}

function heardAtMs({ state }: PairRecord): number | null {
  return state.theirs?.heardAt.ownMs ?? null;
}

/** From now on nothing leaves in version 1, by which a loss at the end of that chain would be noticed: its end is said once more. */
function endVersion1({ streams }: ApplyContext, change: Change, { peer, device }: PairRecord): void {
  const { stream, last } = streams.sending;
  const upTo = last[device] ?? 0;
  if (upTo > 0) change.queue(peer, { kind: "prompt", device, stream, upTo });
}

/** A card that is shown, where it says something new; undefined where it does not. */
function newCard(
  { node }: PairContext,
  { state, device, signingPub }: PairRecord,
  { instance, card }: InstanceCard,
): ShownCard | "ungenuine" | undefined {
  const { theirs } = state;
  const known = [theirs, theirs?.former].find((side) => side?.chain.instance === instance)?.card ?? null;
  const number = cardNumber(instance, card.id);
  if (number === undefined || signingPub === null) return "ungenuine";
  const isKnown = known !== null && (number < known.number || (number === known.number && cardDigest(known) === cardDigest(card)));
  if (isKnown) return undefined;
  return isGenuineCard({ chainId: node.chainId, devicePub: device, instance }, card, signingPub) ? card : "ungenuine";
}

/** The other device has these contents: messages among them are delivered. */
async function noteDelivered(
  { account, store, clock }: PairContext,
  change: Change,
  peer: PublicKeyHex,
  ids: readonly MessageId[],
): Promise<void> {
  if (peer === account.masterPub) return;
  for (const id of ids) {
    const key = await store.messageKey(account.masterPub, id);
    const message = await change.batch.message(key);
    if (message === undefined || (message.conversation !== peer && groupOf(message.conversation) === undefined)) continue;
    const advanced = advanceState(message, peer, "delivered");
    if (advanced !== undefined) change.updateMessage(key, withReached(advanced, "delivered", clock.nowMs()));
  }
}

function stepContext(context: PairContext, change: Change, peer: PublicKeyHex): StepContext {
  const spread = (context.random(1)[0] ?? 0) / 256;
  return { now: context.days.now(), day: context.days.day, isStranger: isUnacknowledged(context, change, peer), spread };
}
