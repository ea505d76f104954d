// Every scope against every operation, on a real socket, with the real keyring and a real chain behind it: what a scope does not name is
// refused without a question, and nothing leaves the wallet.
import { afterAll, beforeAll, expect, it } from "vitest";
import { APP_ENDPOINTS, type AppEndpoint, type AppOperation } from "#shared/apps/api/apps-endpoints.ts";
import { BOB, CONTRACT, T } from "#test/support/worlds/app-world.ts";
import { ConnectedWorld } from "#test/support/worlds/connected-world.ts";
import type { GatewayResponse } from "#test/support/worlds/gateway-world.ts";
import { carol, signed } from "#test/support/worlds/ledger-world.ts";

const SCOPES: Readonly<Record<string, string>> = {
  read: "read",
  wallet: "wallet:labels=yes",
  submit: "submit",
  invoices: "invoices",
  pay: `pay:each=1T,total=1T/day,to=${BOB}`,
  call: `call:contract=${CONTRACT},methods=mint,each=1T,total=1T/day`,
  "contacts.read": "contacts.read",
  "messages.read": "messages.read",
  "messages.send": "messages.send:to=chosen,rate=5/day",
};
/** Operations of any connection that end or stop what is tested, or do not end: they are tested by themselves. */
const APART: readonly AppOperation[] = ["openRequest", "fetchRequest", "endConnection", "rotateToken", "streamEvents"];
const OPERATIONS = (Object.keys(APP_ENDPOINTS) as AppOperation[]).filter((operation) => !APART.includes(operation));

let world: ConnectedWorld;
beforeAll(async () => {
  world = await ConnectedWorld.create();
});
afterAll(() => world[Symbol.asyncDispose]());

function bodyOf(operation: AppOperation): unknown {
  const order = world.orderBase();
  switch (operation) {
    case "pay":
      return { to: BOB, amount_ut: 1, ...order };
    case "call":
      return { contract: CONTRACT, method: "mint", gas_limit: 1_000, ...order };
    case "submitTransaction":
      return { transaction: signed(carol, { type: "TRANSFER", to: BOB, amount: 1, payload: {} }) };
    case "sendMessage":
      return { to: BOB, text: "hello", ...order };
    case "createInvoice":
      return { amount_ut: T, expires_at: order.not_after, idempotency_key: order.idempotency_key };
    case "acknowledgeEvents":
      return { cursor: "none" };
    default:
      return undefined;
  }
}

function ask(operation: AppOperation, token: string): Promise<GatewayResponse> {
  const [method, path] = APP_ENDPOINTS[operation].route;
  const body = bodyOf(operation);
  const filled = path.replace(":key", "key-0000000000000000").replace(":id", "inv_0000000000000000");
  return world.send(filled, { method: method as "GET" | "POST", token, ...(body === undefined ? {} : { body }) });
}

it.each(Object.keys(SCOPES))("%s allows its own operations and no others", async (scope) => {
  const token = await world.connect(`Program ${scope}`, [SCOPES[scope] ?? ""]);
  const before = await world.spentUt();
  for (const operation of OPERATIONS) {
    const { access }: AppEndpoint = APP_ENDPOINTS[operation];
    const { status, body } = await ask(operation, token);
    const isAllowed = access === "token" || access === scope;
    expect([operation, body.code === "APP_SCOPE" ? "refused" : "allowed"]).toEqual([operation, isAllowed ? "allowed" : "refused"]);
    if (!isAllowed) expect([operation, status]).toEqual([operation, 403]);
    // Requests of one connection are held to a rate, which follows this clock.
    world.chain.clock.advance(1_000);
  }
  if (scope !== "pay" && scope !== "call") {
    expect((await world.spentUt()) - before).toBe(0);
    expect((await world.app.approval.overview()).approvals).toEqual([]);
  }
  await world.send("/apps/v1/me", { method: "DELETE", token });
});

it("a connection without `wallet` learns neither address nor balance", async () => {
  const token = await world.connect("Curious", ["read", "invoices", "submit"]);
  expect((await world.send("/apps/v1/me", { token })).body).toMatchObject({ address: null, balance_ut: null });
});
