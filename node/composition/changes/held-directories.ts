// Which relays keep mail, for the part of a full node that hands mail to them.
import type { KeeperDirectories } from "#node/queries/keeper-directories.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import type { MailDirectory } from "#node/relay/keepers/placing/mail-directory.ts";

/** Holds the newest directory of a chain and the one before, and follows them. */
export function holdDirectories(directories: KeeperDirectories): MailDirectory {
  const held = new HeldDirectory();
  const take = (): void => {
    const [newest, before] = directories.epochs();
    const directory = newest === undefined ? undefined : directories.directoryAt(newest);
    if (directory !== undefined) held.give(directory, before === undefined ? undefined : directories.directoryAt(before));
  };
  directories.onDirectory(take);
  take();
  return held;
}
