// An envelope on its way to its keepers: two receipts hand it over, three let its sender forget it, and who is silent is stood in for.
import { describe, expect, it } from "vitest";
import {
  type Delivery,
  type DeliveryBudget,
  type DeliveryEffect,
  type DeliveryInput,
  startDelivery,
  stepDelivery,
} from "#node/relay/keepers/delivery/delivery.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";

const RANKS = ["k1", "k2", "k3", "s4", "s5", "s6"];

/** A delivery with a clock of its own. */
class Sending {
  nowMs = 1_000_000;
  delivery: Delivery;
  nextAtMs = 0;
  readonly liars = new Set<string>();
  readonly usedUp = new Set<DeliveryBudget>();
  isHeldBack = false;
  /** What its last step counts in. */
  budgets: readonly (DeliveryBudget | null)[] = [];

  constructor(bytes = 900, ranks = RANKS, wasSent = false) {
    this.delivery = startDelivery({ id: "e", bytes, ranks, keeping: 3, wasSent }, this.nowMs);
  }

  step(input?: DeliveryInput): readonly string[] {
    const { delivery, effects, nextAtMs, isHeldBack } = stepDelivery(this.delivery, input, {
      nowMs: this.nowMs,
      limits: KEEPER_LIMITS,
      counts: (keeper) => !this.liars.has(keeper),
      hasBudget: (budget) => !this.usedUp.has(budget),
    });
    this.delivery = delivery;
    this.nextAtMs = nextAtMs;
    this.isHeldBack = isHeldBack;
    this.budgets = effects.flatMap((effect) => (effect.is === "put" ? [effect.budget] : []));
    return effects.map(shown);
  }

  /** Nothing happens until its next time. */
  wait(): readonly string[] {
    this.nowMs = this.nextAtMs;
    return this.step();
  }

  receipt(from: string): readonly string[] {
    return this.step({ is: "receipt", from });
  }
}

function shown(effect: DeliveryEffect): string {
  if (effect.is === "put") return effect.passOn.length > 0 ? `${effect.to} → ${effect.passOn.join(", ")}` : effect.to;
  return effect.is === "forget" ? (effect.isDelivered ? "forget" : "give up") : effect.is;
}

