// One call at a time, as one device of one person sees it: a pure machine. What it cannot do itself it asks for as effects. Signals may come
// twice, late and in any order; whatever comes, a call ends by a timeout at the latest.
import { type CallCause, type CallEnd, type CallMedia, RING_MS } from "#shared/content/chat/call-content.ts";
import type { MessageReference } from "#shared/content/content.ts";
import type { CallSignal } from "#shared/messenger/receiving/call-signal.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** How long two devices look for a path to each other. */
export const CONNECT_MS = 30_000;
/** How long preparing may take: a person is asked for the microphone. */
export const PREPARE_MS = 60_000;
/** How long it is shown that a call is over. */
export const OVER_MS = 6_000;
/** Calls that are remembered, so that nothing that comes late rings. */
export const MAX_PAST = 64;

/** Why microphone, camera or the relay that is to be used are not there, or a call could not be sent. */
export type CallProblem = "denied" | "missing" | "failed" | "noRelay";

/** Why a call was not answered by the other side, though it was accepted there. */
export type TheirProblem = "theirRelay" | "theirMedia" | "theirFailure";

/** How a call ended, as it is shown. */
export type OverReason =
  | TheirProblem
  | "ended"
  | "missed"
  | "noAnswer"
  | "declined"
  | "busy"
  | "noPath"
  | "lost"
  | "elsewhere"
  | CallProblem;

/**
 * `preparing`: microphone and description are got for an own call; `calling`: it is out; `ringing`: someone calls; `answering`: as preparing,
 * for an answer; `connecting`: both descriptions are known; `talking`; `over`: shown for a moment.
 */
export type CallPhase = "preparing" | "calling" | "ringing" | "answering" | "connecting" | "talking" | "over";

export interface LiveCall {
  readonly phase: CallPhase;
  readonly call: MessageReference;
  readonly peer: PublicKeyHex;
  readonly isIncoming: boolean;
  readonly media: CallMedia;
  /** Begins with the own camera. */
  readonly withVideo: boolean;
  /** How to reach the one who calls; "" for an own call. */
  readonly offer: string;
  /** Names the answer that counts; "" before there is one. */
  readonly leg: string;
  /** Since when it is in this phase, milliseconds. */
  readonly sinceMs: number;
  /** Since when the two can speak. */
  readonly talkingSinceMs: number | null;
  readonly over: OverReason | null;
}

export interface CallMachine {
  readonly live: LiveCall | null;
  /** Ids of calls that are over or not to ring, the latest {@link MAX_PAST}. */
  readonly past: readonly string[];
  /** Ids of calls that this device made, the latest {@link MAX_PAST}. */
  readonly made: readonly string[];
  /** Names of answers to these that were taken or told that they came too late, the latest {@link MAX_PAST}: each is told once. */
  readonly legs: readonly string[];
}

export const IDLE: CallMachine = { live: null, past: [], made: [], legs: [] };

export type CallEvent = { readonly nowMs: number } & (
  | { readonly type: "call"; readonly call: MessageReference; readonly peer: PublicKeyHex; readonly media: CallMedia }
  /** The own offer or answer is stored and on its way. */
  | { readonly type: "sent"; readonly call: MessageReference }
  | { readonly type: "accept"; readonly leg: string; readonly withVideo: boolean }
  | { readonly type: "hangUp" }
  /** `leg`: names an own answer, should one be given at once. */
  | { readonly type: "signal"; readonly signal: CallSignal; readonly mayRing: boolean; readonly leg: string }
  | { readonly type: "connected"; readonly call: MessageReference }
  /** There is no path, or none any more. */
  | { readonly type: "disconnected"; readonly call: MessageReference }
  | { readonly type: "problem"; readonly call: MessageReference; readonly problem: CallProblem }
  | { readonly type: "dismiss" }
  | { readonly type: "tick" }
);

export type CallEffect =
  | { readonly type: "prepareOffer"; readonly live: LiveCall }
  | { readonly type: "prepareAnswer"; readonly live: LiveCall }
  | { readonly type: "takeAnswer"; readonly sdp: string; readonly call: MessageReference }
  | {
      readonly type: "end";
      readonly call: MessageReference;
      readonly reason: CallEnd;
      readonly seconds: number;
      readonly leg?: string;
      readonly cause?: CallCause;
    }
  /** Microphone, camera and connection are let go of. */
  | { readonly type: "close" };

