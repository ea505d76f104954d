// The client that a build writes: it compiles in a strict project of its own, and calls a contract on a real node.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { type BuildResult, buildContract, saveContract } from "#node/contracts/build-contract.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { runCommand } from "#test/support/cli/live-command-context.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

// Names that the client has itself, words that TypeScript has, and every kind of type.
const SOURCE = `
import { Address, caller, demand, emit, Json, StorageMap, u128, u256, value } from "parley";
export const NAME = "corner-shop";
@struct class Signer { id: u64; parts: Signer[]; price: u128; }
@event class Placed { @indexed id: u64; @indexed buyer: Address; price: u128; }
@event class events { @indexed flag: bool; @indexed small: i8; @indexed wide: u256; parts: Signer[]; bytes: ArrayBuffer; }
const orders = new StorageMap<u64, u128>("orders");
const counts = new StorageMap<u64, u64>("counts");
@payable export function place(id: u64, price: u128): void {
  demand(!orders.has(id), "the id is taken");
  orders.set(id, price);
  emit(new Placed(id, caller(), price));
}
export function note(flag: bool, small: i8, wide: u256): void {
  emit(new events(flag, small, wide, [new Signer(u64.MAX_VALUE, [], u128.max)], new ArrayBuffer(2)));
}
export function send(text: u64): void { counts.set(text, counts.get(text) + 1); }
@view export function count(default_: u64): u64 { return counts.get(default_); }
@view export function order(id: u64): u128 { return orders.get(id); }
@view export function same(text: string, wide: u256, bytes: ArrayBuffer, flag: bool, small: i8, options: i64): string {
  return text + wide.toString() + (flag ? "+" : "-") + bytes.byteLength.toString() + small.toString() + options.toString();
}
@view export function list(list: Signer[], deflt: string | null): Signer[] { return list; }
@view export function none(a: Address | null): Address | null { return a; }
@view export function blob(a: ArrayBuffer): ArrayBuffer { return a; }
@view export function toString(a: Json): Json { return a; }
@view export function fails(): bool { demand(false, "it always does"); return true; }
`;

const CONSUMER = `
import { ContractError, CornerShopClient, type CornerShopRefusal, type EventEntry, type eventsEvent, isCornerShopError, type PlacedEvent, type Signer_ } from "./client.ts";
const client = new CornerShopClient({ url: "http://127.0.0.1:1", contractId: "00".repeat(8) });
const price: Promise<bigint> = client.order(5n);
const sent: Promise<{ readonly txId: string }> = client.place(1n, 2n, { amountUt: 5 });
const listed: Promise<readonly Signer_[]> = client.list([{ id: 1n, parts: [], price: 2n }], null);
const placed: Promise<readonly EventEntry<"Placed", PlacedEvent>[]> = client.events.placed({ id: 5n }, { since: 3, limit: 10 });
const live: AsyncGenerator<EventEntry<"events", eventsEvent>, void> = client.events.events.live({ flag: true });
// @ts-expect-error a field that is not indexed
void client.events.placed({ price: 5n });
// @ts-expect-error a u64 is a bigint
void client.events.placed.live({ id: 5 });
const refusal: CornerShopRefusal = "the id is taken";
// @ts-expect-error a method without @payable takes no µT
void client.send_(1n, { amountUt: 5 });
// @ts-expect-error a u64 is a bigint
void client.order(5);
// @ts-expect-error not a reason that the contract has
const wrong: CornerShopRefusal = "because";
export { ContractError, isCornerShopError, listed, live, placed, price, refusal, sent, wrong };
`;

interface Event {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly position: string;
}

interface Events {
  (where: object, options?: object): Promise<readonly Event[]>;
  live(where: object, options?: object): AsyncGenerator<Event, void>;
}

interface Client {
  [method: string]: (...args: readonly unknown[]) => Promise<unknown>;
}

let folder: TemporaryFolder;
let node: RunningNode;
let built: BuildResult;
let client: Client;
let contractId: string;
let module: { readonly [name: string]: new (options: object) => Client };