describe("a delivery", () => {
  it("asks the three keepers, is handed over at two receipts and forgotten at three", () => {
    const sending = new Sending();
    expect(sending.step()).toEqual(["k1", "k2", "k3"]);
    expect(sending.receipt("k2")).toEqual([]);
    expect(sending.receipt("k2")).toEqual([]);
    expect(sending.receipt("k1")).toEqual(["handedOver"]);
    expect(sending.receipt("k3")).toEqual(["forget"]);
  });

  it("gives large mail to one keeper, which passes it on, and to each when that one is silent", () => {
    const sending = new Sending(20_000);
    expect(sending.step()).toEqual(["k1 → k2, k3"]);
    expect([sending.nextAtMs - sending.nowMs, sending.wait()]).toEqual([2_000, ["s4", "s5", "s6"]]);
    expect(sending.wait()).toEqual(["k1", "k2", "k3"]);
    const quick = new Sending(20_000);
    quick.step();
    expect([quick.receipt("k1"), quick.receipt("k2"), quick.receipt("k3")]).toEqual([[], ["handedOver"], ["forget"]]);
  });

  it("asks the next rank after two seconds, or at once where one refuses", () => {
    const silent = new Sending();
    silent.step();
    silent.receipt("k1");
    silent.receipt("k3");
    expect([silent.nextAtMs - silent.nowMs, silent.wait(), silent.receipt("s4")]).toEqual([2_000, ["s4"], ["forget"]]);
    const refusing = new Sending();
    refusing.step();
    expect(refusing.step({ is: "failure", from: "k2" })).toEqual(["s4"]);
    expect(refusing.step({ is: "failure", from: "s4" })).toEqual(["s5"]);
  });

  it("asks again and again, ever more rarely, and gives up after seven days", () => {
    const sending = new Sending();
    const startMs = sending.nowMs;
    const asked = [...sending.step()];
    for (let last: readonly string[] = []; last.at(-1) !== "give up"; asked.push(...last)) last = sending.wait();
    expect(sending.nowMs - startMs).toBe(KEEPER_LIMITS.keptMs);
    expect(new Set(asked.slice(0, -1))).toEqual(new Set(RANKS));
    expect(asked.length).toBeLessThan(6 * (KEEPER_LIMITS.keptMs / KEEPER_LIMITS.lastRetryMs + 12));
  });

  it("asks those who refuse far more rarely, and counts what it sends them", () => {
    const sending = new Sending();
    const startMs = sending.nowMs;
    const asked = [...sending.step()];
    const refuse = (some: readonly string[]): void => {
      for (const from of some.filter((each) => each !== "give up")) {
        const next = sending.step({ is: "refusal", from });
        asked.push(...next);
        refuse(next);
      }
    };
    refuse([...asked]);
    expect([asked, sending.nextAtMs - sending.nowMs]).toEqual([RANKS, KEEPER_LIMITS.firstRefusedMs]);
    for (let last: readonly string[] = []; last.at(-1) !== "give up"; refuse(last)) {
      last = sending.wait();
      asked.push(...last);
    }
    expect(sending.nowMs - startMs).toBe(KEEPER_LIMITS.keptMs);
    expect(asked.length).toBeLessThan(6 * (KEEPER_LIMITS.keptMs / KEEPER_LIMITS.lastRefusedMs + 12));
  });

  it("sends nothing once more while the budget for that is used up, and does so a moment after there is some", () => {
    const sending = new Sending();
    sending.usedUp.add("refused").add("silent");
    expect([sending.step(), sending.wait()]).toEqual([
      ["k1", "k2", "k3"],
      ["s4", "s5", "s6"],
    ]);
    expect([sending.wait(), sending.wait(), sending.nextAtMs - sending.nowMs]).toEqual([[], [], KEEPER_LIMITS.budgetMs]);
    sending.usedUp.delete("silent");
    expect(sending.wait()).toEqual(["k1", "k2", "k3"]);
    // Two refusals, and stand-ins count as well.
    const refused = new Sending();
    refused.usedUp.add("refused");
    refused.step();
    expect([refused.step({ is: "refusal", from: "k1" }), refused.step({ is: "refusal", from: "k2" })]).toEqual([["s4"], []]);
    // Not yet: answers are on their way.
    expect([refused.isHeldBack, refused.receipt("k3"), refused.isHeldBack]).toEqual([false, [], false]);
    expect([refused.receipt("s4"), refused.isHeldBack]).toEqual([["handedOver"], true]);
    refused.usedUp.clear();
    expect(refused.wait()).toEqual(["s5"]);
  });

  it("is given to others at once where one keeper refuses what they take, whatever the budgets are", () => {
    const sending = new Sending(20_000);
    sending.usedUp.add("refused").add("silent");
    sending.step();
    expect(sending.step({ is: "refusal", from: "k1" })).toEqual(["s4"]);
    sending.nowMs += KEEPER_LIMITS.answerMs;
    expect([sending.step(), sending.receipt("s4"), sending.receipt("s5"), sending.receipt("s6")]).toEqual([
      ["s5", "s6"],
      [],
      ["handedOver"],
      ["forget"],
    ]);
  });

  it("counts each time in a budget when it was sent before, to keepers that are not remembered", () => {
    for (const bytes of [900, 20_000]) {
      const sending = new Sending(bytes, RANKS, true);
      sending.usedUp.add("silent");
      expect([sending.step(), sending.isHeldBack, sending.nextAtMs - sending.nowMs]).toEqual([[], true, KEEPER_LIMITS.budgetMs]);
      sending.usedUp.clear();
      expect(sending.wait()).toEqual(bytes === 900 ? ["k1", "k2", "k3"] : ["k1 → k2, k3"]);
      expect(sending.budgets).toEqual(bytes === 900 ? ["silent", "silent", "silent"] : ["silent"]);
    }
  });

  it("counts no receipt of a stranger, or of one that dropped what it had confirmed", () => {
    const sending = new Sending();
    sending.liars.add("k1");
    expect(sending.step()).toEqual(["k2", "k3", "s4", "k1"]);
    expect([sending.receipt("x"), sending.receipt("k1"), sending.receipt("k2")]).toEqual([[], [], []]);
    expect([sending.receipt("s4"), sending.receipt("k3")]).toEqual([["handedOver"], ["forget"]]);
  });

  it("follows another directory: only receipts of its ranks count", () => {
    const sending = new Sending();
    sending.step();
    sending.receipt("k1");
    sending.receipt("k2");
    expect(sending.step({ is: "ranks", ranks: ["n1", "k2", "k3", "s4"], keeping: 3 })).toEqual(["n1"]);
    expect(sending.receipt("n1")).toEqual([]);
    expect(sending.receipt("k3")).toEqual(["forget"]);
  });

  it("is handed over once, with two true receipts, whatever keepers do", () => {
    const handedOver = Array.from({ length: 200 }, (_, seed) => chanceRun(seed));
    expect(handedOver.filter((times) => times === 1).length).toBeGreaterThan(100);
    expect(Math.max(...handedOver)).toBe(1);
  });
});

/** Receipts that an effect needs. */
function receiptsFor(effect: string): number {
  return { handedOver: 2, forget: 3 }[effect] ?? 0;
}

function anyInput(random: Random): DeliveryInput & { readonly from: string } {
  const from = random.chance(0.1) ? "stranger" : (RANKS[random.between(0, 5)] ?? "");
  return { is: random.chance(0.4) ? "receipt" : "failure", from };
}

/** A delivery of a seed: how often it was handed over. What it asks for and reports is held to the receipts that it had. */
function chanceRun(seed: number): number {
  const random = createRandom(seed);
  const sending = new Sending(random.chance(0.3) ? 20_000 : 900);
  for (const keeper of RANKS) if (random.chance(0.2)) sending.liars.add(keeper);
  const confirmed = new Set<string>();
  const seen: string[] = [];
  for (let round = 0; round < 40 && !seen.includes("forget"); round += 1) {
    sending.nowMs += random.between(0, 3_000);
    const input = anyInput(random);
    const { from } = input;
    const isTrue = input.is === "receipt" && RANKS.includes(from) && !sending.liars.has(from);
    if (isTrue) confirmed.add(from);
    const effects = isTrue || random.chance(0.8) ? sending.step(input) : sending.wait();
    expect(confirmed.size).toBeGreaterThanOrEqual(Math.max(...effects.map(receiptsFor), 0));
    expect(effects.filter((effect) => confirmed.has(effect))).toEqual([]);
    seen.push(...effects);
  }
  return seen.filter((effect) => effect === "handedOver").length;
}
