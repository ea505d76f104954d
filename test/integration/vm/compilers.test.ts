// Contracts have one compiler wherever they run, however the runtime was started: a recursion whose frames the optimising one makes large
// comes to the meter's outcome, before and after its function was called often. The first test shows that the recursion is such a one.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";
import { EAGER_FLAGS, WARM_RECURSION, WARMING_CALLS } from "#test/support/vm/warm-recursion.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";
import { type Actor, alice } from "#test/support/worlds/ledger-world.ts";

const OVERFLOW = "CONTRACT_STACK_OVERFLOW";
const GAS = 50_000_000;
const program = (name: string): string => fileURLToPath(new URL(`../../support/vm/${name}.ts`, import.meta.url));

async function run(flags: readonly string[], name: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program(name), ...args], { env: {} });
  return stdout;
}

describe("a recursion that the optimising compiler makes deep", () => {
  it("ends at the engine's limit where the engine chooses its compiler", async () => {
    expect(await run(EAGER_FLAGS, "warm-outcomes", "any")).toBe(`${OVERFLOW}, RangeError: Maximum call stack size exceeded`);
  });

  it.each(["", EAGER_FLAGS.join(" "), "--no-liftoff"])("ends at the meter's in a program started with flags %j", async (flags) => {
    expect(await run(flags.split(" ").filter(Boolean), "warm-outcomes")).toBe(`${OVERFLOW}, ${OVERFLOW}`);
  });

  it("ends at the meter's in a thread", async () => {
    const worker = new Worker(program("warm-outcomes"), { resourceLimits: { stackSizeMb: 1 } });
    expect(await once(worker, "message")).toEqual([`${OVERFLOW}, ${OVERFLOW}`]);
    await worker.terminate();
  });
});

describe("a node", () => {
  let folder: TemporaryFolder;
  let node: RunningNode;
  let contractID: string;
  let chainId: string;
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    node = await startNode({ dataDir: folder.path, runtimeFlags: EAGER_FLAGS });
    chainId = (await node.client.getNetworkInfo({})).chain_id;
    await inBlock((await node.client.requestFaucet({ body: { to: alice.pub, amount_ut: 100_000_000 } })).id);
    const methods = ["warm", "run"].map((name) => ({ name, args: [], view: true }));
    const abi_json = JSON.stringify({ contract: "deep", version: "1", methods });
    const payload = { wasm_b64: toBase64(buildModule(WARM_RECURSION)), abi_json, gas_limit: 10_000_000 };
    const { id } = await submit(alice, { type: "DEPLOY_CONTRACT", payload });
    contractID = deployedContractId(alice.pub, id);
  });
  afterAll(async () => {
    await node.kill();
    await folder.remove();
  });

  const inBlock = (txid: string): Promise<object> => pollUntil(() => readCommitted(node.client, txid));

  async function submit<T extends TransactionType>(sender: Actor, draft: Omit<TransactionDraft<T>, "from">): Promise<Transaction> {
    const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
    const tx = signTransaction(buildTransaction({ ...draft, from: sender.pub }, { chainId, nowMs: Date.now(), random }), sender.seed);
    await node.client.submitTransaction({ body: tx });
    return { ...tx, ...(await inBlock(tx.id)) };
  }

  it("comes to the meter's outcome where it answers calls", async () => {
    const view = async (method: string): Promise<unknown> => await node.client.callView({ contractID, body: { method } });
    expect(await view("run")).toMatchObject({ code: OVERFLOW });
    for (let count = 0; count < WARMING_CALLS; count += 1) expect(await view("warm")).toMatchObject({ status: "ok" });
    expect(await view("run")).toMatchObject({ code: OVERFLOW });
  });

  it("comes to the meter's outcome where it makes blocks", async () => {
    const call = (method: string): ReturnType<typeof submit> =>
      submit(alice, { type: "CALL_CONTRACT", payload: { contract_id: contractID, method, args_json: "[]", gas_limit: GAS } });
    expect(await call("warm")).toMatchObject({ status: "ok" });
    expect(await call("run")).toMatchObject({ error: "The contract failed: its calls were nested too deep." });
    expect(node.child.exitCode).toBe(null);
  });
});

describe("the native stack", () => {
  // What the engine takes when nothing else is said; a thread that has less does not run contracts.
  const flags = ["--stack-size=984"];

  it("has room for three quarters more words than the meter gives out, whatever the frames look like", async () => {
    const fewest = JSON.parse(await run(flags, "frame-search", "1", "120")) as { readonly words: number; readonly seed: number };
    expect(fewest.words, `seed ${fewest.seed}`).toBeGreaterThan(1.75 * STACK_WORDS);
  });

  for (const size of [80, 95, 110])
    it(
      `of ${size} KiB ends a call within the host by a failure of the machine, never by an outcome`,
      wholeUnless(size === 80),
      async () => {
        const outcomes = JSON.parse(await run([`--stack-size=${size}`], "fault-outcomes")) as readonly (readonly [
          string,
          readonly string[],
        ])[];
        expect(outcomes.map(([name]) => name)).toEqual(["log", "key_usable", "sig_verify", "call"]);
        for (const [name, found] of outcomes) expect(found, name).toEqual(["ok", "the machine fails"]);
      },
    );

  it("of that size is no matter to a machine that interprets what its engine fails at", WHOLE_ONLY, async () => {
    const outcomes = JSON.parse(await run(["--stack-size=95"], "fault-outcomes", "spare")) as readonly (readonly [
      string,
      readonly string[],
    ])[];
    for (const [name, found] of outcomes) expect(found, name).toEqual(["ok"]);
  });
});
