// Runs the machine of calls: carries out its effects over the messenger and WebRTC, and shows its state to the views.
import { create } from "zustand";
import { type CallCause, type CallMedia, LEG_BYTES } from "#shared/content/chat/call-content.ts";
import type { MessageReference } from "#shared/content/content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { ID_BYTES } from "#shared/messenger/model/records.ts";
import type { CallSignal } from "#shared/messenger/receiving/call-signal.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { hostRandom } from "#shared/util/host.ts";
import { type CallPath, NoRelayError, PeerSession } from "../media/peer-session.ts";
import { type CallEffect, type CallEvent, type CallMachine, type CallProblem, IDLE, type LiveCall, step } from "./call-machine.ts";

/** What views show of a call. */
export interface CallView {
  readonly live: LiveCall | null;
  readonly ownVideo: MediaStream | null;
  readonly remote: MediaStream | null;
  readonly hasRemoteVideo: boolean;
  readonly isMuted: boolean;
  readonly isCameraOn: boolean;
  /** The path is interrupted at the moment. */
  readonly isShaky: boolean;
  /** How it gets to the other side, or got there last; null before. */
  readonly path: CallPath | null;
  /** One of the two had a relay. */
  readonly hasRelay: boolean;
}

const NOTHING: CallView = {
  live: null,
  ownVideo: null,
  remote: null,
  hasRemoteVideo: false,
  isMuted: false,
  isCameraOn: false,
  isShaky: false,
  path: null,
  hasRelay: false,
};

export const useCall = create<CallView>()(() => NOTHING);

/** How often it is looked whether something takes too long. */
const TICK_MS = 500;

type EventOf<E> = E extends CallEvent ? Omit<E, "nowMs"> : never;

export interface RunnerContext {
  readonly messenger: Pick<Messenger, "offerCall" | "answerCall" | "endCall" | "subscribeCalls">;
  /** Master key of the person at this desk. */
  readonly me: PublicKeyHex;
  /** Whether contacts may ring. */
  readonly mayRing: () => boolean;
  /** Relays for the next call. */
  readonly servers: () => Promise<RTCIceServer[]>;
  /** Calls go through a relay, or not at all. */
  readonly isRelayOnly: () => boolean;
}

/** The calls of one messenger. */
export class CallRunner {
  readonly #context: RunnerContext;
  readonly #stopListening: () => void;
  #machine: CallMachine = IDLE;
  #session: { readonly id: string; readonly peer: PeerSession } | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** What is said about calls is said in order. */
  #said: Promise<unknown> = Promise.resolve();

  constructor(context: RunnerContext) {
    this.#context = context;
    this.#stopListening = context.messenger.subscribeCalls((signal) => this.#receive(signal));
  }

  call(peer: PublicKeyHex, media: CallMedia): void {
    const id = toHex(hostRandom(ID_BYTES));
    this.#dispatch({ type: "call", call: { author: this.#context.me, id }, peer, media });
  }

  accept(withVideo: boolean): void {
    this.#dispatch({ type: "accept", leg: newLeg(), withVideo });
  }

  hangUp(): void {
    this.#dispatch({ type: "hangUp" });
  }

  dismiss(): void {
    this.#dispatch({ type: "dismiss" });
  }

  setMuted(isMuted: boolean): void {
    this.#session?.peer.setMuted(isMuted);
    useCall.setState({ isMuted });
  }

