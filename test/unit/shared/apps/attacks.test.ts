// A program asks beyond its limits in every way. One table: each row is a connection, an attack, and what it must come to. After every attack
// the chain is asked: what was signed in all must be within what the person granted.
import { beforeEach, describe, expect, it } from "vitest";
import { connectionIdOf } from "#shared/apps/judging/app-tokens.ts";
import type { OrderResult } from "#shared/apps/messages/orders.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { APP_PASSWORD, AppWorld, BOB, CONTRACT, DAY, EVE, HOUR, keyOf, onChain, T } from "#test/support/worlds/app-world.ts";

const FEE = 1_000;
/** Ten payments of the most that one may be are all that the total allows. */
const PAY = "pay:each=1T,total=10T/day";
const CALL = `call:contract=${CONTRACT},methods=burn|mint,each=1T,total=3T/day,ask=never`;
const SPEND = T - FEE;

let world: AppWorld;
/** Everything that was signed and given out, by id. */
let signed: Map<string, Transaction>;

beforeEach(async () => {
  world = await AppWorld.create();
  signed = new Map();
});

/** What an attempt comes to: what was signed is kept. */
async function attempt(order: Promise<OrderResult>): Promise<string> {
  try {
    const result = await order;
    if (result.kind === "approval") return "asks";
    if (result.transaction !== undefined) signed.set(result.id, result.transaction);
    return "signed";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

const spentUt = (): number => [...signed.values()].reduce((sum, { amount, fee }) => sum + amount + fee, 0);
const pays = (token: string, count: number, changes = {}): Promise<string[]> =>
  repeat(count, () => world.pay(token, { amountUt: SPEND, ...changes }));

async function repeat(count: number, order: () => Promise<OrderResult>): Promise<string[]> {
  const outcomes: string[] = [];
  for (let i = 0; i < count; i += 1) outcomes.push(await attempt(order()));
  return outcomes;
}

const times = (count: number, outcome: string): string[] => Array<string>(count).fill(outcome);

describe("scopes × methods: what a scope does not name is refused, without a question", () => {
  const scopes: Readonly<Record<string, readonly string[]>> = {
    read: ["read"],
    wallet: ["wallet:labels=yes"],
    submit: ["submit"],
    invoices: ["invoices"],
    pay: [`${PAY},to=any`],
    call: [CALL],
    "contacts.read": ["contacts.read"],
    "messages.read": ["messages.read"],
    "messages.send": ["messages.send:to=replies,rate=5/day"],
  };
  const methods: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
    pay: (token) => world.pay(token, { amountUt: 1 }),
    call: (token) => world.apps.call(world.callOrder(token)),
    submit: (token) => world.apps.checkSubmission({ token, from: EVE }),
    invoices: (token) =>
      world.apps.createInvoice({ token, idempotencyKey: "invoice-0000000001", amountUt: T, expiresAtMs: world.blockTimeMs + HOUR }),
  };

  it.each(Object.keys(scopes))("%s", async (scope) => {
    const token = await world.connect("Till", scopes[scope] ?? []);
    for (const [method, call] of Object.entries(methods)) {
      const outcome = await call(token).then(
        () => "allowed",
        (error: { readonly code: string }) => error.code,
      );
      expect([method, outcome]).toEqual([method, method === scope ? "allowed" : "APP_SCOPE"]);
    }
    await expect(world.approval.overview()).resolves.toMatchObject({ approvals: [] });
  });

  it("does not let the wallet's own key be used by submitting", async () => {
    const token = await world.connect("Till", ["submit"]);
    const from = world.keyring.apps.signer().masterPub;
    await expect(world.apps.checkSubmission({ token, from })).rejects.toMatchObject({ code: "APP_SCOPE" });
  });
});

describe("limits of one order", () => {
  it.each([
    ["each, ask=over", "over", { amountUt: SPEND + 1 }, "asks"],
    ["each, ask=never", "never", { amountUt: SPEND + 1 }, "APP_LIMIT"],
    ["each, by the fee alone", "never", { amountUt: T }, "APP_LIMIT"],
    ["total at once", "over", { amountUt: 11 * T }, "asks"],
    ["nothing at all, ask=always", "always", { amountUt: 1 }, "asks"],
    ["another recipient", "over", { to: EVE, recipient: EVE }, "APP_SCOPE"],
    ["another recipient under the name of one", "over", { to: EVE, recipient: "@bobby" }, "APP_SCOPE"],
    ["nothing", "over", { amountUt: 0 }, "BAD_REQUEST"],
    ["a broken amount", "over", { amountUt: 0.5 }, "BAD_REQUEST"],
    ["less than nothing", "over", { amountUt: -T }, "BAD_REQUEST"],
    ["more than there is", "over", { amountUt: Number.MAX_SAFE_INTEGER }, "BAD_REQUEST"],
    ["a long memo", "over", { memo: "x".repeat(257) }, "BAD_REQUEST"],
    ["without funds", "over", { spendableUt: T - 1, amountUt: SPEND }, "APP_FUNDS"],
  ])("%s", async (_, ask, changes, outcome) => {
    const token = await world.connect("Till", [`${PAY},to=${BOB},ask=${ask}`]);
    expect(await attempt(world.pay(token, changes))).toBe(outcome);
    expect(spentUt()).toBe(0);
  });

  it.each([
    ["another contract", { contract: "ff".repeat(8) }, "APP_SCOPE"],
    ["another method", { method: "steal" }, "APP_SCOPE"],
    ["a method of the prototype", { method: "constructor" }, "APP_SCOPE"],
    ["each by gas", { gasLimit: 100_000_000, amountUt: T - 100_000 - FEE + 1 }, "APP_LIMIT"],
    ["each by the fee of long arguments", { argsJson: JSON.stringify(["x".repeat(12_000)]), amountUt: T - FEE - 1_000 }, "APP_LIMIT"],
    ["no list", { argsJson: "{}" }, "BAD_REQUEST"],
  ])("of a call: %s", async (_, changes, outcome) => {
    const token = await world.connect("Till", [CALL]);
    expect(await attempt(world.apps.call(world.callOrder(token, changes)))).toBe(outcome);
    expect(spentUt()).toBe(0);
  });

  it("messages that strangers write do not spend: everything asks beside messages.read", async () => {
    const token = await world.connect("Till", ["messages.read", `${PAY},to=any,ask=never`]);
    expect(await attempt(world.pay(token, { amountUt: 1 }))).toBe("asks");
  });
});

describe("limits of a period", () => {
  const grant = [`${PAY},to=any,ask=never`];

  it("many at once, of one connection", async () => {
    const token = await world.connect("Till", grant);
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => attempt(world.pay(token, { amountUt: SPEND }))));
    expect(outcomes.filter((outcome) => outcome === "signed")).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === "APP_LIMIT")).toHaveLength(15);
    expect(spentUt()).toBe(10 * T);
  });

  it("payments and calls have budgets of their own, and so have two contracts", async () => {
    const other = "ff".repeat(8);
    const token = await world.connect("Till", [...grant, CALL, CALL.replace(CONTRACT, other)]);
    expect(await pays(token, 11)).toEqual([...times(10, "signed"), "APP_LIMIT"]);
    for (const contract of [CONTRACT, other])
      expect(await repeat(4, () => world.apps.call(world.callOrder(token, { contract, amountUt: T - FEE - 1_000 })))).toEqual([
        ...times(3, "signed"),
        "APP_LIMIT",
      ]);
  });

  it("no stretch of a period holds more than the total, however the orders are spread", async () => {
    const token = await world.connect("Till", grant);
    const sentAt: number[] = [];
    for (let i = 0; i < 200; i += 1) {
      if (i % 5 === 0) await world.restart();
      if ((await attempt(world.pay(token, { amountUt: SPEND }))) === "signed") sentAt.push(world.time.nowMs());
      await world.pass((i % 7) * 400_000 + 60_000);
    }
    expect(sentAt.length).toBeGreaterThan(15);
    for (const start of sentAt) expect(sentAt.filter((at) => at >= start && at < start + DAY).length).toBeLessThanOrEqual(10);
  });

  it.each<readonly [string, (token: string) => Promise<void>]>([
    ["the clock forward", async (): Promise<void> => world.time.sleep(2 * DAY)],
    ["the clock back", async (): Promise<void> => world.time.sleep(-2 * DAY)],
    [
      "the clock forward and back",
      async (): Promise<void> => {
        world.time.sleep(2 * DAY);
        await world.observe();
        world.time.sleep(-2 * DAY);
      },
    ],
    ["the chain forward", (): Promise<void> => world.block(2 * DAY)],
    [
      "the chain forward and back",
      async (): Promise<void> => {
        await world.block(2 * DAY);
        await world.block(-2 * DAY);
      },
    ],
    [
      "the chain forward over a restart",
      async (): Promise<void> => {
        await world.block(2 * DAY);
        world.blockTimeMs -= 2 * DAY;
        await world.restart();
      },
    ],
    ["a restart", (): Promise<void> => world.restart()],
    [
      "a lock",
      async (): Promise<void> => {
        await world.keyring.lock();
        await world.restart();
      },
    ],
    ["a new token", async (token): Promise<void> => void (await world.apps.rotateToken({ token }))],
  ])("%s fills no budget", async (_, attack) => {
    const token = await world.connect("Till", grant);
    expect(await pays(token, 10)).toEqual(times(10, "signed"));
    await attack(token);
    await world.keyring.unlock({ password: "correct horse battery" });
    const outcome = await attempt(world.pay(token, { amountUt: SPEND }));
    expect(["APP_LIMIT", "APP_LOCKED", "BAD_REQUEST", "UNAVAILABLE"]).toContain(outcome);
    expect(spentUt()).toBe(10 * T);
  });

  it("both together do, after the period and not before", async () => {
    const token = await world.connect("Till", grant);
    await pays(token, 10);
    await world.pass(DAY - HOUR);
    await world.restart();
    expect(await pays(token, 1)).toEqual(["APP_LIMIT"]);
    await world.pass(2 * HOUR);
    await world.restart();
    expect(await pays(token, 11)).toEqual([...times(10, "signed"), "APP_LIMIT"]);
  });

  it("a clock that was far ahead once holds no false node back: everything asks, until no connection depends on it", async () => {
    const keeper = await world.connect("Keeper", ["read"], { days: 365 });
    world.time.sleep(100 * DAY);
    await world.observe();
    world.time.sleep(-100 * DAY);
    await world.keyring.unlock({ password: APP_PASSWORD });
    const later = await world.connect("Later", grant);
    expect(await pays(later, 1)).toEqual(["asks"]);
    for (const token of [keeper, later]) await world.apps.endConnection({ token });
    const last = await world.connect("Last", grant);
    expect(await pays(last, 11)).toEqual([...times(10, "signed"), "APP_LIMIT"]);
    for (const attack of [(): Promise<void> => world.block(2 * DAY), (): Promise<void> => world.restart()]) {
      await attack();
      expect(await attempt(world.pay(last, { amountUt: SPEND, notAfterMs: world.blockTimeMs + HOUR }))).toBe("APP_LIMIT");
    }
    expect(spentUt()).toBe(10 * T);
  });

  it("a connection that is made while the clock is far ahead ends in its time all the same", async () => {
    const keeper = await world.connect("Keeper", ["read"], { days: 365 });
    world.time.sleep(100 * DAY);
    await world.observe();
    world.time.sleep(-100 * DAY);
    const later = await world.connect("Later", grant);
    await world.pass(30 * DAY);
    expect(await pays(later, 1)).toEqual(["APP_ENDED"]);
    await world.apps.authenticate({ token: keeper });
  });

  it("a reservation cannot be talked away by what the gateway says", async () => {
    const token = await world.connect("Till", grant);
    await pays(token, 10);
    const outcomes = [...signed.keys()].map((id) => ({
      id,
      state: "absent" as const,
      height: 9,
      blockTimeMs: world.blockTimeMs + 10 * DAY,
    }));
    await world.apps.settle({ outcomes });
    await world.apps.settle({ outcomes: outcomes.map((outcome) => ({ ...outcome, blockTimeMs: world.blockTimeMs + TX_WINDOW_MS })) });
    expect(await pays(token, 1)).toEqual(["APP_LIMIT"]);
    await world.apps.settle({ outcomes: [...signed.keys()].map((id) => ({ id, state: "failed", height: 9 })) });
    expect(await pays(token, 1)).toEqual(["APP_LIMIT"]);
  });

  it("a refusal stays one under its key, though the budget has filled since", async () => {
    const token = await world.connect("Till", grant);
    await pays(token, 10);
    const order = world.payment(token, { amountUt: SPEND, notAfterMs: world.blockTimeMs + DAY });
    expect(await attempt(world.apps.pay(order))).toBe("APP_LIMIT");
    await world.pass(2 * DAY);
    await world.restart();
    expect(await attempt(world.apps.pay(order))).toBe("APP_LIMIT");
  });
});

