// The client that a build writes: it compiles in a strict project of its own, and calls a contract on a real node.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { type BuildResult, buildContract, saveContract } from "#node/contracts/build-contract.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { toBase64 } from "#shared/util/bytes.ts";
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
const orders = new StorageMap<u64, u128>("orders");
const counts = new StorageMap<u64, u64>("counts");
@payable export function place(id: u64, price: u128): void {
  demand(!orders.has(id), "the id is taken");
  orders.set(id, price);
  emit(new Placed(id, caller(), price));
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
import { ContractError, CornerShopClient, type CornerShopRefusal, isCornerShopError, type Signer_ } from "./client.ts";
const client = new CornerShopClient({ url: "http://127.0.0.1:1", contractId: "00".repeat(8) });
const price: Promise<bigint> = client.order(5n);
const sent: Promise<{ readonly txId: string }> = client.place(1n, 2n, { amountUt: 5 });
const listed: Promise<readonly Signer_[]> = client.list([{ id: 1n, parts: [], price: 2n }], null);
const refusal: CornerShopRefusal = "the id is taken";
// @ts-expect-error a method without @payable takes no µT
void client.send_(1n, { amountUt: 5 });
// @ts-expect-error a u64 is a bigint
void client.order(5);
// @ts-expect-error not a reason that the contract has
const wrong: CornerShopRefusal = "because";
export { ContractError, isCornerShopError, listed, price, refusal, sent, wrong };
`;

interface Client {
  [method: string]: (...args: readonly unknown[]) => Promise<unknown>;
}

let folder: TemporaryFolder;
let node: RunningNode;
let built: BuildResult;
let client: Client;
let module: { readonly [name: string]: new (options: object) => Client };

beforeAll(async () => {
  folder = await createTemporaryFolder();
  writeFileSync(join(folder.path, "contract.ts"), SOURCE);
  built = await buildContract(folder.path, () => undefined);
  saveContract(folder.path, built);
  node = await startNode({ dataDir: join(folder.path, "node") });
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const inBlock = (txid: string): Promise<object> => pollUntil(() => node.client.getTransaction({ txid }));
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
  client = new Shop({ url: node.baseUrl, contractId: deployedContractId(alice.pub, tx.id), signer });
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

  it("sends nothing that would fail, and says why", async () => {
    await call("place", 7n, 1n);
    await expect(call("place", 7n, 1n)).rejects.toMatchObject({ code: "CONTRACT_ABORTED", reason: "the id is taken", txId: undefined });
    await expect(call("place", 7n, 1n)).rejects.toBeInstanceOf(module.ContractError);
    await expect(call("fails")).rejects.toMatchObject({ code: "CONTRACT_ABORTED", reason: "it always does" });
    await expect(call("place", 8n, 1n, { gas: 1_000 })).rejects.toMatchObject({ name: "NodeError", status: 400 });
    const other = new (module.CornerShopClient as new (options: object) => Client)({ url: node.baseUrl, contractId: "00".repeat(8) });
    await expect(other.order?.(5n)).rejects.toMatchObject({ name: "NodeError", status: 404 });
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
