// Which relays keep mail, as the state of a full node says it: the directory of the present epoch and the one before. What requests and
// answers between nodes go by, which is when a directory counts, is `directoriesInForce` of the protocol.
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { epochOf } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";

/** Directories of a chain. Each is final: its block is durable. */
export interface KeeperDirectories {
  /** Epochs of which there is a directory, the newest first: two at most, none before version 5 of the rules. */
  epochs(): readonly number[];
  /** The directory of an epoch; undefined when it is neither the newest nor the one before. The same object while it lasts. */
  directoryAt(epoch: number): ReadDirectory | undefined;
  /**
   * Calls back with each new directory once it is final, the newest alone where a node catches up over several. Nothing is said of the one
   * that is there already. Returns the way to stop.
   */
  onDirectory(listener: (directory: ReadDirectory) => void): () => void;
}

/** What of a block says whether there can be a new directory. */
export interface CommittedHeader {
  readonly block: { readonly header: Pick<BlockHeader, "version" | "timeMs"> };
}

/** What directories are read from. */
export interface DirectorySource {
  /** The newest durable state. */
  readonly state: StateReader;
  /** Calls back after each block that became durable; returns the way to stop. */
  onCommit(listener: (committed: CommittedHeader) => void): () => void;
}

/** Directories of a source, decoded once each. */
export class FollowedDirectories implements KeeperDirectories {
  readonly #source: DirectorySource;
  readonly #listeners = new Set<(directory: ReadDirectory) => void>();
  readonly #stop: () => void;
  #decoded: readonly ReadDirectory[] = [];
  #newest: number;

  constructor(source: DirectorySource) {
    this.#source = source;
    this.#newest = this.epochs()[0] ?? -1;
    this.#stop = source.onCommit(({ block }) => this.#look(block.header));
  }

  epochs(): readonly number[] {
    return readDirectoryHeads(this.#source.state).map(({ epoch }) => epoch);
  }

  directoryAt(epoch: number): ReadDirectory | undefined {
    const epochs = this.epochs();
    if (!epochs.includes(epoch)) return undefined;
    const known = this.#decoded.find((directory) => directory.epoch === epoch);
    if (known !== undefined) return known;
    const directory = readDirectory(this.#source.state, epoch);
    if (directory !== undefined) this.#decoded = [directory, ...this.#decoded.filter((other) => epochs.includes(other.epoch))];
    return directory;
  }

  onDirectory(listener: (directory: ReadDirectory) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** Follows no longer. */
  stop(): void {
    this.#stop();
    this.#listeners.clear();
  }

  #look({ version, timeMs }: Pick<BlockHeader, "version" | "timeMs">): void {
    if (version < KEEPERS_VERSION || epochOf(Math.floor(timeMs / 1_000)) <= this.#newest) return;
    const [newest] = this.epochs();
    if (newest === undefined || newest <= this.#newest) return;
    this.#newest = newest;
    const directory = this.directoryAt(newest);
    if (directory !== undefined) for (const listener of [...this.#listeners]) listener(directory);
  }
}
