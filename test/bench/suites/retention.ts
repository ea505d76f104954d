// A year of a chain in a few minutes: a block every twenty minutes by its own clock, on a node that keeps 30 days. What its folder takes must
// not grow after the first months, while all that was ever sent does.
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { type Border, retentionBorder } from "#node/storage/history/sealing/retention-border.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { RETENTION_S } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { openTestChain, type TestChain } from "../../support/chain/test-chain.ts";
import { alice, bob, START_MS, signed } from "../../support/worlds/ledger-world.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const DAYS = 365;
const KEPT_DAYS = 30;
const BLOCK_MS = 1_200_000;
const TRANSFERS = 3;
const DAY_MS = 86_400_000;
const DAY_BLOCKS = DAY_MS / BLOCK_MS;
/** Days after which the folder has all that it keeps. */
const FULL_AFTER_DAYS = 120;
/** Headers of the order of proposers come and go with its epochs of 114 days; the rest is room for a file that is not full. */
const MOST_GROWTH = 1.2;

interface Sample {
  readonly day: number;
  readonly bytes: number;
  readonly firstHeight: number;
}

/** Lets the year pass, and measures the folder every day. */
export async function retentionSuite(bench: Bench): Promise<void> {
  const folder = join(bench.folder, "retention");
  mkdirSync(folder, { recursive: true });
  using chain = openTestChain(folder, { verify: createNativeVerifier() });
  const samples = await passDays(chain, folder);
  const month = samples.filter(({ day }) => day % KEPT_DAYS === 0);
  bench.print(
    table(
      `A year of ${TRANSFERS} transfers in a block every ${BLOCK_MS / 60_000} minutes, ${KEPT_DAYS} days kept`,
      ["day", "MiB", "first block"],
      month.map(({ day, bytes, firstHeight }) => [String(day), round(bytes / 1_048_576), String(firstHeight)]),
    ),
  );
  const middle = (FULL_AFTER_DAYS + DAYS) / 2;
  const most = (from: number, to: number): number =>
    Math.max(...samples.filter(({ day }) => day > from && day <= to).map(({ bytes }) => bytes));
  const growth = most(middle, DAYS) / most(FULL_AFTER_DAYS, middle);
  bench.goals.push({
    what: `folder in the last months of a year, ${KEPT_DAYS} days kept`,
    value: growth,
    unit: "× before",
    bound: { atMost: MOST_GROWTH },
  });
}

async function passDays(chain: TestChain, folder: string): Promise<readonly Sample[]> {
  const { database, executor } = chain;
  const { blocks, file, history } = database;
  const failures: unknown[] = [];
  const border = (): Border => {
    const timeMsAt = (height: number): number | undefined => blocks.summary(height)?.timeMs;
    const aged = { tip: blocks.tipHeight() ?? 0, firstHeader: blocks.firstHeader(), timeMsAt };
    return retentionBorder({ days: KEPT_DAYS }, aged, { snapshots: [], headersMs: RETENTION_S * 1_000 });
  };
  const onFailure = (error: unknown): void => void failures.push(error);
  const sealer = startHistorySealer({ file, history, tipHeight: executor.tip().height, border, onFailure });
  const samples: Sample[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    for (let left = DAY_BLOCKS; left > 0; left -= 1) {
      const { height } = executor.tip();
      chain.commit(transfersAt(height + 1), START_MS + (height + 1) * BLOCK_MS);
      sealer.committed(height + 1, 1_000 * TRANSFERS);
    }
    await sealer.settled();
    for (const failure of failures) throw failure;
    samples.push({ day, bytes: bytesIn(folder), firstHeight: blocks.firstHeight() });
  }
  await sealer.stop();
  return samples;
}

function transfersAt(height: number): readonly Transaction[] {
  const nowMs = START_MS + height * BLOCK_MS;
  return Array.from({ length: TRANSFERS }, (_, index) => {
    const [from, to] = (height + index) % 2 === 0 ? [alice, bob] : [bob, alice];
    return signed(from, { type: "TRANSFER", to: to.pub, amount: 1 + index, payload: {}, nowMs: nowMs - index });
  });
}

/** The database with its free pages, and the files beside it; the log of the last writes, which has a size of its own, is left out. */
function bytesIn(folder: string): number {
  const database = new Database(join(folder, CHAIN_FILE), { readonly: true });
  const [pages, pageBytes] = ["page_count", "page_size"].map((name) => Number(database.pragma(name, { simple: true })));
  database.close();
  const history = join(folder, HISTORY_FOLDER);
  const names = existsSync(history) ? readdirSync(history) : [];
  return names.reduce((sum, name) => sum + statSync(join(history, name)).size, (pages ?? 0) * (pageBytes ?? 0));
}
