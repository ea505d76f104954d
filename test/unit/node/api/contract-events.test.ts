// Events of a contract over HTTP: by name, by indexed fields, page by page, and the same from a light node.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { type LogQuery, parseLogPosition } from "#node/queries/contract-logs.ts";
import type { ReadQueries } from "#node/queries/read-queries.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import type { Input, Output } from "#shared/api/api.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { parseContractEvent } from "#shared/protocol/transactions/contract-events.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { explorerStores } from "#test/support/postgres/explorer-stores.ts";
import { buildSource } from "#test/support/vm/source-contract.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, signed } from "#test/support/worlds/ledger-world.ts";
import { lightQueriesHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource } from "#test/support/worlds/memory-light-source.ts";

const SOURCE = `
import { emit, log } from "parley";
export const NAME = "till";
@event class Paid { @indexed to: string; @indexed amount: u64; note: string; }
@event class Closed { at: u64; }
export function pay(to: string, amount: u64, times: u32): void {
  for (let i: u32 = 0; i < times; i++) { log("pays"); emit(new Paid(to, amount, i.toString())); }
}
export function close(at: u64): void { emit(new Closed(at)); }
`;
const GAS = 20_000_000;
/** Quotes, a line break, what a URL changes. */
const ODD = 'bo"b\n&a=b/%41';

type Logs = Output<"listContractLogs">["logs"];
type Query = Omit<Input<"listContractLogs">, "contractID">;

/** Compiled once for all stores: half of the time of this file. */
let built: BuiltContract | undefined;
let world: ApiWorld;
let client: NodeClient;
let id: string;
let reader: ReturnType<typeof openChainReader>;
let source: MemoryLightSource;
let light: ReadQueries;
let all: Logs;

async function expectSamePages(query: LogQuery): Promise<void> {
  for (let after: LogQuery["after"], isDone = false; !isDone; ) {
    const asked = after === undefined ? query : { ...query, after };
    const page = await light.contracts.logs(id, asked);
    expect(page).toEqual(await world.services.contracts.logs(id, asked));
    after = page.next === undefined ? undefined : parseLogPosition(page.next);
    isDone = after === undefined;
  }
}