describe("power cuts: at each point between reserved, durable and signed", () => {
  it.each([0, 1, 2, 30, 100])("a write that stops after %s bytes signs nothing, and the same order happens once", async (bytes) => {
    const token = await world.connect("Till", [`${PAY},to=any,ask=never`]);
    await pays(token, 9);
    const order = world.payment(token, { amountUt: SPEND });
    world.journal.tearAfter = bytes;
    await expect(world.apps.pay(order)).rejects.toThrow("power cut");
    await world.restart();
    expect(await attempt(world.apps.pay(order))).toBe("signed");
    expect(await attempt(world.apps.pay(order))).toBe("signed");
    expect(await pays(token, 1)).toEqual(["APP_LIMIT"]);
    expect(spentUt()).toBe(10 * T);
    expect((await world.apps.authenticate({ token })).isResting).toBe(false);
  });

  it("after the line and before the signature: the reservation holds, and the same order takes it up", async () => {
    const token = await world.connect("Till", [`${PAY},to=any,ask=never`]);
    const order = world.payment(token, { amountUt: SPEND });
    const append = world.journal.append.bind(world.journal);
    world.journal.append = async (length, bytes): Promise<boolean> => {
      const isWritten = await append(length, bytes);
      await world.keyring.lockWallet();
      return isWritten;
    };
    await attempt(world.apps.pay(order));
    expect(spentUt()).toBe(0);
    world.journal.append = append;
    await world.restart();
    expect((await world.apps.authenticate({ token })).left[0]?.leftUt).toBe(9 * T);
    expect(await attempt(world.apps.pay(order))).toBe("signed");
    expect(await attempt(world.apps.pay({ ...order, amountUt: 1 }))).toBe("APP_KEY_REUSED");
    expect(signed.size).toBe(1);
  });

  it("while a grant or an end is written: it holds wholly or not at all", async () => {
    const token = await world.connect("Till", [`${PAY},to=any`]);
    for (const copy of ["a", "b"] as const) {
      world.copies.failWriteOf = copy;
      await world.apps.endConnection({ token }).catch(() => undefined);
      world.copies.failWriteOf = undefined;
      await world.restart();
    }
    expect(["signed", "APP_ENDED"]).toContain(await attempt(world.pay(token)));
    await world.apps.endConnection({ token }).catch(() => undefined);
    await world.restart();
    expect(await attempt(world.pay(token))).toBe("APP_ENDED");
  });
});