beforeAll(async () => {
  folder = await createTemporaryFolder();
  writeFileSync(join(folder.path, "contract.ts"), SOURCE);
  built = await buildContract(folder.path, () => undefined);
  saveContract(folder.path, built);
  node = await startNode({ dataDir: join(folder.path, "node") });
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const inBlock = (txid: string): Promise<object> => pollUntil(() => readCommitted(node.client, txid));
  await inBlock((await node.client.requestFaucet({ body: { to: alice.pub, amount_ut: 100_000_000 } })).id);
  const payload = { wasm_b64: toBase64(built.code), abi_json: built.abiJson, gas_limit: 20_000_000 };
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const draft = buildTransaction({ type: "DEPLOY_CONTRACT", from: alice.pub, payload }, { chainId, nowMs: Date.now(), random });
  const tx = signTransaction(draft, alice.seed);
  await node.client.submitTransaction({ body: tx });
  expect(await inBlock(tx.id)).toMatchObject({ status: "ok" });
  module = (await import(join(folder.path, "client.ts"))) as typeof module;
  const signer = { publicKey: alice.pub, sign: (message: Uint8Array) => signEd25519(message, alice.seed) };
  const Shop = module.CornerShopClient;
  if (Shop === undefined) throw new Error("The client has no class");
  contractId = deployedContractId(alice.pub, tx.id);
  client = new Shop({ url: node.baseUrl, contractId, signer });
}, 120_000);

afterAll(async () => {
  await node.kill();
  await folder.remove();
});

const call = (method: string, ...args: readonly unknown[]): Promise<unknown> =>
  client[method]?.(...args) ?? Promise.reject(new Error(method));

