// Where a node learns which relays keep mail: the directory of its chain, and the one before.
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";

/** The newest directory, whether it counts already or not. */
export interface CurrentDirectory {
  readonly epoch: number;
  readonly directory: ReadDirectory;
  readonly previous: ReadDirectory | undefined;
}

/** Directories of a chain. */
export interface MailDirectory {
  /** Undefined where the chain has none: mail goes by gossip. */
  currentDirectory(): CurrentDirectory | undefined;
  /** Calls back for a new one; returns the way to stop that. */
  onDirectory(listener: () => void): () => void;
}
