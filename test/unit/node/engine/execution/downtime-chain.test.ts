// A chain on disk past its thousandth height without one of its validators: built, followed in batches, restarted and executed again.
import { expect, it } from "vitest";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { readAbsences, readSetAside } from "#node/ledger/records/absence-records.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { rotatingGenesis } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const FIVE = [11, 12, 13, 14, 15].map(actor).toSorted((a, b) => (a.pub < b.pub ? -1 : 1));
const GENESIS = rotatingGenesis(FIVE);
const GONE = 2;
const OPTIONS = { genesis: GENESIS, verify: (): boolean => true };
const BATCH = 64;

/** Signed by all of the set but the one that is gone; signatures are not looked at here. */
function commitOf(block: Block, size: number): Commit {
  const { height } = block.header;
  const signing = Array.from({ length: size }, (_, index) => index).filter((index) => size < FIVE.length || index !== GONE);
  const bits = signing.reduce((sum, index) => sum | (1 << index), 0);
  return {
    height,
    round: 0,
    blockHash: headerHash(block.header),
    bitmap: Uint8Array.of(bits),
    signatures: signing.map(() => new Uint8Array(64)),
  };
}

function extend({ executor }: TestChain, to: number): void {
  while (executor.tip().height < to) {
    const { timeMs, nextValidators } = executor.tip();
    const { block } = executor.buildBlock({
      timeMs: timeMs + GENESIS.params.heartbeat_interval_ms,
      proposer: nextValidators[0]?.publicKey ?? "",
    });
    commitNow(executor, block, commitOf(block, nextValidators.length));
  }
}

it("every way of executing a chain sets the same validators aside", async () => {
  await using folder = await createTemporaryFolder();
  await using other = await createTemporaryFolder();
  const key = FIVE[GONE]?.pub ?? "";
  const begun = openTestChain(folder.path, OPTIONS);
  extend(begun, 600);
  expect(readAbsences(begun.executor.state)).toEqual([{ publicKey: key, missed: 599 }]);
  begun.close();
  using chain = openTestChain(folder.path, OPTIONS);
  extend(chain, 999);
  expect(chain.executor.tip().nextValidators).toHaveLength(5);
  extend(chain, 1_002);
  expect(chain.executor.tip().nextValidators.map(({ publicKey }) => publicKey)).not.toContain(key);
  expect(readSetAside(chain.executor.state, key)).toBe(1_000);
  const headers = [999, 1_000, 1_001].map((height) => chain.database.blocks.header(height));
  expect(headers[1]?.nextValidatorsHash).not.toBe(headers[1]?.validatorsHash);
  expect(headers[2]?.validatorsHash).toBe(headers[1]?.nextValidatorsHash);

  using follower = openTestChain(other.path, OPTIONS);
  for (let from = 0; from < 1_002; from += BATCH) await follower.applyBatch(chain.decidedAfter(from).slice(0, BATCH));
  expect(follower.executor.tip().hash).toBe(chain.executor.tip().hash);
  for (const { isSame } of replayFromGenesis(chain.database, GENESIS)) expect(isSame).toBe(true);
}, 120_000);
