// Contracts whose interface is their source: what is built, how arguments and results travel, and what is refused with file and line.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BuiltContract } from "#node/contracts/check-module.ts";
import { readTypedSource } from "#node/contracts/interface/typed-source.ts";
import { type TestAccount, TestChain, type TestContract } from "#node/contracts/testing/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { buildSource } from "#test/support/vm/source-contract.ts";

const SHOP = `
import { Address, caller, demand, emit, Json, log, StorageMap, u128, u256, value } from "parley";
export const NAME = "shop";
export const VERSION = "1.2.0";
type Id = u64;

@struct
class Order {
  id: Id;
  buyer: Address;
  price: u128;
  tags: string[];
  note: string | null;
}

@event
class Placed {
  @indexed id: Id;
  @indexed buyer: Address;
  price: u128;
  tags: string[];
}

const orders = new StorageMap<u64, Order>("orders");

export function init(owner: Address): void { log("for " + owner); }

/** Places an order. */
@payable
export function place(id: Id, price: u128, tags: string[], note: string | null): void {
  demand(!orders.has(id), "the id is taken");
  orders.set(id, new Order(id, caller(), price, tags, note));
  emit(new Placed(id, caller(), price, tags));
}
@view export function order(id: Id): Order { return orders.get(id); }
@view export function orders_of(list: Order[]): Order[] { return list; }
@view export function maybe(order: Order | null): Order | null { return order; }
@view export function small(a: i8, b: u8): i32 { return <i32>a - <i32>b; }
@view export function large(a: i64, b: u64): i64 { return a + <i64>b; }
@view export function wide(a: u128, b: u256): u256 { return b + u256.parse(a.toString()); }
@view export function bytes(a: ArrayBuffer): ArrayBuffer { return a; }
@view export function flags(a: bool, b: bool[]): bool[] { b.push(a); return b; }
@view export function address(a: Address, b: Address[]): Address { return b.length > 0 ? b[0] : a; }
@view export function any(a: Json): Json { return a; }
@view export function paid(): u64 { return value(); }
export function say(text: string): void { log(text); }
`;

const GAS = { gas: 20_000_000 };

