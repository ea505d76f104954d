// The directories of keepers as a running node follows them. What changes from one epoch to the next is in the log.
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { Log } from "#node/observability/log.ts";
import { FollowedDirectories } from "#node/queries/keeper-directories.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";

/** Follows the directories of a chain until it is stopped. */
export function followDirectories(executor: Pick<BlockExecutor, "state" | "onCommit">, log: Pick<Log, "info">): FollowedDirectories {
  const directories = new FollowedDirectories(executor);
  const [newest] = directories.epochs();
  let before = newest === undefined ? undefined : directories.directoryAt(newest);
  directories.onDirectory((directory) => {
    if (!isAlike(before, directory))
      log.info({ epoch: directory.epoch, keepers: directory.keepers.length, mode: directory.mode.is }, "The keepers of mail changed");
    before = directory;
  });
  return directories;
}

/** True when the same relays keep mail in the same way; a first directory without keepers is no change. */
function isAlike(before: ReadDirectory | undefined, { keepers, mode }: ReadDirectory): boolean {
  if (before === undefined) return keepers.length === 0;
  const sameKeys = keepers.length === before.keepers.length && keepers.every(({ key }, at) => key === before.keepers[at]?.key);
  return sameKeys && mode.is === before.mode.is;
}
