// Payments to several people leave once each, whatever the node responds and wherever the page ends.
import "fake-indexeddb/auto";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Batch,
  type BatchRowState,
  clearBatch,
  closeBatch,
  noteRow,
  openBatch,
  reloadBatch,
  storeBatch,
  useBatchStore,
} from "#renderer/lib/transactions/sending/batch-store.ts";
import { type BatchSteps, type NodeTip, runBatch } from "#renderer/lib/transactions/sending/run-batch.ts";
import { type DurableRecords, openDurableRecords } from "#renderer/storage/durable-records.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { signIntent } from "#shared/keyring/intents/sign-intent.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { alice, bob, deviceKey, START_MS } from "#test/support/worlds/ledger-world.ts";
import { storeKeys } from "#test/support/worlds/sealed-storage.ts";

let salt = 0;
const random = (length: number): Uint8Array => {
  salt += 1;
  return new Uint8Array(length).fill(salt);
};
const key = { signer: { masterPub: alice.pub, devicePub: deviceKey(1) }, seed: alice.seed };

function batchOf(amounts: readonly number[]): Batch {
  const context = { chainId: "test-net", nowMs: START_MS, random };
  const rows = amounts.map((amountUt) => ({
    signed: signIntent({ kind: "pay", to: bob.pub, amountUt }, key, context),
    state: { kind: "waiting" as const },
  }));
  return { chainId: "test-net", rows };
}

/**
 * A node that takes an id once, after what is scripted for a submission: an error before it takes the payment, or after. While a run pauses
 * a block takes what is in its pool.
 */
class ScriptedNode {
  readonly paid: string[] = [];
  readonly pool = new Set<string>();
  tipMs = START_MS;
  isLive = true;
  submissions = 0;
  pauses = 0;
  readonly script: Map<number, { readonly error: Error; readonly isTaken: boolean }> = new Map();

  steps(changes: Partial<BatchSteps> = {}): BatchSteps {
    return {
      submit: async ({ id }): Promise<void> => {
        this.submissions += 1;
        const step = this.script.get(this.submissions);
        if (step?.isTaken !== false && !this.paid.includes(id)) {
          this.paid.push(id);
          this.pool.add(id);
        }
        if (step !== undefined) throw step.error;
      },
      find: async (id): Promise<BatchRowState | undefined> => {
        if (this.pool.has(id)) return { kind: "taken" };
        return this.paid.includes(id) ? { kind: "inBlock" } : undefined;
      },
      tip: async (): Promise<NodeTip> => ({ timeMs: this.tipMs, isLive: this.isLive }),
      onState: async ({ signed }, state): Promise<void> => await noteRow(signed.transaction.id, state),
      pause: async (): Promise<void> => {
        this.pauses += 1;
        this.pool.clear();
      },
      nowMs: (): number => START_MS + 1_000,
      signal: new AbortController().signal,
      ...changes,
    };
  }
}

const states = (): readonly string[] => (useBatchStore.getState().batch?.rows ?? []).map(({ state }) => state.kind);
const ids = (batch: Batch): readonly string[] => batch.rows.map(({ signed }) => signed.transaction.id);

async function open(fill: number, records?: DurableRecords, former: readonly number[] = []): Promise<void> {
  await openBatch(await storeKeys(fill, "store", former), records ?? (await openDurableRecords()));
}

afterEach(async () => {
  if (useBatchStore.getState().isOpen) await clearBatch();
  closeBatch();
});