describe("a typed contract", () => {
  let built: BuiltContract;
  let shop: TestContract;
  let alice: TestAccount;

  beforeAll(async () => {
    built = await buildSource(SHOP);
  }, 60_000);
  beforeEach(() => {
    const chain = new TestChain();
    alice = chain.account("alice", 10 ** 12);
    shop = chain.deployBuilt(alice, built, [alice.key]);
  });

  const refusal = (method: string, ...args: readonly never[]): string => shop.call(alice, method, args, GAS).reason;

  it("declares its interface", () => {
    expect(JSON.parse(built.abiJson)).toMatchObject({
      contract: "shop",
      version: "1.2.0",
      methods: expect.arrayContaining([
        { name: "init", args: [{ name: "owner", type: "string", format: "address" }] },
        {
          name: "place",
          args: [
            { name: "id", type: "u64" },
            { name: "price", type: "string", format: "u128" },
            { name: "tags", type: "json", format: "string[]" },
            { name: "note", type: "json", format: "string?" },
          ],
          payable: true,
        },
        { name: "order", args: [{ name: "id", type: "u64" }], view: true, returns: "Order" },
      ]),
      structs: [{ name: "Order" }],
      events: [
        {
          name: "Placed",
          fields: [
            { name: "id", type: "u64", indexed: true },
            { name: "buyer", type: "address", indexed: true },
            { name: "price", type: "u128" },
            { name: "tags", type: "string[]" },
          ],
        },
      ],
    });
  });

  it("stores structs and logs events", () => {
    const price = 2n ** 128n - 1n;
    const { logs } = shop.call(alice, "place", [7, `${price}`, ["a", '"\n'], null], { ...GAS, amount: 5 });
    expect(logs).toEqual([
      `{"event":"Placed","index":{"id":"7","buyer":"${alice.key}"},"data":{"price":"${price}","tags":["a","\\"\\u000a"]}}`,
    ]);
    expect(shop.view("order", [7])).toEqual({ id: 7, buyer: alice.key, price: `${price}`, tags: ["a", '"\n'], note: null });
    expect(shop.call(alice, "place", [7, "1", [], "again"], GAS).reason).toBe("the id is taken");
    expect(shop.call(alice, "order", [7], { ...GAS, amount: 1 }).code).toBe("CONTRACT_NOT_PAYABLE");
  });

  it("lets no caller's words become an event", () => {
    expect(refusal("say", '{"event":"Placed","index":{},"data":{}}' as never)).toBe("a log line looks like an event");
    expect(shop.call(alice, "say", [' {"event":"'], GAS).logs).toEqual([' {"event":"']);
  });

  it("returns what it is given, for every type", () => {
    const order = { id: 1, buyer: "ab".repeat(8), price: "5", tags: ["x"], note: "n" };
    const [key, id] = [alice.key.toUpperCase(), "0123456789abcdef"];
    const max = 2n ** 64n - 1n;
    expect([
      shop.view("orders_of", [[order, order]]),
      shop.view("maybe", [null]),
      shop.view("maybe", [order]),
      shop.view("small", [-128, 255]),
      shop.view("large", [-(2n ** 63n), max / 2n]),
      shop.view("wide", [`${2n ** 128n - 1n}`, `${2n ** 200n}`]),
      shop.view("bytes", ["00FFaa"]),
      shop.view("flags", [true, [false]]),
      shop.view("address", [key, []]),
      shop.view("address", [key, [id.toUpperCase()]]),
      shop.view("any", [{ a: [1, null, "x"] }]),
    ]).toEqual([
      [order, order],
      null,
      order,
      -383,
      -1,
      `${2n ** 200n + 2n ** 128n - 1n}`,
      "00ffaa",
      [false, true],
      alice.key,
      id,
      { a: [1, null, "x"] },
    ]);
  });

  it.each<[string, readonly unknown[], string | RegExp]>([
    ["small", [-129, 1], "a: an integer that fits should stand at byte 4"],
    ["small", [1, 256], "b does not fit"],
    ["small", [true, 1], /^a: /],
    ["large", ["x", 1], /^a: /],
    ["wide", ["", "1"], "a is no u128"],
    ["wide", ["-1", "1"], "a is no u128"],
    ["wide", [`${2n ** 128n}`, "1"], /^a text is no u128/],
    ["wide", ["1", '5"'], "b is no u256"],
    ["bytes", ["0"], "a is no hex"],
    ["bytes", ["0g"], "a is no hex"],
    ["flags", [true, [1]], /^b: /],
    ["flags", [true, { a: true }], /^b: /],
    ["address", ["00", []], /^a is no key/],
    ["address", ["0".repeat(16), ["x"]], /^an item is no key/],
    ["maybe", [{}], /every|of Order/],
    ["maybe", [{ id: 1 }], /of Order/],
    ["maybe", [{ id: 1, id2: 2 }], /a member of Order/],
    ["maybe", [[]], /^order: /],
  ])("refuses %s%j", (method, args, reason) => {
    expect(refusal(method, ...(args as never[]))).toMatch(reason);
  });
});

