import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { summarizeIntent } from "#shared/keyring/intents/intent-transaction.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import { countSpend, withRules } from "#shared/keyring/intents/spending/change-spending.ts";
import { HOUR_MS, judgeSpend, type Spend, spendOf, spendOfVoucher } from "#shared/keyring/intents/spending/judge-spending.ts";
import {
  canonicalRules,
  isLooser,
  LOOSENING_MS,
  MAX_ALLOWED_KEYS,
  NO_RULES,
  type SpendingRules,
  strictestRules,
} from "#shared/keyring/intents/spending/spending-rules.ts";
import {
  firstState,
  MAX_COUNTED_CHANNELS,
  MAX_COUNTED_IDS,
  MAX_PAID_KEYS,
  MAX_SPENT_HOURS,
  MAX_WAITING,
  MAX_WAITING_BYTES,
  MAX_WAITING_KEY,
  MAX_WAITING_NOTE_BYTES,
  type SpendingState,
  spendingCodec,
} from "#shared/keyring/intents/spending/spending-state.ts";
import { passedMs, type SpendingTime, timeAfter, timeLookedAt } from "#shared/keyring/intents/spending/spending-time.ts";
import { MAX_FORMER_KEYS } from "#shared/keyring/vault/vault-format.ts";
import { BOB, CONTRACT, EVE, keyOf, T } from "#test/support/worlds/app-world.ts";

const OWN = keyOf(9);
const signer = { masterPub: OWN, devicePub: "09".padEnd(64, "0") };
const CHANNEL = "ab".repeat(16);
const DELAY = { delayMs: 600_000, aboveUt: 5 * T, firstTime: true };
const rules = (changes: Partial<SpendingRules>): SpendingRules => canonicalRules({ ...NO_RULES, ...changes });
const state = (changes: Partial<SpendingRules>): SpendingState => ({ ...firstState(0), rules: rules(changes) });
const spend = (intent: Intent, of = state({})): Spend => spendOf(intent, summarizeIntent(intent, signer), of);
const pay = (to: string, amountUt: number): Intent => ({ kind: "pay", to, amountUt });
const call = (amountUt: number): Intent => ({
  kind: "callContract",
  contractId: CONTRACT,
  method: "m",
  argsJson: "",
  amountUt,
  gasLimit: 1_000,
});

describe("which rules are looser", () => {
  it.each<[string, Partial<SpendingRules>, Partial<SpendingRules>, boolean]>([
    ["a first limit", {}, { dailyUt: T }, false],
    ["no limit any more", { dailyUt: T }, {}, true],
    ["a higher limit", { dailyUt: T }, { dailyUt: 2 * T }, true],
    ["a lower limit", { dailyUt: T }, { dailyUt: 0 }, false],
    ["a shorter delay", { delay: DELAY }, { delay: { ...DELAY, delayMs: 60_000 } }, true],
    ["a longer delay", { delay: DELAY }, { delay: { ...DELAY, delayMs: 900_000 } }, false],
    ["a delay from more on", { delay: DELAY }, { delay: { ...DELAY, aboveUt: 6 * T } }, true],
    ["a delay by no amount", { delay: DELAY }, { delay: { ...DELAY, aboveUt: null } }, true],
    ["no delay of first payments", { delay: DELAY }, { delay: { ...DELAY, firstTime: false } }, true],
    ["a delay that delays nothing", { delay: DELAY }, { delay: { ...DELAY, aboveUt: null, firstTime: false } }, true],
    ["chosen keys", {}, { only: [BOB] }, false],
    ["one key more", { only: [BOB] }, { only: [BOB, EVE] }, true],
    ["one key less", { only: [BOB, EVE] }, { only: [EVE] }, false],
    ["another key", { only: [BOB] }, { only: [EVE] }, true],
    ["no key at all", { only: [BOB] }, { only: [] }, false],
    ["any key again", { only: [] }, {}, true],
    ["a lower limit with a shorter delay", { dailyUt: T, delay: DELAY }, { dailyUt: 0, delay: { ...DELAY, delayMs: 60_000 } }, true],
    ["the same, keys in another order and form", { only: [BOB, EVE] }, { only: [EVE, BOB.toUpperCase(), EVE] }, false],
  ])("%s", (_, before, after, looser) => {
    expect(isLooser(rules(before), rules(after))).toBe(looser);
    // What holds meanwhile is no looser than either.
    const between = strictestRules(rules(before), rules(after));
    expect([isLooser(rules(before), between), isLooser(rules(after), between)]).toEqual([false, false]);
  });
});

