// What the devices of a call say to each other, as it reaches the part of the program that runs calls. Nothing of it is stored but what
// remains in the chat.
import { type CallBody, withoutSdp } from "#shared/content/chat/call-content.ts";
import type { IncomingContent, KnownBody, MessageReference, UnknownBody } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Something about a call, from a device that the chain lists. */
export interface CallSignal {
  /** The call: author and id of its offer. */
  readonly call: MessageReference;
  /** The other person of the call. */
  readonly peer: PublicKeyHex;
  /** Another device of the person at this desk said it. */
  readonly isOwn: boolean;
  /** When it was said, by the clock of who said it, milliseconds since 1970. */
  readonly at: number;
  readonly body: CallBody;
}

/** Hears of calls. */
export type CallListener = (signal: CallSignal) => void;

/** Signals that are held until someone hears of calls: that part of a program is loaded late. */
const MAX_EARLY = 64;

/** Passes signals on, those that came before the first listener too. */
export class CallSignals {
  readonly #listeners = new Set<CallListener>();
  #early: CallSignal[] | undefined = [];

  readonly subscribe = (listener: CallListener): (() => void) => {
    this.#listeners.add(listener);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const signal of early) listener(signal);
    return (): void => void this.#listeners.delete(listener);
  };

  readonly pass = (signal: CallSignal): void => {
    if (this.#early !== undefined) this.#early = [...this.#early, signal].slice(-MAX_EARLY);
    for (const listener of [...this.#listeners]) listener(signal);
  };
}

/** What a content between two says about a call; undefined for every other. */
export function callSignalOf({ id, from, to, at, group, body }: IncomingContent, isOwn: boolean): CallSignal | undefined {
  if (group !== undefined) return undefined;
  const sent = body.kind === "sync.sent" ? { ...body, isCopy: true } : { peer: isOwn ? to : from, id, at, body, isCopy: false };
  if (sent.isCopy !== isOwn || !isCallBody(sent.body)) return undefined;
  const call = sent.body.kind === "call.offer" ? { author: from, id: sent.id } : sent.body.to;
  // Between two no one else can have called.
  const isTheirs = call.author === to || call.author === sent.peer;
  return isTheirs ? { call, peer: sent.peer, isOwn, at: sent.at, body: sent.body } : undefined;
}

/** The content as it is stored: how to reach a device is no part of it. */
export function withoutReach(content: IncomingContent): IncomingContent {
  const { body } = content;
  return { ...content, body: body.kind === "sync.sent" ? { ...body, body: withoutSdp(body.body) } : withoutSdp(body) };
}

function isCallBody(body: KnownBody | UnknownBody): body is CallBody {
  return body.kind === "call.offer" || body.kind === "call.answer" || body.kind === "call.end";
}
