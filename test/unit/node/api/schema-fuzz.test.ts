// Every endpoint of the table with input made from its own schema and with input that breaks it: no response is a failure of the node,
// none is undocumented, none tells a path or a stack. The seed is fixed; a failure prints the request.
import fc from "fast-check";
import type { TSchema } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Api, api, type Operation } from "#shared/api/api.ts";
import type { AnyEndpoint } from "#shared/api/endpoint.ts";
import { hasBody } from "#shared/api/openapi.ts";
import { rawEndpoints } from "#shared/api/raw-endpoints.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { SECRET, webp } from "#test/support/host/sample-images.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, deviceKey, signed } from "#test/support/worlds/ledger-world.ts";

const RUNS = extent(40, 120);
/** Traces of the machine or of the program's insides. */
const LEAKS = /(?:\/work\/|\/home\/|\/tmp\/|\/usr\/|node_modules|\.ts:\d|\bat (?:async )?\w+ \(|SQLITE|TypeError|RangeError|Cannot read)/;

let world: ApiWorld;
let transferId: string;

beforeAll(async () => {
  world = await createApiWorld({
    genesis: CONTRACTS_GENESIS,
    services: { faucet: { give: () => ({ status: "accepted", id: "gift" }) } },
  });
  const paid = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 3, payload: { memo: "hi" } });
  transferId = paid.id;
  const txs = [paid, callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] })];
  for (const tx of txs) await world.services.mempool.submit(tx, world.clock.nowMs());
  world.commit();
});
beforeEach(() => {
  fc.configureGlobal({ seed: 20_260_101, endOnFailure: true });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Making one of these takes longer than to draw from it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Texts that mean something to one endpoint or another, or to something below it. */
const pointedText = once<fc.Arbitrary<string>>(() =>
  fc.oneof(
    fc.constantFrom(
      alice.pub,
      alice.pub.toUpperCase(),
      formatAddress(alice.pub),
      formatAddress(alice.pub).toUpperCase(),
      deviceKey(1),
      transferId,
    ),
    fc.constantFrom("0".repeat(64), "f".repeat(64), "reward-1", "tea", "cup", nativeContractId("tokens"), "t:tea:supply", "desc", "asc"),
    fc.constantFrom(
      "__proto__",
      "constructor",
      "toString",
      "../../etc/passwd",
      "%2e%2e%2f",
      "'; DROP TABLE blocks; --",
      "%",
      "*",
      "\u0000",
      "\uffff",
      "🙂",
      "e\u0301",
      "\u202e",
    ),
    fc.constantFrom(
      "",
      " ",
      "-1",
      "-0",
      "0",
      "1",
      "1.5",
      "1e3",
      "0x10",
      "9007199254740993",
      "18446744073709551615",
      "99999999999999999999",
      "NaN",
      "Infinity",
      "null",
      "true",
    ),
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.string({ maxLength: 600 }),
    fc.base64String({ maxLength: 200 }),
    fc.stringMatching(/^[0-9a-f]{64}$/),
  ),
);

/** Numbers at the edges of what JSON, JavaScript and SQLite can hold. */
const pointedNumber = once<fc.Arbitrary<number>>(() =>
  fc.oneof(
    fc.constantFrom(0, -0, 1, -1, 0.5, 999, 1_000, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -(2 ** 53)),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
);

const anything = once<fc.Arbitrary<unknown>>(() =>
  fc.oneof(
    pointedText(),
    pointedNumber(),
    fc.constantFrom(null, true, false, [], {}, [[]], { toString: 1 }),
    fc.jsonValue({ maxDepth: 4, depthSize: "small" }),
  ),
);

/** Values that fit a schema, mixed with values that do not. */
function inputOf(schema: TSchema): fc.Arbitrary<unknown> {
  const fields = schema as unknown as Readonly<Record<string, unknown>>;
  const fitting = fittingValue(fields);
  return fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: anything() });
}

function fittingValue(schema: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as readonly unknown[]));
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as readonly TSchema[]).map(inputOf));
  if (schema.type === "integer") return fc.oneof(fc.nat({ max: 300 }), pointedNumber());
  if (schema.type === "string") return pointedText();
  if (schema.type === "object") {
    const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, TSchema>>);
    return fc.record(Object.fromEntries(properties.map(([name, property]) => [name, inputOf(property)])), { requiredKeys: [] });
  }
  return schema.type === "null" ? fc.constant(null) : anything();
}