describe("the client of a contract", () => {
  it("compiles in a strict project, and types what is called and returned", async () => {
    writeFileSync(join(folder.path, "consumer.ts"), CONSUMER);
    const strict = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      erasableSyntaxOnly: true,
      noUnusedLocals: true,
    };
    const library = {
      target: "es2022",
      lib: ["es2022", "dom"],
      module: "nodenext",
      types: [],
      noEmit: true,
      allowImportingTsExtensions: true,
    };
    const config = { compilerOptions: { ...strict, ...library }, files: ["consumer.ts"] };
    writeFileSync(join(folder.path, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder.path]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("calls, and asks what came of it", async () => {
    const price = 2n ** 128n - 1n;
    expect(await call("place", 2n ** 64n - 1n, price, { amountUt: 5 })).toMatchObject({
      block: expect.any(Number),
      gasUsed: expect.any(Number),
    });
    expect([await call("order", 2n ** 64n - 1n), await call("order", 1n)]).toEqual([price, 0n]);
    const twice = await Promise.all([call("send_", 9n), call("send_", 9n)]);
    expect(new Set(twice.map((sent) => (sent as { readonly txId: string }).txId)).size).toBe(2);
    expect(await call("count", 9n)).toBe(2n);
  });

  it("pays the smallest fee that the network has by now, more for a large payload", async () => {
    const feeOf = async (id: bigint): Promise<number | undefined> => {
      const { txId } = (await call("place", id, 1n)) as { readonly txId: string };
      return (await readCommitted(node.client, txId))?.fee_ut;
    };
    const before = (await feeOf(20n)) ?? 0;
    expect(before).toBeGreaterThanOrEqual(1_000);
    const { fetch } = globalThis;
    let least = 3_000;
    const raised = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const isAsked = new URL(String(input)).pathname === "/api/params";
      return isAsked ? Response.json({ params: { min_fee_ut: least } }) : await fetch(input, init);
    });
    try {
      expect(await feeOf(21n)).toBe(before + 2_000);
      least = 1_000_001;
      await expect(call("place", 22n, 1n)).rejects.toMatchObject({ name: "NodeError", status: 502 });
    } finally {
      raised.mockRestore();
    }
  });

  it("sends nothing that would fail, and says why", async () => {
    await call("place", 7n, 1n);
    await expect(call("place", 7n, 1n)).rejects.toMatchObject({ code: "CONTRACT_ABORTED", reason: "the id is taken", txId: undefined });
    await expect(call("place", 7n, 1n)).rejects.toBeInstanceOf(module.ContractError);
    await expect(call("fails")).rejects.toMatchObject({ code: "CONTRACT_ABORTED", reason: "it always does" });
    await expect(call("place", 8n, 1n, { gas: 1_000 })).rejects.toMatchObject({ name: "NodeError", status: 400 });
    const other = new (module.CornerShopClient as new (options: object) => Client)({ url: node.baseUrl, contractId: "00".repeat(8) });
    await expect(other.order?.(5n)).rejects.toMatchObject({ name: "NodeError", status: 404 });
  });

  it("finds events by their fields, and waits for those that come", async () => {
    const { placed, events } = (client as unknown as { readonly events: Readonly<Record<string, Events>> }).events;
    if (placed === undefined || events === undefined) throw new Error("The client has no events");
    const [id, price] = [2n ** 64n - 2n, 2n ** 128n - 2n];
    const ended = new AbortController();
    const own = placed.live({ buyer: alice.pub, id }, { since: 0, signal: ended.signal });
    const first = own.next();
    const { block, txId } = (await call("place", id, price)) as { readonly block: number; readonly txId: string };
    const entry = {
      name: "Placed",
      fields: { id, buyer: alice.pub, price },
      txId,
      block,
      position: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    };
    expect(await first).toEqual({ done: false, value: { ...entry, timestamp: expect.any(Number) } });
    expect(await placed({ id }, { since: block })).toMatchObject([entry]);
    expect([await placed({ id: 1n }), await placed({ id }, { since: block + 1 })]).toEqual([[], []]);
    const waiting = own.next();
    ended.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });

    for (const small of [-128, 0, 127]) await call("note", true, small, 2n ** 255n);
    const fields = {
      flag: true,
      wide: 2n ** 255n,
      parts: [{ id: 2n ** 64n - 1n, parts: [], price: 2n ** 128n - 1n }],
      bytes: new Uint8Array(2),
    };
    const found = await events({ flag: true, wide: 2n ** 255n }, { order: "asc", limit: 2 });
    expect(found).toMatchObject([-128, 0].map((small) => ({ fields: { ...fields, small } })));
    expect(await events({ small: 127 }, { after: found[1]?.position, order: "asc" })).toMatchObject([
      { fields: { ...fields, small: 127 } },
    ]);
    const seen: unknown[] = [];
    for await (const { fields: got } of events.live({ wide: 2n ** 255n }, { since: 0 })) if (seen.push(got.small) === 3) break;
    expect(seen).toEqual([-128, 0, 127]);
  });

  it("is matched by contract logs, with names instead of keys", async () => {
    const logs = (...args: readonly string[]): ReturnType<typeof runCommand> =>
      runCommand(["contract", "logs", contractId, ...args, "--node", node.baseUrl]);
    const { code, stdout, stderr } = await logs(
      "--event",
      "Placed",
      "--where",
      `buyer=${formatAddress(alice.pub)}`,
      "--where",
      "id=18446744073709551614",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      new RegExp(`^\\d+ {2}Placed {2}id=18446744073709551614 {2}buyer=${alice.pub} {2}price=340282366920938463463374607431768211454$`),
    );
    expect((await logs("--event", "Placed", "--where", "id=5", "--json")).stdout).toContain('"logs":[]');
    expect((await logs("--event", "Paid")).stderr).toContain("has no event Paid: it has Placed, events");
    expect((await logs("--event", "Placed", "--where", "price=5")).stderr).toContain("indexed are id, buyer");
    expect((await logs("--event", "Placed", "--where", "id=x")).stderr).toContain('id is a whole number, and "x" is none');
    expect((await logs("--event", "Placed", "--where", "buyer=@not-here")).stderr).toContain("No account has the username @not-here");
    expect((await logs("--where", "id=5")).stderr).toContain("--event");
  });

  it("carries values of every type", async () => {
    const big = 2n ** 255n;
    const deep = { id: 1n, parts: [{ id: 2n ** 64n - 1n, parts: [], price: 0n }], price: 2n ** 127n };
    expect(await call("same", 'a"ü', big, Uint8Array.of(1, 2), true, -128, -(2n ** 63n))).toBe(`a"ü${big}+2-128${-(2n ** 63n)}`);
    expect(await call("list", [deep, deep], "x")).toEqual([deep, deep]);
    expect([await call("none", null), await call("none", alice.pub)]).toEqual([null, alice.pub]);
    expect(await call("blob", Uint8Array.of(0, 255))).toEqual(Uint8Array.of(0, 255));
    expect(await call("toString_", { a: [null, "5", true] })).toEqual({ a: [null, "5", true] });
  });
});