export interface CallStep {
  readonly machine: CallMachine;
  readonly effects: readonly CallEffect[];
}

const CLOSE: CallEffect = { type: "close" };

/** The machine after an event. */
export function step(machine: CallMachine, event: CallEvent): CallStep {
  const { live } = machine;
  switch (event.type) {
    case "call":
      return begin(machine, event);
    case "signal":
      return received(machine, event);
    case "accept":
      return live?.phase === "ringing" ? answering(machine, live, event) : same(machine);
    case "hangUp":
      return live === null || live.phase === "over" ? same(machine) : hungUp(machine, live, event.nowMs);
    case "dismiss":
      return live?.phase === "over" ? { machine: { ...machine, live: null }, effects: [] } : same(machine);
    case "tick":
      return live === null ? same(machine) : ticked(machine, live, event.nowMs);
    default:
      return isAbout(live, event.call) ? reported(machine, live, event) : same(machine);
  }
}

/** What microphone, messenger and connection of the live call report. */
function reported(
  machine: CallMachine,
  live: LiveCall,
  event: Extract<CallEvent, { readonly type: "sent" | "connected" | "disconnected" | "problem" }>,
): CallStep {
  const { nowMs } = event;
  switch (event.type) {
    case "sent":
      if (live.phase === "preparing") return moved(machine, { ...live, phase: "calling", sinceMs: nowMs });
      return live.phase === "answering" ? moved(machine, { ...live, phase: "connecting", sinceMs: nowMs }) : same(machine);
    case "connected":
      if (live.phase !== "connecting") return same(machine);
      return moved(machine, { ...live, phase: "talking", sinceMs: nowMs, talkingSinceMs: nowMs });
    case "disconnected":
      if (live.phase === "connecting") return ended(machine, live, { over: "noPath", reason: "no-path", nowMs });
      return live.phase === "talking" ? ended(machine, live, { over: "lost", reason: "ended", nowMs }) : same(machine);
    case "problem":
      return failed(machine, live, event);
  }
}

/** How long the two have spoken, seconds. */
export function spokenSeconds({ talkingSinceMs }: LiveCall, nowMs: number): number {
  return talkingSinceMs === null ? 0 : Math.max(0, Math.round((nowMs - talkingSinceMs) / 1000));
}

function begin(machine: CallMachine, event: Extract<CallEvent, { readonly type: "call" }>): CallStep {
  const { live } = machine;
  if (live !== null && live.phase !== "over") return same(machine);
  const { call, peer, media, nowMs } = event;
  const next: LiveCall = {
    phase: "preparing",
    call,
    peer,
    isIncoming: false,
    media,
    withVideo: media === "video",
    offer: "",
    leg: "",
    sinceMs: nowMs,
    talkingSinceMs: null,
    over: null,
  };
  return { machine: { ...machine, live: next, made: withId(machine.made, call.id) }, effects: [{ type: "prepareOffer", live: next }] };
}

type Signal = Extract<CallEvent, { readonly type: "signal" }>;

function received(machine: CallMachine, event: Signal): CallStep {
  const { body, isOwn } = event.signal;
  if (body.kind === "call.offer") return isOwn ? same(machine) : offered(machine, event, body);
  if (body.kind === "call.answer") return isOwn ? answeredElsewhere(machine, event) : answered(machine, event, body);
  return isOwn ? endedElsewhere(machine, event) : endedByPeer(machine, event, body);
}

type BodyOf<Kind extends CallSignal["body"]["kind"]> = Extract<CallSignal["body"], { readonly kind: Kind }>;

/** Someone calls. */
function offered(machine: CallMachine, event: Signal, { media, sdp }: BodyOf<"call.offer">): CallStep {
  const { signal, nowMs, mayRing } = event;
  const { call, peer } = signal;
  const { live } = machine;
  if (machine.past.includes(call.id) || live?.call.id === call.id) return same(machine);
  const known = { ...machine, past: withId(machine.past, call.id) };
  if (sdp === "" || !mayRing || Math.abs(nowMs - signal.at) > RING_MS) return same(known);
  const ringing: LiveCall = {
    phase: "ringing",
    call,
    peer,
    isIncoming: true,
    media,
    withVideo: false,
    offer: sdp,
    leg: "",
    sinceMs: nowMs,
    talkingSinceMs: null,
    over: null,
  };
  if (live === null || live.phase === "over") return moved(known, ringing);
  if (live.peer !== peer) return { machine: known, effects: [{ type: "end", call, reason: "busy", seconds: 0 }] };
  if (!live.isIncoming && (live.phase === "preparing" || live.phase === "calling")) return crossed(known, live, { ringing, event });
  // They call again: what there was with them is over for them.
  const left = ended(known, live, { over: "ended", reason: "ended", nowMs });
  return { machine: { ...left.machine, live: ringing }, effects: live.phase === "ringing" ? [] : left.effects };
}