describe("tokens", () => {
  const grant = [`${PAY},to=any`];

  it.each<readonly [string, (token: string) => string | Promise<string>, string]>([
    ["none", (): string => "", "APP_TOKEN_INVALID"],
    ["one that was made up", (): string => `parley_app_00000000_${"A".repeat(43)}`, "APP_TOKEN_INVALID"],
    ["the id with another secret", (token): string => `parley_app_${connectionIdOf(token)}_${"A".repeat(43)}`, "APP_TOKEN_INVALID"],
    [
      "one letter changed",
      (token): string => `${token.slice(0, -2)}${token.at(-2) === "A" ? "B" : "A"}${token.at(-1)}`,
      "APP_TOKEN_INVALID",
    ],
    ["cut off", (token): string => token.slice(0, -1), "APP_TOKEN_INVALID"],
    [
      "ended",
      async (token): Promise<string> => {
        await world.apps.endConnection({ token });
        return token;
      },
      "APP_ENDED",
    ],
    [
      "ended by the person",
      async (token): Promise<string> => {
        await world.approval.end({ connection: connectionIdOf(token) ?? "" });
        return token;
      },
      "APP_ENDED",
    ],
    [
      "expired by both",
      async (token): Promise<string> => {
        await world.pass(31 * DAY);
        await world.restart();
        return token;
      },
      "APP_ENDED",
    ],
    [
      "expired by the clock alone",
      async (token): Promise<string> => {
        world.time.sleep(31 * DAY);
        await world.restart();
        return token;
      },
      "APP_ENDED",
    ],
    [
      "expired by the chain alone",
      async (token): Promise<string> => {
        await world.block(31 * DAY);
        return token;
      },
      "APP_ENDED",
    ],
    [
      "expired, and the clock put back",
      async (token): Promise<string> => {
        world.time.sleep(31 * DAY);
        await world.observe();
        world.time.sleep(-31 * DAY);
        await world.restart();
        return token;
      },
      "APP_ENDED",
    ],
    [
      "replaced long ago",
      async (token): Promise<string> => {
        await world.apps.rotateToken({ token });
        world.time.sleep(61_000);
        return token;
      },
      "APP_ENDED",
    ],
    [
      "replaced twice",
      async (token): Promise<string> => {
        const next = (await world.apps.rotateToken({ token })).token;
        await world.apps.rotateToken({ token: next });
        return token;
      },
      "APP_ENDED",
    ],
  ])("%s", async (_, attack, outcome) => {
    const used = await attack(await world.connect("Till", grant));
    expect(await attempt(world.pay(used))).toBe(outcome);
    for (const call of [
      world.apps.authenticate({ token: used }),
      world.apps.rotateToken({ token: used }),
      world.apps.listInvoices({ token: used }),
    ])
      await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^APP_(ENDED|TOKEN_INVALID)$/) });
    expect(spentUt()).toBe(0);
  });

  it("that was replaced and is used late ends the connection for the new one too, for good", async () => {
    const token = await world.connect("Till", grant);
    const next = (await world.apps.rotateToken({ token })).token;
    expect(await pays(token, 1)).toEqual(["signed"]);
    world.time.sleep(61_000);
    expect(await pays(next, 1)).toEqual(["signed"]);
    expect(await attempt(world.pay(token))).toBe("APP_ENDED");
    expect(await attempt(world.pay(next))).toBe("APP_ENDED");
    // The person sees why.
    const { lines } = await world.approval.log({ limit: 1 });
    expect(lines).toMatchObject([{ action: "end", outcome: "copied", connection: connectionIdOf(token) }]);
    expect(await world.approval.overview()).toMatchObject({ ended: [{ name: "Till", wasCopied: true }] });
    await world.restart();
    expect(await attempt(world.pay(next))).toBe("APP_ENDED");
    expect(world.events).toContainEqual({ event: "ended", connection: connectionIdOf(token) });
  });

  it("ending refuses what waits for the person", async () => {
    const token = await world.connect("Till", grant);
    expect(await attempt(world.pay(token, { amountUt: 2 * T }))).toBe("asks");
    const [approval] = (await world.approval.overview()).approvals;
    await world.approval.end({ connection: connectionIdOf(token) ?? "" });
    await expect(world.approval.approve({ id: approval?.id ?? "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are of no use while the keyring is locked, and only to read while the wallet is", async () => {
    const token = await world.connect("Till", grant);
    await world.keyring.lockWallet();
    expect(await attempt(world.pay(token))).toBe("APP_LOCKED");
    await world.apps.authenticate({ token });
    await world.keyring.lock();
    for (const used of [token, "nonsense"]) {
      expect(await attempt(world.pay(used))).toBe("APP_LOCKED");
      await expect(world.apps.authenticate({ token: used })).rejects.toMatchObject({ code: "APP_LOCKED", details: { keyring: true } });
    }
  });

  it("of one profile do not open another", async () => {
    const token = await world.connect("Till", grant);
    const other = await AppWorld.create();
    await other.connect("Till", grant);
    expect(await attempt(other.pay(token))).toBe("APP_TOKEN_INVALID");
  });
});

describe("files that were put back", () => {
  const grant = [`${PAY},to=any,ask=never`];
  const restingOf = async (token: string): Promise<unknown> =>
    world.apps.authenticate({ token }).then(
      ({ isResting }) => isResting,
      (error: { readonly code: string }) => error.code,
    );

  it.each([
    ["the grants", ["copies"]],
    ["the grants and the journal", ["copies", "journal"]],
    ["the vault", ["vault"]],
    ["the vault and the journal", ["vault", "journal"]],
    ["the vault and the grants", ["vault", "copies"]],
  ] as const)("%s: an ended token stays ended, or everything rests", async (_, parts) => {
    const token = await world.connect("Till", grant);
    await world.connect("Other", grant);
    const before = world.save();
    await pays(token, 10);
    await world.connect("Third", grant);
    await world.approval.end({ connection: connectionIdOf(token) ?? "" });
    world.putBack(Object.fromEntries(parts.map((part) => [part, before[part]])));
    await world.restart();
    expect([true, "APP_ENDED"]).toContain(await restingOf(token));
    expect(["APP_LOCKED", "APP_ENDED"]).toContain(await attempt(world.pay(token, { amountUt: SPEND })));
    expect(spentUt()).toBe(10 * T);
  });

  it("the vault and the grants, before the token was replaced: the earlier one is good for nothing", async () => {
    const token = await world.connect("Till", grant);
    const { vault, copies } = world.save();
    await world.apps.rotateToken({ token });
    world.time.sleep(61_000);
    world.putBack({ vault, copies });
    await world.restart();
    expect(await pays(token, 1)).toEqual(["APP_LOCKED"]);
  });

  it("the journal, with and without a change of grants since: spent money stays spent by what the chain says", async () => {
    for (const changesGrants of [false, true]) {
      world = await AppWorld.create();
      signed.clear();
      const token = await world.connect("Till", grant);
      const before = world.save();
      await pays(token, 10);
      if (changesGrants) await world.connect("Other", grant);
      world.putBack({ journal: before.journal });
      await world.restart([...signed.values()].map((transaction) => onChain(transaction)));
      expect(await restingOf(token)).toBe(true);
      expect(await attempt(world.pay(token, { amountUt: SPEND }))).toBe("APP_LOCKED");
      await world.approval.confirm({ connection: connectionIdOf(token) ?? "", password: "correct horse battery" });
      expect(await attempt(world.pay(token, { amountUt: SPEND }))).toBe("APP_LIMIT");
    }
  });

  it("all of the profile: the chain shows what was paid since, and nothing is paid before it was read", async () => {
    const token = await world.connect("Till", grant);
    const before = world.save();
    await pays(token, 10);
    world.putBack(before);
    await world.restartWithoutHistory();
    expect(await attempt(world.pay(token, { amountUt: SPEND }))).toBe("UNAVAILABLE");
    await world.apps.history({ transactions: [...signed.values()].map((transaction) => onChain(transaction)), isComplete: true });
    expect(await restingOf(token)).toBe(true);
    await world.approval.confirm({ connection: connectionIdOf(token) ?? "", password: "correct horse battery" });
    expect(await attempt(world.pay(token, { amountUt: SPEND }))).toBe("APP_LIMIT");
    await world.pass(2 * DAY);
    await world.restart([...signed.values()].map((transaction) => onChain(transaction)));
    expect(await restingOf(token)).toBe(false);
    const numbers = await pays(token, 10);
    expect(numbers).toEqual(times(10, "signed"));
    expect(signed.size).toBe(20);
  });

  it("all of the profile, before a payment that enters a block only later", async () => {
    const token = await world.connect("Till", grant);
    const before = world.save();
    await pays(token, 1);
    world.putBack(before);
    await world.restart();
    await world.apps.history({ transactions: [...signed.values()].map((transaction) => onChain(transaction, 9)), isComplete: true });
    expect(await restingOf(token)).toBe(true);
  });

  it("all of the profile, before the connection was made", async () => {
    const before = world.save();
    const token = await world.connect("Till", grant);
    await pays(token, 10);
    world.putBack(before);
    await world.restartWithoutHistory();
    expect(await restingOf(token)).toBe("APP_TOKEN_INVALID");
    const next = await world.connect("Till", grant);
    await world.apps.history({ transactions: [...signed.values()].map((transaction) => onChain(transaction)), isComplete: true });
    expect(await restingOf(next)).toBe(true);
  });

  it("on another computer", async () => {
    const token = await world.connect("Till", grant);
    world.machine = "another computer";
    await world.restart();
    expect(await restingOf(token)).toBe(true);
    expect(await attempt(world.pay(token))).toBe("APP_LOCKED");
    await expect(world.approval.confirm({ connection: connectionIdOf(token) ?? "", password: "wrong" })).rejects.toMatchObject({
      code: "VAULT_WRONG_PASSWORD",
    });
    expect(await restingOf(token)).toBe(true);
    await world.approval.confirm({ connection: connectionIdOf(token) ?? "", password: "correct horse battery" });
    await world.restart();
    expect(await pays(token, 1)).toEqual(["signed"]);
  });

  it("a line of the journal changed, moved or taken out", async () => {
    const token = await world.connect("Till", grant);
    await pays(token, 5);
    const whole = world.journal.bytes ?? new Uint8Array();
    for (const change of [
      (bytes: Uint8Array): Uint8Array => bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
      (bytes: Uint8Array): Uint8Array => new Uint8Array([...bytes.subarray(0, 47), ...bytes.subarray(300)]),
      (): Uint8Array => new Uint8Array(100),
    ]) {
      world.journal.bytes = change(whole.slice());
      await world.restart();
      expect(await restingOf(token)).toBe(true);
      expect(await attempt(world.pay(token))).toBe("APP_LOCKED");
    }
  });

  it("without a history everything asks", async () => {
    const token = await world.connect("Till", [`${PAY},to=any`]);
    await world.restartWithoutHistory();
    await world.apps.history({ transactions: [], isComplete: true, isMissing: true });
    expect(await attempt(world.pay(token, { amountUt: 1 }))).toBe("asks");
  });

  it("the person's own payments are no program's", async () => {
    const token = await world.connect("Till", grant);
    const own = await world.keyring.sign({ intent: { kind: "pay", to: keyOf(3), amountUt: T }, chainId: "parley-test" });
    await world.apps.history({ transactions: [onChain(own.transaction)], isComplete: true });
    expect(await restingOf(token)).toBe(false);
    expect((await world.apps.authenticate({ token })).left[0]?.leftUt).toBe(10 * T);
  });
});

describe("asking", () => {
  const ask = (name = "Till", grant: readonly string[] = ["read"]): ReturnType<AppWorld["apps"]["openRequest"]> =>
    world.apps.openRequest({ name, reason: "to sell", grant, names: [] });
  const grantInput = (id: string, code: string, changes = {}): Parameters<AppWorld["approval"]["grant"]>[0] => ({
    id,
    code,
    grant: ["read"],
    chosen: [],
    days: 30,
    ...changes,
  });

  it("one waits for the machine, five an hour, ten minutes each", async () => {
    for (let i = 0; i < 5; i += 1) {
      const { id, secret, code } = await ask();
      expect(code).toMatch(/^\d{6}$/);
      await expect(ask("Other")).rejects.toMatchObject({ code: "RATE_LIMITED" });
      world.time.sleep(600_000);
      expect(await world.apps.fetchRequest({ id, secret })).toEqual({ state: "expired" });
      await expect(world.approval.grant(grantInput(id, code))).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(ask()).rejects.toMatchObject({ code: "RATE_LIMITED" });
    world.time.sleep(600_000);
    await ask();
  });

  it("another number lets no one in, and three refuse the request", async () => {
    const { id, secret, code } = await ask();
    const wrong = code === "000000" ? "000001" : "000000";
    for (let i = 0; i < 3; i += 1)
      await expect(world.approval.grant(grantInput(id, wrong))).rejects.toMatchObject({ code: "APP_CODE_WRONG" });
    await expect(world.approval.grant(grantInput(id, code))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await world.apps.fetchRequest({ id, secret })).toEqual({ state: "refused" });
  });

  it("gives the token once, and to the one that asked alone", async () => {
    const { id, secret, code } = await ask();
    await world.approval.grant(grantInput(id, code));
    await expect(world.apps.fetchRequest({ id, secret: `${secret.slice(1)}A` })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await world.apps.fetchRequest({ id, secret })).toMatchObject({ state: "granted" });
    expect(await world.apps.fetchRequest({ id, secret })).toEqual({ state: "fetched" });
  });

  it("ends a connection whose token was never fetched", async () => {
    const { id, code } = await ask();
    await world.approval.grant(grantInput(id, code));
    world.time.sleep(600_000);
    await ask("Other");
    expect((await world.approval.overview()).connections).toEqual([]);
  });

  it.each([false, true])("ends a connection whose token was fetched and never used, over a restart: %s", async (isRestarted) => {
    const { id, secret, code } = await ask();
    await world.approval.grant(grantInput(id, code));
    expect(await world.apps.fetchRequest({ id, secret })).toMatchObject({ state: "granted" });
    await expect(ask()).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await world.pass(599_000);
    if (isRestarted) await world.restart();
    expect((await world.approval.overview()).connections).toHaveLength(1);
    await world.pass(2_000);
    const again = await ask();
    expect(await world.approval.overview()).toMatchObject({ connections: [], ended: [{ name: "Till" }], request: { id: again.id } });
    expect((await world.approval.log({ limit: 1 })).lines).toMatchObject([{ action: "end" }]);
  });

  it("leaves one whose token was used once, over a restart too", async () => {
    const { id, secret, code } = await ask();
    await world.approval.grant(grantInput(id, code));
    const fetched = await world.apps.fetchRequest({ id, secret });
    const token = fetched.state === "granted" ? fetched.token : "";
    await world.pass(599_000);
    await world.apps.authenticate({ token });
    await world.restart();
    await world.pass(DAY);
    expect((await world.apps.authenticate({ token })).name).toBe("Till");
  });

  it("ends what waits when programs are switched off, with a line, and takes it up again under no key", async () => {
    const token = await world.connect("Till", [`${PAY},to=any,ask=always`]);
    const order = world.payment(token);
    const asked = await world.apps.pay(order);
    const other = await ask("Other");
    const { approvals } = await world.approval.overview();
    expect(approvals).toHaveLength(1);
    await world.watch.dismiss();
    expect(await world.approval.overview()).toMatchObject({ request: null, approvals: [], connections: [{ name: "Till" }] });
    await expect(world.approval.approve({ id: approvals[0]?.id ?? "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(world.approval.grant(grantInput(other.id, other.code))).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(asked.kind).toBe("approval");
    await expect(world.apps.pay(order)).rejects.toMatchObject({ code: "APP_DENIED" });
    expect((await world.approval.log({ limit: 1 })).lines).toMatchObject([{ action: "pay", outcome: "lapsed" }]);
    // It was no refusal of the person's: the program is not silenced by it.
    for (const _ of [1, 2]) {
      expect(await attempt(world.pay(token))).toBe("asks");
      await world.watch.dismiss();
    }
    expect(await attempt(world.pay(token))).toBe("asks");
  });

  it("has nothing to end behind a lock but the request", async () => {
    const { id, secret } = await ask();
    await world.keyring.lock();
    await world.watch.dismiss();
    await world.keyring.unlock({ password: "correct horse battery" });
    expect(await world.apps.fetchRequest({ id, secret })).toEqual({ state: "refused" });
  });

  it.each<readonly [string, readonly string[], object, string]>([
    ["money without the password", [`${PAY},to=any`], {}, "CONFIRMATION_REQUIRED"],
    ["money with a wrong one", [`${PAY},to=any`], { password: "wrong" }, "VAULT_WRONG_PASSWORD"],
    ["calls without the password", [CALL], {}, "CONFIRMATION_REQUIRED"],
    ["messages without the password", ["messages.read"], {}, "CONFIRMATION_REQUIRED"],
    ["more than 30 days without it", ["read"], { days: 31 }, "CONFIRMATION_REQUIRED"],
    ["more than was asked for", ["read"], { grant: [`${PAY},to=any`], password: "correct horse battery" }, "BAD_REQUEST"],
    ["a scope that there is not", ["read"], { grant: ["all"] }, "BAD_REQUEST"],
  ])("is not granted: %s", async (_, asked, changes, outcome) => {
    const { id, code } = await ask("Till", asked);
    await expect(world.approval.grant(grantInput(id, code, { grant: asked, ...changes }))).rejects.toMatchObject({ code: outcome });
    expect((await world.approval.overview()).connections).toEqual([]);
  });

  it("the gateway's methods hold none that grants, approves, confirms or unlocks", () => {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(world.apps));
    for (const name of ["grant", "approve", "refuse", "confirm", "end", "unlock", "sign", "log", "overview"])
      expect(names).not.toContain(name);
  });
});
