// Two people with two devices each, on lines that delay, double and reorder what the devices say: whatever happens, all end idle.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CallEffect, CONNECT_MS, MAX_PAST, OVER_MS, PREPARE_MS } from "#renderer/features/calls/model/call-machine.ts";
import { type CallBody, RING_MS } from "#shared/content/chat/call-content.ts";
import type { CallSignal } from "#shared/messenger/receiving/call-signal.ts";
import { ANN, BOB, Phone } from "./phone.ts";

interface Action {
  readonly phone: number;
  readonly what: keyof typeof ACTIONS;
  readonly pick: number;
}

interface Underway {
  readonly to: Phone;
  readonly signal: CallSignal;
}

/** Four devices, and what is on its way between them. */
class Lines {
  readonly phones = [new Phone(ANN, "1"), new Phone(ANN, "2"), new Phone(BOB, "3"), new Phone(BOB, "4")];
  readonly #underway: Underway[] = [];
  #calls = 0;

  call(phone: Phone, pick: number): void {
    this.#calls += 1;
    const call = { author: phone.me, id: `${(pick * 7) % 10}${this.#calls}` };
    this.do(phone, { type: "call", call, peer: other(phone), media: "audio" });
  }

  /** Its offer or answer is out. */
  ready(phone: Phone): void {
    const { live } = phone.machine;
    if (live?.phase === "preparing") this.#say(phone, live.call, { kind: "call.offer", media: live.media, sdp: "offer" });
    else if (live?.phase === "answering") this.#say(phone, live.call, { kind: "call.answer", to: live.call, leg: live.leg, sdp: "answer" });
    if (live !== null) this.do(phone, { type: "sent", call: live.call });
  }

  report(phone: Phone, type: "connected" | "disconnected"): void {
    const { live } = phone.machine;
    if (live !== null) this.do(phone, { type, call: live.call });
  }

  /** Something that is on its way arrives, and once more if it `stays`. */
  deliver(pick: number, stays: boolean): boolean {
    const at = pick % Math.max(1, this.#underway.length);
    const next = this.#underway[at];
    if (next === undefined) return false;
    if (!stays) this.#underway.splice(at, 1);
    const { to, signal } = next;
    this.do(to, { type: "signal", signal, mayRing: true, leg: to.leg });
    return true;
  }

  pass(ms: number): void {
    for (const phone of this.phones) {
      phone.nowMs += ms;
      this.do(phone, { type: "tick" });
    }
  }

  do(phone: Phone, event: Parameters<Phone["do"]>[0]): void {
    for (const effect of phone.do(event)) if (effect.type === "end") this.#end(phone, effect);
  }

  #end(phone: Phone, { type: _type, call, ...rest }: Extract<CallEffect, { readonly type: "end" }>): void {
    this.#say(phone, call, { kind: "call.end", to: call, ...rest });
  }

  #say(from: Phone, call: CallSignal["call"], body: CallBody): void {
    for (const to of this.phones.filter((phone) => phone !== from))
      this.#underway.push({ to, signal: { call, peer: other(to), isOwn: to.me === from.me, at: from.nowMs, body } });
  }
}

const ACTIONS = {
  call: (lines: Lines, phone: Phone, pick: number) => lines.call(phone, pick),
  accept: (lines: Lines, phone: Phone) => lines.do(phone, { type: "accept", leg: phone.leg, withVideo: false }),
  hangUp: (lines: Lines, phone: Phone) => lines.do(phone, { type: "hangUp" }),
  ready: (lines: Lines, phone: Phone) => lines.ready(phone),
  connected: (lines: Lines, phone: Phone) => lines.report(phone, "connected"),
  disconnected: (lines: Lines, phone: Phone) => lines.report(phone, "disconnected"),
  deliver: (lines: Lines, _: Phone, pick: number) => lines.deliver(pick, false),
  again: (lines: Lines, _: Phone, pick: number) => lines.deliver(pick, true),
  wait: (lines: Lines, _: Phone, pick: number) => lines.pass(pick * 20),
} as const satisfies Readonly<Record<string, (lines: Lines, phone: Phone, pick: number) => unknown>>;

const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.record({
    phone: fc.nat(3),
    what: fc.oneof(
      { weight: 2, arbitrary: fc.constant("deliver" as const) },
      fc.constantFrom(...(Object.keys(ACTIONS) as Action["what"][])),
    ),
    pick: fc.nat(1_000),
  }),
  { maxLength: 60 },
);

it("ends idle on all devices, which remember no more than they may", () => {
  fc.assert(
    fc.property(actions, (all) => {
      const lines = new Lines();
      for (const { phone, what, pick } of all) ACTIONS[what](lines, lines.phones[phone] as Phone, pick);
      // Whoever speaks hangs up; then everything that is under way arrives, and time passes.
      for (const phone of lines.phones) if (phone.phase === "talking") lines.do(phone, { type: "hangUp" });
      while (lines.deliver(0, false));
      for (const ms of [PREPARE_MS, RING_MS, CONNECT_MS, OVER_MS]) lines.pass(ms);
      for (const { machine, effects } of lines.phones) {
        expect(machine.live).toBeNull();
        expect(Math.max(machine.past.length, machine.made.length, machine.legs.length)).toBeLessThanOrEqual(MAX_PAST);
        expect(opened(effects)).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 300 },
  );
});

function other(phone: Phone): string {
  return phone.me === ANN ? BOB : ANN;
}

/** Most sessions that were open at a time, by what was asked for: one, as each is closed before the next. */
function opened(effects: readonly CallEffect[]): number {
  let now = 0;
  let most = 0;
  for (const { type } of effects) {
    if (type === "close") now = 0;
    if (type === "prepareOffer" || type === "prepareAnswer") now += 1;
    most = Math.max(most, now);
  }
  return most;
}
