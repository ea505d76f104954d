// Chains of mixed blocks, the same in all tests: one of each kind is made for all tests that share a process, and copied.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../host/random.ts";
import { mixedBlock } from "./mixed-blocks.ts";
import { openTestChain, type TestChain } from "./test-chain.ts";

type Files = readonly (readonly [name: string, bytes: Buffer])[];

/** Files of the folder of a closed chain, by what it was made from. */
const made = new Map<string, Files>();

/** Commits blocks up to a height, each of the random numbers of its height. */
export function growChain(chain: TestChain, to: number): void {
  for (let height = chain.executor.tip().height + 1; height <= to; height += 1) chain.commit(mixedBlock(height, createRandom(height)));
}

/** Opens a chain of so many blocks in an empty folder: all of the random numbers of a seed, or each of those of its height. */
export function openGrownChain(directory: string, height: number, seed?: number): TestChain {
  const kind = `${height} ${seed}`;
  const files = made.get(kind) ?? filesOfChain(height, seed);
  made.set(kind, files);
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(directory, name), bytes);
  return openTestChain(directory);
}

function filesOfChain(to: number, seed: number | undefined): Files {
  const directory = mkdtempSync(join(tmpdir(), "parley-grown-"));
  try {
    const chain = openTestChain(directory);
    if (seed === undefined) growChain(chain, to);
    else {
      const random = createRandom(seed);
      for (let height = 1; height <= to; height += 1) chain.commit(mixedBlock(height, random));
    }
    chain.close();
    return readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))] as const);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
