// One order that asks for more than its scope: amounts, recipients, contracts, bodies that are no good JSON. On a real socket, with the real
// keyring and a real chain behind it: nothing leaves the wallet.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { callNative } from "#test/support/chain/contract-calls.ts";
import { BOB, EVE, T } from "#test/support/worlds/app-world.ts";
import { ConnectedWorld } from "#test/support/worlds/connected-world.ts";
import type { GatewayResponse } from "#test/support/worlds/gateway-world.ts";
import { alice, bob, carol, signed } from "#test/support/worlds/ledger-world.ts";

const FEE = 1_000;
const REGISTRY = nativeContractId("username_registry");
const NAME_PRICE = 10_000;

let world: ConnectedWorld;
let token = "";
beforeAll(async () => {
  world = await ConnectedWorld.create();
});
afterAll(() => world[Symbol.asyncDispose]());
afterEach(async () => {
  await world.send("/apps/v1/me", { method: "DELETE", token });
});

const codeOf = ({ status, body }: GatewayResponse): string => (status < 300 ? String(body.state ?? status) : String(body.code));

async function expectNothingSpent(attempt: () => Promise<GatewayResponse>, outcome: string): Promise<void> {
  const before = await world.spentUt();
  expect(codeOf(await attempt())).toBe(outcome);
  expect((await world.spentUt()) - before).toBe(0);
}

