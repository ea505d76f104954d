// What a gateway passes on to its node, and what never: the node takes it for its owner.
import { beforeEach, expect, it } from "vitest";
import type { Handlers, RequestContext } from "#node/api/handler-types.ts";
import { resolveApiOptions } from "#node/api/options.ts";
import { ElsewhereError } from "#node/gateway/public/explorer/elsewhere-error.ts";
import type { NodeRequest, NodeResponse } from "#node/gateway/public/node-links.ts";
import { createProxiedHandlers, type ProxiedHandlersDependencies } from "#node/gateway/public/server/proxied-handlers.ts";

let asked: string[];
let answer: Omit<NodeResponse, "at">;
const counts = { database: 0, node: 0 };
const elsewhere = (): never => {
  throw new ElsewhereError();
};
let handlers: Handlers;

beforeEach(() => {
  asked = [];
  answer = { status: 200, text: "{}" };
  handlers = createProxiedHandlers({
    mail: {},
    explorer: {
      explorer: { getBlock: elsewhere, accountFeed: elsewhere },
      state: { contracts: { contract: elsewhere }, search: { search: elsewhere } },
      counts,
    },
    links: {
      request: (path: string, { method }: NodeRequest) => {
        asked.push(`${method} ${path}`);
        return Promise.resolve({ ...answer, at: 0 });
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

it("asks the node for what the database lacks, and passes on that no one has a block any more", async () => {
  const context = {} as RequestContext;
  answer = { status: 410, text: JSON.stringify({ error: "This node holds the blocks from 900 on" }) };
  const account = "ab".repeat(32);
  const calls = [
    handlers.getBlock({ index: 3 }, context),
    handlers.getAccountFeed({ account_id: account, after_block: 2 }, context),
    handlers.getContract({ contractID: "ab".repeat(8) }, context),
    handlers.search({ q: "3" }, context),
  ];
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ status: 410, message: expect.stringContaining("holds the blocks from 900 on") });
  expect(counts).toEqual({ database: 0, node: 4 });
  const asking = [`/api/block/3`, `/v2/chain/accounts/${account}/transactions?after_block=2`, `/api/contracts/${"ab".repeat(8)}`];
  expect(asked).toEqual([...asking, "/api/search?q=3"].map((path) => `GET ${path}`));
});