  /** @throws DOMException of the browser, when there is no camera or it may not be used */
  async setCamera(isOn: boolean): Promise<void> {
    const session = this.#session;
    await session?.peer.setCamera(isOn);
    if (session !== undefined && session === this.#session) this.#showOwn(session.peer);
  }

  /** Ends everything: the other side is told as far as the messenger still runs. */
  stop(): void {
    this.#stopListening();
    this.hangUp();
    this.#close();
    clearInterval(this.#timer);
    useCall.setState(NOTHING);
  }

  #receive(signal: CallSignal): void {
    this.#dispatch({ type: "signal", signal, mayRing: this.#context.mayRing(), leg: newLeg() });
  }

  #dispatch(event: EventOf<CallEvent>): void {
    const { machine, effects } = step(this.#machine, { ...event, nowMs: Date.now() } as CallEvent);
    this.#machine = machine;
    useCall.setState({ live: machine.live });
    for (const effect of effects) this.#carryOut(effect);
    if (machine.live === null) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setInterval(() => this.#dispatch({ type: "tick" }), TICK_MS);
  }

  #carryOut(effect: CallEffect): void {
    switch (effect.type) {
      case "prepareOffer":
        void this.#prepare(effect.live, async (session) => {
          const { call, peer, media } = effect.live;
          const sdp = await session.offer();
          return (): Promise<unknown> => this.#context.messenger.offerCall(peer, { id: call.id, media, sdp });
        });
        return;
      case "prepareAnswer":
        void this.#prepare(effect.live, async (session) => {
          const { call, leg, offer } = effect.live;
          const sdp = await session.answer(offer);
          return (): Promise<unknown> => this.#context.messenger.answerCall(call, { leg, sdp });
        });
        return;
      case "takeAnswer":
        this.#session?.peer.takeAnswer(effect.sdp).catch(() => this.#fail(effect.call, "failed"));
        return;
      case "end": {
        const { type: _type, call, ...end } = effect;
        const cause = end.cause ?? (end.reason === "no-path" ? this.#causeOfNoPath() : undefined);
        void this.#say(() => this.#context.messenger.endCall(call, { ...end, ...(cause && { cause }) })).catch(() => undefined);
        return;
      }
      case "close":
        this.#close();
    }
  }

  /** Gets microphone and description and sends it, unless the call is another one meanwhile. */
  async #prepare({ call, withVideo }: LiveCall, describe: (session: PeerSession) => Promise<() => Promise<unknown>>): Promise<void> {
    const isStillWanted = (): boolean => {
      const { live } = this.#machine;
      return live?.call.id === call.id && (live.phase === "preparing" || live.phase === "answering");
    };
    try {
      const options = { withVideo, servers: this.#context.servers(), isRelayOnly: this.#context.isRelayOnly() };
      const session = await PeerSession.open(options, {
        onConnected: () => this.#dispatch({ type: "connected", call }),
        onDisconnected: () => this.#dispatch({ type: "disconnected", call }),
        onShaky: (isShaky) => useCall.setState({ isShaky }),
        onRemoteVideo: (hasRemoteVideo) => useCall.setState({ hasRemoteVideo }),
        onPath: (path) => useCall.setState({ path }),
      });
      if (!isStillWanted()) return session.close();
      this.#close();
      this.#session = { id: call.id, peer: session };
      this.#showOwn(session);
      const send = await describe(session);
      if (!isStillWanted()) return;
      await this.#say(send);
      this.#dispatch({ type: "sent", call });
    } catch (error) {
      this.#fail(call, problemOf(error));
    }
  }

  #causeOfNoPath(): CallCause {
    return this.#session?.peer.hasRelay === true ? "unreached-relay" : "no-relay";
  }

  #showOwn(session: PeerSession): void {
    useCall.setState({ ownVideo: session.ownVideo, isCameraOn: session.ownVideo !== null, remote: session.remote });
  }

  #fail(call: MessageReference, problem: CallProblem): void {
    this.#dispatch({ type: "problem", call, problem });
  }

  #say(task: () => Promise<unknown>): Promise<unknown> {
    const saying = this.#said.then(task);
    this.#said = saying.catch(() => undefined);
    return saying;
  }

  #close(): void {
    const hasRelay = this.#session?.peer.hasRelay ?? false;
    this.#session?.peer.close();
    this.#session = undefined;
    // How it went is said beside how it ended.
    const { live, path } = useCall.getState();
    useCall.setState({ ...NOTHING, live, ...(live?.phase === "over" && { path, hasRelay }) });
  }
}

function newLeg(): string {
  return toHex(hostRandom(LEG_BYTES));
}

function problemOf(error: unknown): CallProblem {
  if (error instanceof NoRelayError) return "noRelay";
  if (!(error instanceof DOMException)) return "failed";
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "denied";
  return error.name === "NotFoundError" || error.name === "OverconstrainedError" ? "missing" : "failed";
}