describe("payments", () => {
  beforeEach(async () => {
    token = await world.connect("Till", [`pay:each=1T,total=10T/day,to=${BOB},ask=never`]);
  });

  it("of exactly the limit go through: what is refused here is refused for its own reason", async () => {
    const before = await world.spentUt();
    expect(codeOf(await world.pay(token, { to: BOB, amount_ut: T - FEE }))).toBe("pending");
    expect((await world.spentUt()) - before).toBe(T);
  });

  // Each as it stands in the body.
  it.each([
    ["above each by one", `${T - FEE + 1}`, "APP_LIMIT"],
    ["above each by the fee", `${T}`, "APP_LIMIT"],
    ["above the total", `${11 * T}`, "APP_LIMIT"],
    ["as much as a number holds", `${Number.MAX_SAFE_INTEGER}`, "APP_FUNDS,BAD_REQUEST"],
    ["more than a number holds", "9007199254740993", "BAD_REQUEST"],
    ["without end", "1e400", "BAD_REQUEST"],
    ["that would wrap 32 bits", "4294967296000000", "APP_FUNDS,BAD_REQUEST"],
    ["nothing", "0", "BAD_REQUEST"],
    ["less than nothing", "-1", "BAD_REQUEST"],
    ["minus nothing", "-0", "BAD_REQUEST"],
    ["a part of the smallest", "0.5", "BAD_REQUEST"],
    ["a little more than one", "1.0000000001", "BAD_REQUEST"],
    ["digits of a text", '"1"', "BAD_REQUEST"],
    ["digits of another script", '"１"', "BAD_REQUEST"],
    ["with a unit", '"1T"', "BAD_REQUEST"],
    ["in hex", '"0x1"', "BAD_REQUEST"],
    ["a list", "[1]", "BAD_REQUEST"],
    ["an object with a value", '{"valueOf":1}', "BAD_REQUEST"],
    ["null", "null", "BAD_REQUEST"],
    ["true", "true", "BAD_REQUEST"],
  ])("amount: %s", async (_, amount, outcomes) => {
    const body = JSON.stringify(world.paymentBody({ to: BOB, amount_ut: 1 })).replace('"amount_ut":1', `"amount_ut":${amount}`);
    const before = await world.spentUt();
    const outcome = codeOf(await world.send("/apps/v1/payments", { method: "POST", token, body }));
    expect(outcomes.split(",")).toContain(outcome);
    expect((await world.spentUt()) - before).toBe(0);
  });

  it.each([
    ["another key", EVE, "APP_SCOPE"],
    ["another address", formatAddress(EVE), "APP_SCOPE"],
    ["one's own key", carol.pub, "APP_SCOPE"],
    ["a key with blanks", ` ${BOB}`, "BAD_REQUEST"],
    ["a key that ends early", BOB.slice(0, -1), "BAD_REQUEST"],
    ["a key and more", `${BOB}00`, "BAD_REQUEST"],
    ["a key with a character that cannot be seen", `${BOB.slice(0, 10)}\u200b${BOB.slice(10)}`, "BAD_REQUEST"],
    ["an address with a changed letter", formatAddress(BOB).replace(/.$/, (letter) => (letter === "q" ? "p" : "q")), "BAD_REQUEST"],
    ["a name that no account has", "@nothing.here", "NOT_FOUND"],
    ["a name with letters of another script", "@bоb", "NOT_FOUND"],
    ["a word of the prototype", "constructor", "BAD_REQUEST"],
    ["a name of the prototype", "@__proto__", "NOT_FOUND"],
    ["a path", "../../bob", "BAD_REQUEST"],
    ["nothing", "", "BAD_REQUEST"],
  ])("recipient: %s", async (_, to, outcome) => {
    await expectNothingSpent(() => world.pay(token, { to, amount_ut: 1 }), outcome);
  });

  it.each([
    ["a second recipient in the same body", `"to":"${BOB}","to":"${EVE}"`, "APP_SCOPE"],
    ["a prototype with another recipient", `"__proto__":{"to":"${EVE}"},"to":"${BOB}"`, "BAD_REQUEST"],
    ["a constructor", `"constructor":{"prototype":{"to":"${EVE}"}},"to":"${BOB}"`, "BAD_REQUEST"],
    ["a field of the keyring", `"to":"${BOB}","spendableUt":1`, "BAD_REQUEST"],
    ["another token", `"to":"${BOB}","token":"x"`, "BAD_REQUEST"],
    ["a fee", `"to":"${BOB}","fee":1`, "BAD_REQUEST"],
    ["a salt", `"to":"${BOB}","salt":"00"`, "BAD_REQUEST"],
    ["a memo that is too long in bytes", `"to":"${BOB}","memo":"${"ü".repeat(200)}"`, "BAD_REQUEST"],
  ])("body: %s", async (_, fields, outcome) => {
    const rest = JSON.stringify({ amount_ut: 1, ...world.orderBase() }).slice(1);
    await expectNothingSpent(() => world.send("/apps/v1/payments", { method: "POST", token, body: `{${fields},${rest}` }), outcome);
  });

  it.each([
    ["in the past", (nowS: number): unknown => nowS - 1, "APP_TOO_LATE"],
    ["long ago", (): unknown => 0, "APP_TOO_LATE"],
    ["before 1970", (): unknown => -1, "BAD_REQUEST"],
    ["more than a day ahead", (nowS: number): unknown => nowS + 86_402, "BAD_REQUEST"],
    ["further than dates go", (): unknown => Number.MAX_SAFE_INTEGER, "BAD_REQUEST"],
    ["half a second", (nowS: number): unknown => nowS + 0.5, "BAD_REQUEST"],
    ["a date", (): unknown => "2030-01-01T00:00:00Z", "BAD_REQUEST"],
  ])("not_after: %s", async (_, time, outcome) => {
    const notAfter = time(Math.floor(world.chain.executor.tip().timeMs / 1_000));
    await expectNothingSpent(() => world.pay(token, { to: BOB, amount_ut: 1, not_after: notAfter }), outcome);
  });

  it.each(["short", "k".repeat(65), "key with a blank 0", "schlüssel-0000000", "key\u0000-0000000000", ""])("key: %j", async (key) => {
    await expectNothingSpent(() => world.pay(token, { to: BOB, amount_ut: 1, idempotency_key: key }), "BAD_REQUEST");
  });

  it("keys that are words of the prototype are keys like others", async () => {
    for (const key of ["hasOwnProperty00", "__proto__0000000", "__defineGetter__"])
      expect(codeOf(await world.send(`/apps/v1/payments/${key}`, { token }))).toBe("NOT_FOUND");
    const before = await world.spentUt();
    for (let time = 0; time < 2; time += 1)
      expect(
        codeOf(await world.pay(token, { to: BOB, amount_ut: 1, idempotency_key: "__defineGetter__", not_after: fixedTime() })),
      ).not.toBe("INTERNAL");
    expect((await world.spentUt()) - before).toBe(FEE + 1);
  });

  it("a page on the same machine is refused with a good token too", async () => {
    const body = world.paymentBody({ to: BOB, amount_ut: 1 });
    for (const headers of [{ origin: "https://shop.example" }, { "sec-fetch-site": "same-origin" }, { host: "127.0.0.1:8080" }])
      await expectNothingSpent(() => world.send("/apps/v1/payments", { method: "POST", token, body, headers }), "FORBIDDEN");
  });

  it("bodies that are too large or nested without end pay nothing, and the gateway serves on", async () => {
    for (const [body, outcome] of [
      ["[".repeat(65_000), "BAD_REQUEST"],
      [`${"[".repeat(30_000)}${"]".repeat(30_000)}`, "BAD_REQUEST"],
      [JSON.stringify({ ...world.paymentBody({ to: BOB }), memo: "x".repeat(70_000) }), "PAYLOAD_TOO_LARGE"],
    ] as const)
      await expectNothingSpent(() => world.send("/apps/v1/payments", { method: "POST", token, body }), outcome);
    expect((await world.send("/apps/v1/me", { token })).status).toBe(200);
  });

  const fixedTime = (): number => Math.floor(world.chain.executor.tip().timeMs / 600_000) * 600 + 3_600;
});

