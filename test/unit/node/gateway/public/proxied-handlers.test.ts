// What a gateway passes on to its node, and what never: the node takes it for its owner.
import { beforeEach, expect, it } from "vitest";
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { resolveApiOptions } from "#node/api/options.ts";
import type { NodeRequest } from "#node/gateway/public/node-links.ts";
import { createProxiedHandlers, type ProxiedHandlersDependencies } from "#node/gateway/public/server/proxied-handlers.ts";

let asked: string[];
let handlers: Handlers;

beforeEach(() => {
  asked = [];
  handlers = createProxiedHandlers({
    mail: {},
    explorer: {},
    links: {
      request: (path: string, { method }: NodeRequest) => {
        asked.push(`${method} ${path}`);
        return Promise.resolve({ status: 200, text: "{}", at: 0 });
      },
    },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    options: resolveApiOptions({ listenHost: "127.0.0.1" }),
  } as unknown as ProxiedHandlersDependencies);
});

it("passes nothing on that nodes do for their owners alone", async () => {
  const context = { isOwn: true, looksLocal: true } as RequestContext;
  const place = { url: "http://localhost:1/", path: "a" };
  const calls: (() => unknown)[] = [
    (): unknown => handlers.openCallRelay({ body: {} }, context),
    (): unknown => handlers.readRate({ body: place }, context),
    (): unknown => handlers.readPage({ body: { url: "https://page.example/" } }, context),
    (): unknown => handlers.requestDuty({ body: {} as never }, context),
    (): unknown => handlers.holdMail({ body: { name: "", not_before: 0, envelopes: [] } }, context),
    (): unknown => handlers.withdrawMail({ body: { name: "" } }, context),
  ];
  for (const call of calls) await expect(Promise.resolve().then(call)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(asked).toEqual([]);
});

it("counts public cards and lists of devices as a node would, which asks others for them and counts nothing of its gateway's", async () => {
  const spent: number[] = [];
  const context = { spend: (requests: number) => void spent.push(requests) } as RequestContext;
  const device = "ab".repeat(32);
  await handlers.getCard({ device, master_pub: device }, context);
  await handlers.putCard({ device, body: { card: "AA==" } }, context);
  await handlers.listDevicesOfMany({ body: { accounts: Array.from({ length: 40 }, () => device) } }, context);
  expect([spent, asked]).toEqual([
    [3, 3, 2],
    [`GET /relay/cards/${device}?master_pub=${device}`, `PUT /relay/cards/${device}`, "POST /api/devices"],
  ]);
  const refused = {
    spend: (): never => {
      throw new Error("too many");
    },
  } as unknown as RequestContext;
  expect(() => handlers.getCard({ device, master_pub: device }, refused)).toThrow("too many");
  expect(asked).toHaveLength(3);
});