describe("a batch of payments", () => {
  it("leaves in its order, each once; equal ones are payments of their own", async () => {
    await open(1);
    const batch = batchOf([1, 2, 2]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    await runBatch(batch, node.steps());
    expect(node.paid).toEqual(ids(batch));
    expect(states()).toEqual(["inBlock", "inBlock", "inBlock"]);
  });

  it("hands the same transaction over again while its fate is unknown, and goes on only then", async () => {
    await open(1);
    const batch = batchOf([1, 2]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    node.script.set(1, { error: new CodedError("UNAVAILABLE", "away"), isTaken: true });
    node.script.set(2, { error: new HttpError(429, "slower"), isTaken: false });
    node.script.set(3, { error: new HttpError(503, "full"), isTaken: false });
    await runBatch(batch, node.steps());
    expect({ paid: node.paid, submissions: node.submissions, pauses: node.pauses }).toEqual({
      paid: ids(batch),
      submissions: 5,
      pauses: 4,
    });
    expect(states()).toEqual(["inBlock", "inBlock"]);
  });

  it("continues after a crash between any two steps with what was signed, and pays nothing twice", async () => {
    for (let crash = 1; crash <= 8; crash += 1) {
      await open(1);
      const batch = batchOf([1, 2, 3]);
      await storeBatch(batch);
      const node = new ScriptedNode();
      const ending = new AbortController();
      let step = 0;
      // The page ends: what it had begun is never noted.
      const dies = (): boolean => {
        step += 1;
        if (step >= crash) ending.abort();
        return step >= crash;
      };
      const steps = node.steps({ signal: ending.signal });
      await runBatch(batch, {
        ...steps,
        submit: async (tx): Promise<void> => {
          if (dies()) throw new Error("ended before it left");
          await steps.submit(tx);
        },
        onState: async (row, state): Promise<void> => {
          if (!dies()) await steps.onState(row, state);
        },
      });
      closeBatch();
      await open(1);
      const restored = await reloadBatch();
      expect(restored === undefined ? [] : ids(restored), `crash ${crash}`).toEqual(ids(batch));
      if (restored !== undefined) await runBatch(restored, node.steps());
      expect(node.paid, `crash ${crash}`).toEqual(ids(batch));
      expect(states()).toEqual(["inBlock", "inBlock", "inBlock"]);
      await clearBatch();
      closeBatch();
    }
  });

  it("names what the node refused, unless a block has it, and pays the others", async () => {
    await open(1);
    const batch = batchOf([1, 2, 3]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    node.script.set(1, { error: new HttpError(400, "insufficient balance"), isTaken: false });
    node.script.set(2, { error: new HttpError(400, "fee too low"), isTaken: true });
    await runBatch(batch, node.steps());
    expect(states()).toEqual(["refused", "inBlock", "inBlock"]);
    expect(useBatchStore.getState().batch?.rows[0]?.state).toEqual({ kind: "refused", reason: "insufficient balance" });
  });

  it("asks the chain for what has passed its hour, and hands none of it over", async () => {
    await open(1);
    const batch = batchOf([1, 2]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    node.paid.push(ids(batch)[0] ?? "");
    node.tipMs = START_MS + TX_WINDOW_MS;
    let isAway = true;
    const steps = node.steps({ nowMs: () => START_MS + TX_WINDOW_MS + 1_000 });
    const find = async (id: string): Promise<BatchRowState | undefined> => {
      const wasAway = isAway;
      isAway = false;
      if (wasAway) throw new CodedError("UNAVAILABLE", "away");
      return await steps.find(id);
    };
    await runBatch(batch, { ...steps, find });
    expect({ states: states(), submissions: node.submissions, pauses: node.pauses }).toEqual({
      states: ["inBlock", "expired"],
      submissions: 0,
      pauses: 1,
    });
  });

  it("calls nothing unpaid for a node that is behind, or for a clock", async () => {
    await open(1);
    const batch = batchOf([1]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    node.isLive = false;
    const steps = node.steps({ nowMs: () => START_MS + TX_WINDOW_MS + 1_000 });
    const pause = async (rounds: number): Promise<void> => {
      await steps.pause(rounds);
      // The node reads the block that has it.
      if (node.pauses < 3) return;
      node.paid.push(...ids(batch));
      node.tipMs = START_MS + TX_WINDOW_MS;
    };
    for (const at of [1, 2, 3]) node.script.set(at, { error: new HttpError(400, "outside one hour"), isTaken: false });
    await runBatch(batch, { ...steps, pause });
    expect(states()).toEqual(["inBlock"]);
  });

  it("hands over again what a node lost before a block had it, and is refused where a block says that it failed", async () => {
    await open(1);
    const batch = batchOf([1, 2]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    const steps = node.steps();
    const pause = async (rounds: number): Promise<void> => {
      // The first time the node ends with its pool, the second time a block takes all.
      if (node.pauses === 0) node.paid.splice(0);
      await steps.pause(rounds);
    };
    const find = async (id: string): Promise<BatchRowState | undefined> => {
      const found = await steps.find(id);
      return id === ids(batch)[1] && found?.kind === "inBlock" ? { kind: "refused", reason: "failed" } : found;
    };
    await runBatch(batch, { ...steps, pause, find });
    expect({ paid: node.paid, submissions: node.submissions, states: states() }).toEqual({
      paid: ids(batch),
      submissions: 4,
      states: ["inBlock", "refused"],
    });
  });

  it("continues after the disk refused to note what became of a payment", async () => {
    await open(1);
    const batch = batchOf([1, 2]);
    await storeBatch(batch);
    const node = new ScriptedNode();
    const steps = node.steps();
    let refusals = 0;
    const onState: BatchSteps["onState"] = async (row, state) => {
      refusals += 1;
      if (refusals === 1) throw new Error("disk full");
      await steps.onState(row, state);
    };
    await runBatch(batch, { ...steps, onState });
    expect({ paid: node.paid, states: states() }).toEqual({ paid: ids(batch), states: ["inBlock", "inBlock"] });
  });

  it("is not displaced by what another window begins, nor taken away by one that has not seen it", async () => {
    await open(1);
    const [first, second] = [batchOf([1]), batchOf([2])];
    expect(await storeBatch(first)).toBe(true);
    // Another window had read before.
    useBatchStore.setState({ batch: undefined });
    expect(await storeBatch(second)).toBe(false);
    expect(ids(useBatchStore.getState().batch ?? second)).toEqual(ids(first));
    useBatchStore.setState({ batch: second });
    await clearBatch();
    expect(ids((await reloadBatch()) ?? second)).toEqual(ids(first));
  });

  it("writes over no state that another window noted meanwhile", async () => {
    const records = await openDurableRecords();
    await open(1, records);
    const batch = batchOf([1, 2]);
    await storeBatch(batch);
    const [one = "", two = ""] = ids(batch);
    closeBatch();
    let isFirst = true;
    const slow: DurableRecords = {
      ...records,
      replace: async (...change): Promise<boolean> => {
        if (isFirst) {
          isFirst = false;
          await openBatch(await storeKeys(1, "store"), records);
          await noteRow(one, { kind: "inBlock" });
        }
        return await records.replace(...change);
      },
    };
    await open(1, slow);
    await noteRow(two, { kind: "taken" });
    await reloadBatch();
    expect(states()).toEqual(["inBlock", "taken"]);
  });

  it("is nowhere while the disk refuses it: nothing leaves", async () => {
    const records = await openDurableRecords();
    await open(1, {
      ...records,
      replace: async (_name, _before, after): Promise<boolean> => {
        if (after !== undefined) throw new Error("disk full");
        return true;
      },
    });
    await expect(storeBatch(batchOf([1]))).rejects.toThrow("disk full");
    expect(useBatchStore.getState().batch).toBeUndefined();
    closeBatch();
    await expect(storeBatch(batchOf([1]))).rejects.toThrow("closed");
    await open(1);
    expect(useBatchStore.getState().batch).toBeUndefined();
  });

  it("is sealed, and sealed again under the keys of a new password", async () => {
    const records = await openDurableRecords();
    await open(1, records);
    await storeBatch(batchOf([1]));
    const stored = await records.read("batch.store");
    expect(Buffer.from(stored ?? []).includes(bob.pub)).toBe(false);
    closeBatch();
    await open(2, records, [1]);
    closeBatch();
    await open(2, records);
    expect(states()).toEqual(["waiting"]);
  });
});