interface FuzzedRequest {
  readonly method: string;
  readonly url: string;
  readonly payload?: string;
  readonly headers: Readonly<Record<string, string>>;
}

function requestOf(endpoint: AnyEndpoint): fc.Arbitrary<FuzzedRequest> {
  return fc.tuple(inputOf(endpoint.params), inputOf(endpoint.query), inputOf(endpoint.body)).map(([params, query, body]) => {
    const values = (params ?? {}) as Readonly<Record<string, unknown>>;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encode(values[name] ?? "x"));
    const pairs = typeof query === "object" && query !== null ? Object.entries(query) : [];
    const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
    const url = search === "" ? path : `${path}?${search}`;
    const headers = { "content-type": "application/json" };
    return hasBody(endpoint)
      ? { method: endpoint.method, url, headers, payload: JSON.stringify(body) ?? "" }
      : { method: endpoint.method, url, headers: {} };
  });
}

function encode(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed());
}

async function check(request: FuzzedRequest): Promise<void> {
  const { method, url, headers, payload } = request;
  const response = await world.server.app.inject({
    method: method as "GET",
    url,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  const seen = `${method} ${url} ${payload ?? ""} → ${response.statusCode} ${response.body.slice(0, 200)}`;
  const isUnconfigured = url.startsWith("/api/update-check") && response.statusCode === 503;
  if (response.statusCode >= 500 && !isUnconfigured) throw new Error(`The node failed: ${seen}`);
  if (response.statusCode === 200) return;
  const { error } = response.json() as { readonly error: string };
  if (LEAKS.test(error.replaceAll(decoded(url), "").replaceAll(payload ?? "\u0000", ""))) {
    if (!isEcho(error, request)) throw new Error(`The error tells of the machine: ${seen}`);
  }
}

/** True when what looks like a leak is what the request itself said. */
function isEcho(error: string, { url, payload = "" }: FuzzedRequest): boolean {
  const leak = LEAKS.exec(error)?.[0] ?? "";
  return decoded(url).includes(leak) || payload.includes(leak);
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

describe("input from the schemas", () => {
  it.each((Object.keys(api) as Operation[]).map((operation) => [operation]))(
    "never makes %s fail",
    async (operation) => {
      const endpoint: AnyEndpoint = (api as Api)[operation];
      const logged = world.logLines.length;
      await fc.assert(fc.asyncProperty(requestOf(endpoint), check), { numRuns: RUNS });
      expect(world.logLines.slice(logged).filter((line) => line.includes('"level":"error"'))).toEqual([]);
    },
    60_000,
  );

  it("never makes the scrubbing of pictures fail", async () => {
    const start = webp(6);
    const damaged = fc.tuple(fc.nat({ max: start.length }), fc.uint8Array({ maxLength: 64 })).map(([at, bytes]) => {
      const copy = Buffer.from(start);
      copy.set(bytes.subarray(0, Math.max(0, copy.length - at)), at);
      return copy;
    });
    const property = fc.asyncProperty(
      damaged,
      fc.constantFrom("image/webp", "image/png", "image/avif", "text/plain", ""),
      async (payload, type) => {
        const response = await world.server.app.inject({
          method: "POST",
          url: rawEndpoints.scrubImage.path,
          payload,
          headers: { "content-type": type },
        });
        expect([200, 400, 415]).toContain(response.statusCode);
        if (response.statusCode === 200 && payload.equals(start)) expect(response.rawPayload.includes(SECRET)).toBe(false);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  it("never makes a path of anything fail", async () => {
    const path = fc.tuple(
      fc.constantFrom("/", "/api/", "/api/contracts/", "/relay/", "/v2/chain/", "/swagger/", "/metrics/"),
      pointedText(),
    );
    const property = fc.asyncProperty(
      path,
      fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"),
      async ([start, rest], method) => {
        const url = `${start}${encode(rest)}`;
        const { statusCode } = await world.server.app.inject({ method, url });
        expect([url, statusCode < 500 || url.includes("update-check")]).toEqual([url, true]);
      },
    );
    await fc.assert(property, { numRuns: RUNS * 3 });
  });
});
