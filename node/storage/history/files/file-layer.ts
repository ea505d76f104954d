// The few operations on files that sealed history needs, as an interface: tests put a folder in its place that loses power, tears writes and
// runs out of room. All are synchronous: who seals runs on a thread of its own, and a read is one call of a few microseconds.

/** An open file whose content does not change any more. */
export interface ReadableFile {
  readonly size: number;
  /** The bytes from `at` on; fewer where the file ends before. @throws CodedError STORAGE_CORRUPT where the disk cannot read them */
  read(at: number, length: number): Uint8Array;
  close(): void;
}

/** A new file that grows at its end. */
export interface WritableFile {
  append(bytes: Uint8Array): void;
  /** Returns when all that was appended is durable; its name is not before {@link FileLayer.syncFolder}. */
  sync(): void;
  close(): void;
}

/** The files of one folder, by their names. @throws CodedError STORAGE_FULL or STORAGE_FAILED, each operation. */
export interface FileLayer {
  /** Makes an empty file; what had the name is gone. */
  create(name: string): WritableFile;
  /** Undefined when there is no such file. */
  open(name: string): ReadableFile | undefined;
  /** Replaces what has the new name. */
  rename(from: string, to: string): void;
  /** Returns when names that were made, changed and removed are durable. */
  syncFolder(): void;
  /** Removes a file; nothing happens when there is none. */
  unlink(name: string): void;
  /** Bytes of a file; undefined when there is none. */
  stat(name: string): number | undefined;
  /** Names of all files; folders are none. */
  list(): readonly string[];
  /** Path of a file in words, for messages. */
  path(name: string): string;
}