/** Both call each other: the call with the smaller id is the one, on both sides. An own one that is not known to be out makes room. */
function crossed(
  machine: CallMachine,
  live: LiveCall,
  { ringing, event }: { readonly ringing: LiveCall; readonly event: Signal },
): CallStep {
  if (live.phase === "calling" && live.call.id < ringing.call.id) return same(machine);
  const withdrawn: CallEffect = { type: "end", call: live.call, reason: "crossed", seconds: 0 };
  const { machine: next, effects } = answering({ ...machine, past: withId(machine.past, live.call.id) }, ringing, {
    leg: event.leg,
    withVideo: live.withVideo,
    nowMs: event.nowMs,
  });
  return { machine: next, effects: [withdrawn, CLOSE, ...effects] };
}

function answering(
  machine: CallMachine,
  live: LiveCall,
  { leg, withVideo, nowMs }: { readonly leg: string; readonly withVideo: boolean; readonly nowMs: number },
): CallStep {
  const next: LiveCall = { ...live, phase: "answering", leg, withVideo, sinceMs: nowMs };
  return { machine: { ...machine, live: next }, effects: [{ type: "prepareAnswer", live: next }] };
}

/** A device of the person who was called answers: the first one counts, the others are told so. */
function answered(machine: CallMachine, { signal, nowMs }: Signal, { leg, sdp }: BodyOf<"call.answer">): CallStep {
  const { call, peer } = signal;
  const { live } = machine;
  if (call.author === peer || sdp === "" || !machine.made.includes(call.id)) return same(machine);
  const name = `${call.id} ${leg}`;
  // Who lays the same into the mailbox again makes nothing more leave.
  if (machine.legs.includes(name)) return same(machine);
  const known = { ...machine, legs: withId(machine.legs, name) };
  if (isAbout(live, call) && live.peer === peer && live.phase === "calling")
    return {
      machine: { ...known, live: { ...live, phase: "connecting", leg, sinceMs: nowMs } },
      effects: [{ type: "takeAnswer", sdp, call }],
    };
  return { machine: known, effects: [{ type: "end", call, reason: "elsewhere", seconds: 0, leg }] };
}

/** Another own device has answered. Where this one has as well, the one who calls decides. */
function answeredElsewhere(machine: CallMachine, { signal: { call }, nowMs }: Signal): CallStep {
  const { live } = machine;
  const known = { ...machine, past: withId(machine.past, call.id) };
  if (!isAbout(live, call) || live.phase !== "ringing") return same(known);
  return moved(known, over(live, "elsewhere", nowMs));
}

/** Another own device has declined, or ended what it began. */
function endedElsewhere(machine: CallMachine, { signal: { call } }: Signal): CallStep {
  const { live } = machine;
  const known = { ...machine, past: withId(machine.past, call.id) };
  return isAbout(live, call) && live.phase === "ringing" ? { machine: { ...known, live: null }, effects: [] } : same(known);
}

function endedByPeer(machine: CallMachine, { signal: { call, peer }, nowMs }: Signal, body: BodyOf<"call.end">): CallStep {
  const { live } = machine;
  const known = { ...machine, past: call.author === peer && body.leg === undefined ? withId(machine.past, call.id) : machine.past };
  if (!isAbout(live, call) || live.peer !== peer || live.phase === "over") return same(known);
  const isOfLeg = body.leg === undefined ? live.isIncoming || live.leg === "" : body.leg === live.leg;
  if (!isOfLeg) return same(known);
  if (live.phase === "ringing")
    return body.reason === "crossed" ? { machine: { ...known, live: null }, effects: [] } : moved(known, over(live, "missed", nowMs));
  return { machine: { ...known, live: over(live, shownEnd(body), nowMs) }, effects: [CLOSE] };
}