describe("what the rules say", () => {
  const paid = (of: SpendingState): SpendingState => countSpend(of, spend(pay(BOB, 1)), 0);
  it.each<[string, SpendingState, Intent, string]>([
    ["anything, without rules", state({}), pay(EVE, 100 * T), "allowed"],
    ["a payment that the limit just holds with its fee", state({ dailyUt: 2 * T }), pay(EVE, 2 * T - 1_000), "allowed"],
    ["a payment whose fee does not fit", state({ dailyUt: 2 * T }), pay(EVE, 2 * T - 999), "overLimit"],
    ["a fee alone", state({ dailyUt: 999 }), { kind: "registerKey" }, "overLimit"],
    ["a large fee of no payment", state({ dailyUt: T }), { kind: "acceptContact", requester: BOB, feeUt: 2 * T }, "overLimit"],
    [
      "unlinking a lost device",
      state({ dailyUt: 0, delay: DELAY, only: [] }),
      { kind: "unlinkDevice", devicePub: signer.devicePub },
      "allowed",
    ],
    [
      "unlinking with a fee that drains",
      state({ dailyUt: 0 }),
      { kind: "unlinkDevice", devicePub: signer.devicePub, feeUt: 2 * T },
      "overLimit",
    ],
    ["the gas of a call", state({ dailyUt: T }), { ...call(0), gasLimit: 100_000_000, feeUt: T } as Intent, "overLimit"],
    ["a first payment", state({ delay: DELAY }), pay(BOB, 1), "waits"],
    ["a second payment", paid(state({ delay: DELAY })), pay(BOB, 1), "allowed"],
    ["a second payment to someone else", paid(state({ delay: DELAY })), pay(EVE, 1), "waits"],
    ["a large second payment", paid(state({ delay: DELAY })), pay(BOB, 5 * T), "waits"],
    ["a first payment where only large ones wait", state({ delay: { ...DELAY, firstTime: false } }), pay(BOB, T), "allowed"],
    ["a contact request", state({ delay: DELAY }), { kind: "requestContact", to: EVE, amountUt: 5_000 }, "waits"],
    ["a channel", state({ delay: DELAY }), { kind: "openChannel", to: EVE, amountUt: T, channelId: CHANNEL, expiresAt: 9 }, "waits"],
    ["a call that pays, whomever", paid(state({ delay: DELAY })), call(1), "waits"],
    ["a call that pays nothing", state({ delay: DELAY }), call(0), "allowed"],
    ["a contact", state({ only: [BOB] }), pay(BOB, T), "allowed"],
    ["a contact in capitals", state({ only: [BOB] }), pay(BOB.toUpperCase(), T), "allowed"],
    ["a stranger", state({ only: [BOB] }), pay(EVE, 1), "forbidden"],
    [
      "a stranger's channel",
      state({ only: [BOB] }),
      { kind: "openChannel", to: EVE, amountUt: 1, channelId: CHANNEL, expiresAt: 9 },
      "forbidden",
    ],
    ["a request to a stranger", state({ only: [BOB] }), { kind: "requestContact", to: EVE, amountUt: 5_000 }, "forbidden"],
    ["any call, which may move tokens", state({ only: [BOB] }), call(0), "forbidden"],
    ["oneself", state({ only: [], delay: { ...DELAY, aboveUt: null } }), pay(OWN, T), "allowed"],
    [
      "closing an unknown channel for a stranger",
      state({ only: [BOB] }),
      { kind: "closeChannel", to: EVE, channelId: CHANNEL, paidUt: 1 },
      "forbidden",
    ],
    [
      "closing a channel with nothing paid",
      state({ only: [BOB] }),
      { kind: "closeChannel", to: EVE, channelId: CHANNEL, paidUt: 0 },
      "allowed",
    ],
    [
      "being paid by a channel",
      state({ only: [], dailyUt: 1_000 }),
      { kind: "closeChannel", to: EVE, channelId: CHANNEL, paidUt: 9 * T, voucher: `${"A".repeat(86)}==` },
      "allowed",
    ],
  ])("%s", (_, of, intent, kind) => {
    expect(judgeSpend(of, spend(intent, of), 0).kind).toBe(kind);
  });

  it("no 24 hours hold more than the limit, and it says when the rest fits", () => {
    let of = countSpend(state({ dailyUt: 10 * T }), spend(pay(BOB, 6 * T)), HOUR_MS / 2);
    of = countSpend(of, spend(pay(BOB, 2 * T)), 3 * HOUR_MS);
    const at = (ms: number): unknown => judgeSpend(of, spend(pay(BOB, 3 * T)), ms);
    expect(at(4 * HOUR_MS)).toMatchObject({ kind: "overLimit", leftUt: 2 * T - 2_000, fitsInMs: 21 * HOUR_MS });
    expect(at(25 * HOUR_MS - 1)).toMatchObject({ kind: "overLimit" });
    expect(at(25 * HOUR_MS)).toEqual({ kind: "allowed" });
    expect(judgeSpend(of, spend(pay(BOB, 10 * T)), 0)).toMatchObject({ fitsInMs: null });
  });

  it("counts what hours hold in so many entries as are kept, through any number of hours", () => {
    let of = state({ dailyUt: 100 * T });
    for (let hour = 0; hour < 80; hour += 1) of = countSpend(of, spend(pay(BOB, T)), hour * HOUR_MS);
    expect(of.spent.length).toBeLessThanOrEqual(MAX_SPENT_HOURS);
    expect(judgeSpend(of, spend(pay(BOB, 76 * T)), 80 * HOUR_MS)).toMatchObject({ kind: "overLimit" });
  });
});

