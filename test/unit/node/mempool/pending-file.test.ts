import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restorePending, savePending } from "#node/mempool/pending-file.ts";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";

interface CollectedLog extends Log {
  readonly lines: { readonly level: string; readonly fields: object; readonly message: string }[];
}

let folder: TemporaryFolder;
let path: string;
let log: CollectedLog;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = join(folder.path, "pending.json");
  log = collectedLog();
});
afterEach(() => folder.remove());

function collectedLog(): CollectedLog {
  const lines: CollectedLog["lines"] = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  const self: CollectedLog = { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: () => self };
  return self;
}

const payment = (from: typeof alice, amount: number): Transaction => signed(from, { type: "TRANSFER", to: bob.pub, amount, payload: {} });
const TRANSACTIONS = [payment(alice, 1), payment(bob, 2), payment(alice, 3), payment(bob, 4), payment(alice, 5)];

describe("pending transactions between two runs", () => {
  it("that end the process when they are submitted are not there at the next start", async () => {
    savePending(path, TRANSACTIONS, log);
    const submit = (): Promise<void> => Promise.reject(new RangeError("the engine failed"));
    await expect(restorePending(path, submit, log)).rejects.toThrow("the engine failed");
    expect(existsSync(path)).toBe(false);
  });

  it("are submitted again, those of one sender in their order, and the file is gone", async () => {
    savePending(path, TRANSACTIONS, log);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const submitted: Transaction[] = [];
    const submit = async (raw: unknown): Promise<void> => {
      const tx = raw as Transaction;
      // The earlier ones take longer to check.
      for (let turn = tx.amount; turn < 6; turn += 1) await Promise.resolve();
      submitted.push(tx);
    };
    await restorePending(path, submit, log);
    const amountsOf = (from: typeof alice): readonly number[] => submitted.filter((tx) => tx.from === from.pub).map(({ amount }) => amount);
    expect(submitted).toHaveLength(5);
    expect([amountsOf(alice), amountsOf(bob)]).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
    expect(TRANSACTIONS).toEqual(expect.arrayContaining(submitted));
    expect(existsSync(path)).toBe(false);
    expect(log.lines).toMatchObject([{ level: "info", fields: { restored: 5, dropped: 0 } }]);
  });

  it("are left out when they are no longer valid, and only they", async () => {
    savePending(path, TRANSACTIONS, log);
    const submitted: number[] = [];
    const submit = async (raw: unknown): Promise<void> => {
      const { amount } = raw as Transaction;
      if (amount === 3) throw new CodedError("TX_TIMESTAMP", "too old");
      submitted.push(amount);
    };
    await restorePending(path, submit, log);
    expect(submitted.sort()).toEqual([1, 2, 4, 5]);
    expect(log.lines).toMatchObject([{ fields: { restored: 4, dropped: 1 } }]);
  });

  it("leave no file when there are none, not even an old one", async () => {
    savePending(path, TRANSACTIONS, log);
    savePending(path, [], log);
    expect(existsSync(path)).toBe(false);
    await restorePending(path, () => Promise.reject(new Error("nothing to submit")), log);
    expect(log.lines).toEqual([]);
  });

  it.each(["", "{", "null", "[]", '{"version":2,"transactions":[]}', '{"version":1}', '{"version":1,"transactions":[7]}'])(
    "are given up with a warning when the file is %j, which is put aside",
    async (text) => {
      await writeFile(path, text);
      await restorePending(path, () => Promise.reject(new Error("nothing to submit")), log);
      expect(log.lines).toMatchObject([{ level: "warn", message: expect.stringContaining("the node starts without them") }]);
      expect(existsSync(path)).toBe(false);
      expect(await readFile(`${path}.damaged`, "utf8")).toBe(text);
    },
  );

  it("are lost with a warning, and without an error, where they cannot be written", async () => {
    await mkdir(path);
    savePending(path, TRANSACTIONS, log);
    expect(log.lines).toMatchObject([{ level: "warn", fields: { pending: 5 }, message: expect.stringContaining("could not be stored") }]);
  });
});