describe("a name that has another owner now", () => {
  it("is paid by none who was let in for its owner of then, and its owner of then is paid by the key", async () => {
    const nowMs = world.chain.clock.nowMs();
    const registered = callNative(bob, "username_registry", "register", { args: ["dora"], amountUt: NAME_PRICE, nowMs });
    await world.node.submitTransaction({ body: registered });
    await world.block(1_000);
    token = await world.connect("Till", ["pay:each=1T,total=10T/day,to=@dora,ask=never"]);
    expect(codeOf(await world.pay(token, { to: "@dora", amount_ut: 1 }))).toBe("pending");
    const given = callNative(bob, "username_registry", "transfer", { args: ["dora", alice.pub], nowMs: world.chain.clock.nowMs() });
    await world.node.submitTransaction({ body: given });
    await world.block(1_000);
    await expectNothingSpent(() => world.pay(token, { to: "@dora", amount_ut: 1 }), "APP_SCOPE");
    expect(codeOf(await world.pay(token, { to: bob.pub, amount_ut: 1 }))).toBe("pending");
  });
});

it("a payment to a name that no account has any more is answered as before, and none is made", async () => {
  const call = async (method: string, amountUt = 0): Promise<void> => {
    const nowMs = world.chain.clock.nowMs();
    await world.node.submitTransaction({ body: callNative(bob, "username_registry", method, { args: ["edna"], amountUt, nowMs }) });
    await world.block(1_000);
  };
  await call("register", NAME_PRICE);
  token = await world.connect("Till", ["pay:each=1T,total=10T/day,to=any,ask=never"]);
  const order = world.paymentBody({ to: "@edna", amount_ut: 1 });
  const { body } = await world.pay(token, order);
  await call("release");
  expect(await world.pay(token, order)).toMatchObject({ status: 200, body: { id: body.id, state: "committed", replayed: true } });
  await expectNothingSpent(() => world.pay(token, { to: "@edna", amount_ut: 1 }), "NOT_FOUND");
});

