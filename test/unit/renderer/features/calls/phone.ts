// A device of a person with the machine of its calls, on a clock that the test moves.
import {
  type CallEffect,
  type CallEvent,
  type CallMachine,
  type CallPhase,
  IDLE,
  step,
} from "#renderer/features/calls/model/call-machine.ts";
import type { CallSignal } from "#shared/messenger/receiving/call-signal.ts";

export const ANN = "aa".repeat(32);
export const BOB = "bb".repeat(32);
/** When every clock begins, milliseconds since 1970. */
export const START = 1_800_000_000_000;

type EventOf<E> = E extends CallEvent ? Omit<E, "nowMs"> : never;

/** A device, with all that its machine asked for. */
export class Phone {
  machine: CallMachine = IDLE;
  nowMs = START;
  readonly effects: CallEffect[] = [];
  readonly me: string;
  readonly leg: string;

  constructor(me: string, leg: string) {
    this.me = me;
    this.leg = leg.repeat(8);
  }

  get phase(): CallPhase | undefined {
    return this.machine.live?.phase;
  }

  do(event: EventOf<CallEvent>): readonly CallEffect[] {
    const { machine, effects } = step(this.machine, { ...event, nowMs: this.nowMs } as CallEvent);
    this.machine = machine;
    this.effects.push(...effects);
    return effects;
  }

  hear(signal: Partial<CallSignal> & Pick<CallSignal, "body">, mayRing = true): readonly CallEffect[] {
    const { body } = signal;
    const call = body.kind === "call.offer" ? { author: BOB, id: "05" } : body.to;
    return this.do({ type: "signal", signal: { call, peer: BOB, isOwn: false, at: this.nowMs, ...signal }, mayRing, leg: this.leg });
  }

  pass(ms: number): void {
    this.nowMs += ms;
    this.do({ type: "tick" });
  }
}