describe("vouchers", () => {
  it("of a counted deposit are free, and all beyond it counts once", () => {
    const open: Intent = { kind: "openChannel", to: BOB, amountUt: 3 * T, channelId: CHANNEL, expiresAt: 9 };
    let of = countSpend(state({ dailyUt: 4 * T }), spend(open), 0);
    expect(spendOfVoucher(of, CHANNEL.toUpperCase(), 3 * T)).toMatchObject({ totalUt: 0, payee: "none" });
    const more = spendOfVoucher(of, CHANNEL, 3 * T + 500_000);
    expect(more).toMatchObject({ totalUt: 500_000, payee: "unknown" });
    of = countSpend(of, more, 0);
    expect(spendOfVoucher(of, CHANNEL, 3 * T + 500_000).totalUt).toBe(0);
    expect(judgeSpend(of, spendOfVoucher(of, CHANNEL, 5 * T), 0).kind).toBe("overLimit");
    expect(judgeSpend(state({ only: [BOB] }), spendOfVoucher(state({}), CHANNEL, 1), 0).kind).toBe("forbidden");
  });
});

describe("a change of rules", () => {
  it("holds at once where it is stricter, and a day later where it is looser", () => {
    const before = state({ dailyUt: 5 * T });
    const mixed = rules({ dailyUt: 9 * T, only: [BOB] });
    expect(() => withRules(before, mixed, { nowMs: 0, isProven: false })).toThrow(
      expect.objectContaining({ code: "CONFIRMATION_REQUIRED" }),
    );
    const after = withRules(before, mixed, { nowMs: 7, isProven: true });
    expect(after.rules).toEqual(rules({ dailyUt: 5 * T, only: [BOB] }));
    const six = spend(pay(BOB, 6 * T));
    expect(judgeSpend(after, six, 7 + LOOSENING_MS - 1).kind).toBe("overLimit");
    expect(judgeSpend(after, six, 7 + LOOSENING_MS).kind).toBe("allowed");
    // What is stricter than what holds takes the loosening back.
    expect(withRules(after, rules({ dailyUt: 4 * T, only: [BOB] }), { nowMs: 8, isProven: false }).loosened).toBeUndefined();
  });
});