const THEIRS: Readonly<Record<string, TheirProblem>> = { "relay-only": "theirRelay", media: "theirMedia", failed: "theirFailure" };

function shownEnd({ reason, cause = "" }: BodyOf<"call.end">): OverReason {
  if (reason === "no-path") return "noPath";
  if (reason === "declined" && Object.hasOwn(THEIRS, cause)) return THEIRS[cause] ?? "declined";
  return reason === "declined" || reason === "busy" || reason === "elsewhere" ? reason : "ended";
}

function hungUp(machine: CallMachine, live: LiveCall, nowMs: number): CallStep {
  if (live.phase === "preparing") return { machine: { ...machine, live: null }, effects: [withdrawal(live), CLOSE] };
  const reason = live.phase === "calling" ? "cancelled" : live.phase === "ringing" || live.phase === "answering" ? "declined" : "ended";
  return ended(machine, live, { over: "ended", reason, nowMs });
}

const CAUSES: Readonly<Record<CallProblem, CallCause>> = { denied: "media", missing: "media", noRelay: "relay-only", failed: "failed" };

function failed(
  machine: CallMachine,
  live: LiveCall,
  { problem, nowMs }: { readonly problem: CallProblem; readonly nowMs: number },
): CallStep {
  if (live.phase === "preparing") return { machine: { ...machine, live: over(live, problem, nowMs) }, effects: [withdrawal(live), CLOSE] };
  if (live.phase === "answering") return ended(machine, live, { over: problem, reason: "declined", cause: CAUSES[problem], nowMs });
  if (live.phase === "connecting") return ended(machine, live, { over: problem, reason: "no-path", cause: "failed", nowMs });
  return same(machine);
}

function ticked(machine: CallMachine, live: LiveCall, nowMs: number): CallStep {
  const heldMs = nowMs - live.sinceMs;
  switch (live.phase) {
    case "preparing":
    case "answering":
      return heldMs < PREPARE_MS ? same(machine) : failed(machine, live, { problem: "failed", nowMs });
    case "calling":
      return heldMs < RING_MS ? same(machine) : ended(machine, live, { over: "noAnswer", reason: "cancelled", nowMs });
    case "ringing":
      return heldMs < RING_MS ? same(machine) : moved(machine, over(live, "missed", nowMs));
    case "connecting":
      return heldMs < CONNECT_MS ? same(machine) : ended(machine, live, { over: "noPath", reason: "no-path", nowMs });
    case "talking":
      return same(machine);
    case "over":
      return heldMs < OVER_MS ? same(machine) : { machine: { ...machine, live: null }, effects: [] };
  }
}

/** The offer may be on its way just now: it is taken back where it is, and nothing is said of a call that never left. */
function withdrawal({ call }: LiveCall): CallEffect {
  return { type: "end", call, reason: "cancelled", seconds: 0 };
}

/** The call is over and the other side is told. What answers a call names its answer; declining is of the whole call. */
function ended(
  machine: CallMachine,
  live: LiveCall,
  {
    over: shown,
    reason,
    cause,
    nowMs,
  }: { readonly over: OverReason; readonly reason: CallEnd; readonly cause?: CallCause; readonly nowMs: number },
): CallStep {
  const hasLeg = live.isIncoming && live.leg !== "" && reason !== "declined";
  const end: CallEffect = {
    type: "end",
    call: live.call,
    reason,
    seconds: spokenSeconds(live, nowMs),
    ...(hasLeg && { leg: live.leg }),
    ...(cause && { cause }),
  };
  return { machine: { ...machine, live: over(live, shown, nowMs), past: withId(machine.past, live.call.id) }, effects: [end, CLOSE] };
}

function over(live: LiveCall, reason: OverReason, nowMs: number): LiveCall {
  return { ...live, phase: "over", over: reason, sinceMs: nowMs, offer: "" };
}

function isAbout(live: LiveCall | null, { author, id }: MessageReference): live is LiveCall {
  return live !== null && live.call.id === id && live.call.author === author;
}

function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id].slice(-MAX_PAST);
}

function moved(machine: CallMachine, live: LiveCall): CallStep {
  return { machine: { ...machine, live }, effects: [] };
}

function same(machine: CallMachine): CallStep {
  return { machine, effects: [] };
}