describe("calls", () => {
  beforeEach(async () => {
    token = await world.connect("Registrar", [`call:contract=${REGISTRY},methods=register,each=0.5T,total=1T/day,ask=never`]);
  });

  it("of the granted method go through", async () => {
    const before = await world.spentUt();
    const given = { contract: REGISTRY, method: "register", args_json: '["till"]', amount_ut: NAME_PRICE };
    expect(codeOf(await world.call(token, given))).toBe("pending");
    expect((await world.spentUt()) - before).toBeGreaterThanOrEqual(NAME_PRICE);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["another contract", { contract: nativeContractId("tokens") }, "APP_SCOPE"],
    ["another method", { method: "transfer" }, "APP_SCOPE"],
    ["a method in other letters", { method: "Register" }, "APP_SCOPE"],
    ["a method of the prototype", { method: "__proto__" }, "APP_SCOPE,BAD_REQUEST"],
    ["a method with a list's mark", { method: "register|transfer" }, "APP_SCOPE,BAD_REQUEST"],
    ["more than each", { amount_ut: T }, "APP_LIMIT"],
    ["more than each by gas", { amount_ut: 490_000, gas_limit: MAX_GAS_LIMIT }, "APP_LIMIT"],
    ["more gas than there can be", { gas_limit: MAX_GAS_LIMIT + 1 }, "BAD_REQUEST"],
    ["gas without end", { gas_limit: Number.MAX_SAFE_INTEGER }, "BAD_REQUEST"],
    ["no gas", { gas_limit: 0 }, "BAD_REQUEST"],
    ["less gas than none", { gas_limit: -1 }, "BAD_REQUEST"],
    ["arguments that are no list", { args_json: '{"0":"till"}' }, "BAD_REQUEST"],
    ["arguments that are no JSON", { args_json: "[" }, "BAD_REQUEST"],
    ["a list of arguments beside its text", { args_json: ["till"] }, "BAD_REQUEST"],
    ["less than nothing", { amount_ut: -1 }, "BAD_REQUEST"],
    ["a part of the smallest", { amount_ut: 0.5 }, "BAD_REQUEST"],
  ])("%s", async (_, changes, outcomes) => {
    const before = await world.spentUt();
    const given = { contract: REGISTRY, method: "register", args_json: '["other"]', amount_ut: 0, ...changes };
    expect(outcomes.split(",")).toContain(codeOf(await world.call(token, given)));
    expect((await world.spentUt()) - before).toBe(0);
  });

  it("are no payments, and payments no calls", async () => {
    await expectNothingSpent(() => world.pay(token, { to: BOB, amount_ut: 1 }), "APP_SCOPE");
  });
});

describe("submitting", () => {
  beforeEach(async () => {
    token = await world.connect("Signer", ["submit"]);
  });
  const submit = (transaction: object): Promise<GatewayResponse> =>
    world.send("/apps/v1/transactions", { method: "POST", token, body: { transaction } });

  it("the person's own payment, signed long ago and kept, is refused however its key is written", async () => {
    const { transaction } = await world.app.keyring.sign({ intent: { kind: "pay", to: EVE, amountUt: T }, chainId: "parley-test" });
    await expectNothingSpent(() => submit(transaction), "APP_SCOPE");
    for (const from of [world.wallet.toUpperCase(), formatAddress(world.wallet), ` ${world.wallet}`])
      await expectNothingSpent(async () => {
        const response = await submit({ ...transaction, from });
        expect(response.status).toBeGreaterThanOrEqual(400);
        return { ...response, body: { code: "refused" } };
      }, "refused");
  });

  it("what another key signed for the person's key, or what was changed since, is refused", async () => {
    const own = signed(carol, { type: "TRANSFER", to: BOB, amount: 1, payload: {} });
    for (const changed of [{ from: world.wallet }, { from: BOB }, { to: EVE }, { amount: 2 }, { signature: "00".repeat(64) }])
      expect([changed, (await submit({ ...own, ...changed })).status >= 400]).toEqual([changed, true]);
    expect(await world.spentUt()).toBe(await world.spentUt());
  });
});

describe("invoices", () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["of nothing", { amount_ut: 0 }, "BAD_REQUEST"],
    ["of less than nothing", { amount_ut: -1 }, "BAD_REQUEST"],
    ["of a part of the smallest", { amount_ut: 0.5 }, "BAD_REQUEST"],
    ["of more than a number holds", { amount_ut: 2 ** 60 }, "BAD_REQUEST"],
    ["that has expired", { expires_at: 1 }, "APP_TOO_LATE"],
    ["for longer than a year", { expires_at: 9_999_999_999 }, "BAD_REQUEST"],
    ["for a time before 1970", { expires_at: -1 }, "BAD_REQUEST"],
    ["with an id of its own", { id: "inv_0000000000000000" }, "BAD_REQUEST"],
  ])("%s", async (_, changes, outcome) => {
    token = await world.connect("Shop", ["invoices"]);
    const { idempotency_key, not_after } = world.orderBase();
    const body = { amount_ut: T, expires_at: not_after, idempotency_key, ...changes };
    expect(codeOf(await world.send("/apps/v1/invoices", { method: "POST", token, body }))).toBe(outcome);
    expect((await world.send("/apps/v1/invoices", { token })).body.invoices).toEqual([]);
  });
});