describe.each(explorerStores())("over %s", (_, explorer) => {
  beforeAll(async () => {
    built ??= await buildSource(SOURCE);
    world = await createApiWorld({ genesis: CONTRACTS_GENESIS, explorer });
    client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
    const deployment = signed(alice, {
      type: "DEPLOY_CONTRACT",
      payload: { wasm_b64: toBase64(built.code), abi_json: built.abiJson, gas_limit: GAS },
    });
    await client.submitTransaction({ body: deployment });
    world.commit();
    id = deployedContractId(alice.pub, deployment.id);
    const calls: (readonly [string, ...unknown[]])[][] = [
      [
        ["pay", "ann", 1, 2],
        ["close", 1],
      ],
      [
        ["pay", ODD, 1, 1],
        ["pay", "ann", 2, 1],
      ],
      [["close", 2]],
      // More events than the gas of the call pays entries for.
      [
        ["pay", "ann", 1, 32],
        ["pay", "", 1, 1],
      ],
    ];
    for (const block of calls) {
      for (const [method, ...args] of block) {
        const payload = { contract_id: id, method, args_json: JSON.stringify(args), gas_limit: GAS };
        await client.submitTransaction({ body: signed(alice, { type: "CALL_CONTRACT", payload }) });
      }
      world.commit();
    }
    reader = openChainReader(world.directory);
    source = createMemoryLightSource(reader, world.clock);
    light = lightQueriesHere(source, CONTRACTS_GENESIS, world.clock);
    all = (await client.listContractLogs({ contractID: id, limit: 100 })).logs;
  }, 60_000);
  afterAll(async () => {
    reader.close();
    await world[Symbol.asyncDispose]();
  });

  async function pagesOf(query: Query): Promise<Logs> {
    const found: Logs[number][] = [];
    for (let after = query.after, isDone = false; !isDone; ) {
      const page = await client.listContractLogs({ contractID: id, ...query, ...(after === undefined ? {} : { after }) });
      expect(page.count).toBe(page.logs.length);
      found.push(...page.logs);
      after = page.next_after;
      isDone = after === undefined;
    }
    return found;
  }

  const statusOf = async (query: string): Promise<number> =>
    (await world.server.app.inject(`/api/contracts/${id}/logs?${query}`)).statusCode;

  describe("events of a contract", () => {
    const isPaid = (log: Logs[number], where: Readonly<Record<string, string>>): boolean => {
      const event = parseContractEvent(log.message);
      const values = Object.fromEntries(event?.index.map(({ field, value }) => [field, value]) ?? []);
      return event?.name === "Paid" && Object.entries(where).every(([field, value]) => values[field] === value);
    };

    it.each([
      [{}],
      [{ to: "ann" }],
      [{ to: ODD }],
      [{ to: "" }],
      [{ amount: "1" }],
      [{ amount: "1", to: "ann" }],
      [{ to: "ann", amount: "9" }],
      [{ none: "x" }],
    ])("where %j are found in either order and pages of any size", async (where) => {
      const expected = all.filter((log) => isPaid(log, where));
      const filter = { event: "Paid", ...(Object.keys(where).length === 0 ? {} : { where: JSON.stringify(where) }) };
      for (const limit of [1, 3, 100]) {
        expect(await pagesOf({ ...filter, limit })).toEqual(expected);
        expect(await pagesOf({ ...filter, limit, order: "asc" })).toEqual(expected.toReversed());
      }
    });

    it("are all there, among lines that are none", () => {
      const count = (name: string | undefined): number => all.filter(({ message }) => parseContractEvent(message)?.name === name).length;
      expect([count("Paid"), count("Closed"), count(undefined)]).toEqual([37, 2, 37]);
    });

    it("begin with a block, and continue behind an entry", async () => {
      const heights = [...new Set(all.map(({ block_index: height }) => height))].sort();
      const from = heights[1] ?? 0;
      expect(await pagesOf({ since: from })).toEqual(all.filter(({ block_index: height }) => height >= from));
      expect(await pagesOf({ since: (heights.at(-1) ?? 0) + 1 })).toEqual([]);
      const middle = all[20];
      expect(await pagesOf({ after: middle?.position ?? "", limit: 7 })).toEqual(all.slice(21));
      expect(await pagesOf({ after: middle?.position ?? "", limit: 7, order: "asc" })).toEqual(all.slice(0, 20).toReversed());
      expect(await pagesOf({ after: all[0]?.position ?? "", order: "asc" })).toEqual([]);
    });

    it("are asked for in words that are refused when they make no sense", async () => {
      const where = (value: unknown): string => `event=Paid&where=${encodeURIComponent(JSON.stringify(value))}`;
      for (const query of [
        "event=",
        "event=1x",
        "event=a%20b",
        "where=%7B%7D",
        "after=x",
        "after=1.2",
        "after=1.2.3.4",
        "order=up",
        "since=-1",
        "since=a",
      ])
        expect([query, await statusOf(query)]).toEqual([query, 400]);
      for (const value of [{}, [], null, "to", { to: 1 }, { to: "x".repeat(97) }, { a: "", b: "", c: "", d: "" }])
        expect([value, await statusOf(where(value))]).toEqual([value, 400]);
      expect(await statusOf("event=Paid&where=%7B")).toBe(400);
      expect(await statusOf(`after=${"9".repeat(15)}.9999.9999&order=asc&since=${Number.MAX_SAFE_INTEGER}`)).toBe(200);
      expect(await statusOf(where({ to: "x".repeat(96), __proto__x: "1" }))).toBe(200);
    });
  });

  describe("a light node", () => {
    const queries: readonly LogQuery[] = ["asc" as const, "desc" as const].flatMap((order) =>
      [1, 5, 100].flatMap((limit) =>
        [
          undefined,
          { event: "Paid", where: [] },
          { event: "Paid", where: [{ field: "to", value: ODD }] },
          { event: "Closed", where: [] },
        ].map((filter) => ({
          limit,
          order,
          ...(filter === undefined ? {} : { filter }),
        })),
      ),
    );

    it("has the same pages as a full one", async () => {
      for (const query of queries) await expectSamePages(query);
    });

    it("shows nothing that is not in a proven receipt or does not fit, and refuses a list that never ends", async () => {
      const paid: LogQuery = { limit: 5, order: "desc", filter: { event: "Paid", where: [{ field: "to", value: ODD }] } };
      const honest = await light.contracts.logs(id, paid);
      expect(honest.items).toHaveLength(1);
      source.tell = (operation, response): unknown => {
        if (operation !== "listContractLogs") return response;
        // Every transaction of the log, with words of the peer's own.
        return { ...(response as object), logs: all.map((log) => ({ ...log, message: honest.items[0]?.message ?? "" })) };
      };
      expect(await light.contracts.logs(id, paid)).toEqual(honest);
      const end = all[40]?.position ?? "";
      source.tell = (operation, response): unknown =>
        operation === "listContractLogs" ? { ...(response as object), next_after: end } : response;
      expect(await light.contracts.logs(id, { limit: 100, order: "desc" })).toEqual({ items: all.slice(0, 41), next: end });
      const behind = { height: 3, position: 0, line: 0 };
      for (const next of ["3.0.0", "3.0.1", "9.0.0", "no"]) {
        source.tell = (operation, response): unknown =>
          operation === "listContractLogs" ? { ...(response as object), next_after: next } : response;
        await expect(light.contracts.logs(id, { ...paid, after: behind })).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
      }
      source.tell = undefined;
    });
  });
});