describe("time", () => {
  const start: SpendingTime = { passedMs: 0, blockMs: 1_000_000, clockMs: 5_000_000 };
  const DAY = 24 * HOUR_MS;
  it.each<[string, readonly (readonly [number | undefined, number])[], number]>([
    ["goes on with both", [[1_000_000 + DAY, 5_000_000 + DAY]], DAY],
    ["goes on by the smaller step", [[1_000_000 + 70_000, 5_000_000 + 90_000]], 70_000],
    ["does not go on by a clock that was set ahead", [[1_000_000, 5_000_000 + 9 * DAY]], 0],
    ["does not go on by a node that is ahead", [[1_000_000 + 9 * DAY, 5_000_000]], 0],
    ["does not go on without a block", [[undefined, 5_000_000 + DAY]], 0],
    [
      "never goes back",
      [
        [1_000_000 + DAY, 5_000_000 + DAY],
        [1_000_000, 5_000_000],
      ],
      DAY,
    ],
    [
      "gains nothing by a clock that swings",
      [
        [1_000_000, 5_000_000 + DAY],
        [1_000_000, 5_000_000],
        [1_000_000, 5_000_000 + DAY],
        [1_060_000, 5_060_000 + DAY],
      ],
      60_000,
    ],
    [
      "gains nothing by a node that swings",
      [
        [1_000_000 + DAY, 5_000_000],
        [1_000_000, 5_000_000],
        [1_000_000 + DAY, 5_060_000],
      ],
      60_000,
    ],
    [
      "goes on after a clock that was years ahead is right again",
      [
        [1_000_000, 5_000_000 + 999 * DAY],
        [1_000_000, 5_000_000],
        [1_000_000 + HOUR_MS, 5_000_000 + HOUR_MS],
      ],
      HOUR_MS,
    ],
  ])("%s", (_, readings, expected) => {
    let time = start;
    for (const [blockMs, clockMs] of readings) time = { ...timeAfter(time, { blockMs, clockMs }) };
    const [blockMs, clockMs] = readings.at(-1) ?? [undefined, 0];
    expect(passedMs(time, { blockMs, clockMs })).toBe(expected);
  });

  it("loses what was kept back when something is counted, and no more than a minute of it where it goes on", () => {
    const kept = timeAfter(start, { blockMs: undefined, clockMs: 5_000_000 + DAY });
    expect(passedMs(kept, { blockMs: 1_000_000 + DAY, clockMs: 5_000_000 + DAY })).toBe(0);
    const little = { blockMs: 1_000_000, clockMs: 5_059_999 };
    expect(timeAfter(start, little)).toBe(start);
    expect(passedMs(timeAfter(start, little, 1), { blockMs: 1_059_999, clockMs: 5_059_999 })).toBe(0);
  });

  it("is not lost by a look with an old block, and goes on by one after a node or a clock that was far ahead", () => {
    const now = 9_000_000_000;
    const time = { passedMs: 7, blockMs: now, clockMs: now };
    expect(timeLookedAt(time, { blockMs: now - DAY, clockMs: now + DAY })).toBe(time);
    const seen = { blockMs: now, clockMs: now };
    for (const ahead of [{ blockMs: now + DAY }, { clockMs: now + DAY }, { blockMs: null }])
      expect(timeLookedAt({ ...time, ...ahead }, seen)).toEqual(time);
  });

  it("loses nothing by being looked at every second", () => {
    let time = start;
    for (let second = 1; second <= 600; second += 1)
      time = timeAfter(time, { blockMs: 1_000_000 + Math.floor(second / 4) * 4_000, clockMs: 5_000_000 + second * 1_000 });
    expect(time.passedMs).toBeGreaterThan(540_000);
  });
});

describe("what is stored", () => {
  it("fits into a vault at its fullest, beside all former keys", () => {
    const list = <V>(length: number, of: V): V[] => Array.from({ length }, () => of);
    const full = { ...rules({ dailyUt: Number.MAX_SAFE_INTEGER, delay: DELAY }), only: list(MAX_ALLOWED_KEYS, BOB) };
    const most: SpendingState = {
      rules: full,
      loosened: { rules: full, fromMs: Number.MAX_SAFE_INTEGER },
      time: { passedMs: 2 ** 40, blockMs: 2 ** 40, clockMs: 2 ** 40 },
      spent: list(MAX_SPENT_HOURS, { hour: 2 ** 30, amountUt: 2 ** 50 }),
      paid: list(MAX_PAID_KEYS, "ab".repeat(16)),
      channels: list(MAX_COUNTED_CHANNELS, { id: CHANNEL, coveredUt: 2 ** 50 }),
      counted: list(MAX_COUNTED_IDS, "cd".repeat(16)),
      waiting: list(MAX_WAITING, {
        id: "ef".repeat(8),
        chainId: "c".repeat(128),
        intent: "x".repeat(MAX_WAITING_BYTES),
        leastFeeUt: 2 ** 40,
        readyMs: 2 ** 40,
        signed: { salt: new Uint8Array(8), timestampMs: 2 ** 40 },
      }),
      chats: list(MAX_WAITING, {
        id: "ef".repeat(8),
        request: "k".repeat(MAX_WAITING_KEY),
        after: "t".repeat(MAX_WAITING_KEY),
        note: "n".repeat(MAX_WAITING_NOTE_BYTES),
      }),
    };
    const bytes = encode(spendingCodec, most);
    expect(decode(spendingCodec, bytes)).toEqual(most);
    // Former keys are the largest other part; a quarter of the vault is left for the rest.
    expect(bytes.length + 2 * MAX_FORMER_KEYS * 34).toBeLessThan(0.75 * 65_536);
  });
});