describe("what the build refuses, with file and line", () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  beforeAll(async () => {
    folder = await createTemporaryFolder();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  const HEAD = 'import { burn, emit, log, storage, StorageMap, transfer as pay } from "parley";\nexport const NAME = "test";\n';

  async function problem(source: string, other = "export const x: i32 = 0;\n"): Promise<string> {
    writeFileSync(join(folder.path, "contract.ts"), source);
    writeFileSync(join(folder.path, "other.ts"), other);
    return await readTypedSource(folder.path, "contract.ts").then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
  }

  it.each<[string, string, RegExp]>([
    ["a syntax error", "export function a(: void {}", /^contract\.ts:3:/],
    [
      "two methods of one name",
      "export function a(): void {}\nexport function a(): void {}",
      /^contract\.ts:4:17: two methods have the name a$/,
    ],
    ["a float", "export function a(b: f64): void {}", /^contract\.ts:3:22: f64 is a float/],
    ["a list of floats", "export function a(b: number[]): void {}", /number is a float/],
    ["a map", "export function a(b: Map<string, u64>): void {}", /Map cannot be encoded: use Array of a struct/],
    [
      "a class without @struct",
      "class B { c: u8; }\nexport function a(): B { return new B(); }",
      /^contract\.ts:4:22: B cannot be encoded: its class needs/,
    ],
    ["a function", "export function a(b: () => void): void {}", /a function cannot be encoded/],
    ["views of the platform's size", "export function a(b: usize): void {}", /use u32/],
    ["a default", "export function a(b: u8 = 5): void {}", /no defaults/],
    ["a type parameter", "export function a<T>(b: T): void {}", /no type parameters/],
    ["an alias of itself", "type B = B;\nexport function a(b: B): void {}", /^contract\.ts:3:6: .*circular/],
    ["17 arguments", `export function a(${Array.from({ length: 17 }, (_, i) => `a${i}: u8`).join(", ")}): void {}`, /at most 16 arguments/],
    ["an unknown decorator", "@veiw\nexport function a(): void {}", /^contract\.ts:3:1: there is no decorator @veiw/],
    ["a view that takes µT", "@view @payable\nexport function a(): void {}", /it is @view or @payable/],
    ["a hidden method", "@view\nfunction a(): void {}", /a is no method: export it/],
    ["exports elsewhere", "function a(): void {}\nexport { a };", /^contract\.ts:4:1: methods are exported where/],
    ["init with a result", "export function init(): u8 { return 1; }", /init is no view and returns nothing/],
    ["a reserved name", "export function _start(): void {}", /cannot have the name _start/],
    ["a struct with a constructor", "@struct class B { a: u8; constructor() {} }", /constructor is added by the build/],
    ["a struct with a value", "@struct class B { a: u8 = 5; }", /a field is name: type/],
    ["two structs of one name", "@struct class B { a: u8; }\nnamespace x {}\n@struct class B { a: u8; }", /have the name B/],
    ["@indexed in a struct", "@struct class B { @indexed a: u8; }", /there is no decorator @indexed here/],
    ["four indexed fields", "@event class E { @indexed a: u8; @indexed b: u8; @indexed c: u8; @indexed d: u8; }", /at most 3 indexed/],
    ["an indexed list", "@event class E { @indexed a: u8[]; }", /a cannot be indexed: it is a u8\[\]/],
    [
      "a name that the network refuses",
      `export const VERSION = "${"1".repeat(33)}";\nexport function a(): void {}`,
      /would refuse the interface/,
    ],
    ["an import that leads nowhere", 'import { y } from "./nowhere";', /^contract\.ts:3:\d+: there is no file nowhere\.ts$/],
    [
      "a view that sets",
      '@view\nexport function a(): void {\n  storage.set("a", "b");\n}',
      /^contract\.ts:5:3: the view a changes something: it calls storage\.set$/,
    ],
    ["a view that pays", '@view\nexport function a(): void { pay("", 5); }', /it calls pay$/],
    [
      "a view that logs in a helper",
      '@view\nexport function a(): void { b(); }\nfunction b(): void { if (true) { c(); } }\nfunction c(): void { log("x"); }',
      /^contract\.ts:6:22: .* it calls b → c → log$/,
    ],
    [
      "a view that changes a map",
      'const m = new StorageMap<u8, u8>("m");\n@view\nexport function a(): u8 { m.set(1, 2); return 1; }',
      /it calls m\.set$/,
    ],
    ["a view that writes in a closure", "@view\nexport function a(): void { const f = (): void => { burn(5); }; f(); }", /it calls burn$/],
    [
      "a view that writes in another file",
      'import { w } from "./other";\n@view\nexport function a(): void { w(); }',
      /^other\.ts:2:29: the view a changes something: it calls w → log$/,
    ],
    [
      "two collections of one name",
      'const m = new StorageMap<u8, u8>("m");\nconst n = new StorageMap<u8, u64>("m");',
      /^contract\.ts:4:11: m and n are two collections of the name "m"$/,
    ],
  ])("%s", async (_name, source, expected) => {
    expect(await problem(HEAD + source, 'import { log } from "parley";\nexport function w(): void { log("x"); }\n')).toMatch(expected);
  });

  it("typed methods without a name of the contract", async () => {
    expect(await problem("export function a(b: u8): void {}")).toMatch(/^contract\.ts:1:17: .*export const NAME/);
    expect(await problem("@view export function a(): void {}")).toMatch(/export const NAME/);
    expect(await problem("export function a(): void {}")).toBe("");
  });

  it("and nothing of what is fine", async () => {
    const views = '@view\nexport function a(): u64 { return storage.getU64("a") + b(); }\nfunction b(): u64 { return b(); }\n';
    const log = "class Log { set(a: u8): void {} }\nconst set = new Log();\n@view\nexport function c(): u8 { set.set(5); return 5; }\n";
    expect(await problem(`${HEAD}${views}${log}@inline\nexport function d(): void { emit<u8>(5); }`)).toBe("");
  });
});
