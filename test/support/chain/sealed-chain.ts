// Test chains whose old blocks are in files, as those of a running node are.
import { startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import type { SealLimits } from "#node/storage/history/sealing/seal-segment.ts";
import type { TestChain } from "./test-chain.ts";

/** Seals what is deep enough. @throws what the thread reports */
export async function sealTestChain({ database, executor }: TestChain, limits: SealLimits): Promise<void> {
  const failures: unknown[] = [];
  const { file, history } = database;
  const onFailure = (error: unknown): void => void failures.push(error);
  const sealer = startHistorySealer({ file, history, tipHeight: executor.tip().height, limits, onFailure });
  await sealer.settled();
  for (const failure of failures) throw failure;
}
