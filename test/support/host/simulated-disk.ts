// The engine's two files in memory, with crashes: what was not synced is lost in part or comes back as garbage, and any operation can
// be the last one. What was durable can be cut off or damaged too.
import type { AppendFile, EngineStorage, ReplaceableFile } from "#node/engine/log/engine-storage.ts";

/** Thrown by an operation at which the machine "loses power". */
export class PowerLoss extends Error {}

/** Operations of a machine at which it can fail. */
export type DiskOperation = "log append" | "log sync" | "log truncate" | "guard replace" | "block commit";

/** A disk that survives its engine. */
export class SimulatedDisk implements EngineStorage {
  /** Counts of durable operations, to see what a block costs. */
  readonly syncs = { log: 0, guard: 0 };
  guard: Uint8Array | undefined;
  /** The operation of the last power loss, and whether it still happened. */
  lastLoss: { readonly operation: DiskOperation; readonly isDone: boolean } | undefined;
  #bytes = new Uint8Array(4_096);
  #length = 0;
  #durableLength = 0;
  #operationsLeft = Number.POSITIVE_INFINITY;
  #happensBeforeLoss = false;

  /** The log as it is on the disk now. */
  get log(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  set log(bytes: Uint8Array) {
    this.#setLength(0);
    this.#append(bytes);
  }

  /** Lets the machine fail at the operation after `operations` more; `isDone` says whether that one still happens. */
  failAfter(operations: number, isDone: boolean): void {
    this.#operationsLeft = operations;
    this.#happensBeforeLoss = isDone;
  }

  /** Counts an operation of another store of the same machine, such as the chain's database. */
  operation(run: () => void, name: DiskOperation = "block commit"): void {
    this.#operationsLeft -= 1;
    if (this.#operationsLeft >= 0) {
      run();
      return;
    }
    if (this.#happensBeforeLoss) run();
    this.lastLoss = { operation: name, isDone: this.#happensBeforeLoss };
    throw new PowerLoss("power loss");
  }

  /** The machine comes back: of the unsynced end of the log, only `keep` (0 to 1) is there, and garbage behind it. */
  restart(keep: number, garbage: Uint8Array = new Uint8Array()): void {
    const unsynced = this.#length - this.#durableLength;
    this.#setLength(this.#durableLength + Math.floor(unsynced * keep));
    this.#append(garbage);
    this.#durableLength = this.#length;
    this.#operationsLeft = Number.POSITIVE_INFINITY;
  }

  /** Cuts bytes off the end of the log, whether they were durable or not. */
  cutLog(bytes: number): void {
    this.#setLength(Math.max(0, this.#length - bytes));
  }

  /** Flips a bit of a byte of the log; `at` runs from 0 to 1. */
  damageLog(at: number): void {
    const index = Math.floor(this.#length * at);
    this.#bytes[index] = (this.#bytes[index] ?? 0) ^ 0x10;
  }

  /** Both files are gone. */
  wipe(): void {
    this.#setLength(0);
    this.guard = undefined;
  }

  openLog(): AppendFile {
    return {
      read: (): Uint8Array => this.log,
      append: (bytes): void => this.operation(() => this.#append(bytes), "log append"),
      sync: (): void => {
        this.operation(() => {
          this.syncs.log += 1;
          this.#durableLength = this.#length;
        }, "log sync");
      },
      truncate: (length): void => this.operation(() => this.#setLength(length), "log truncate"),
      close: (): void => undefined,
    };
  }

  openGuard(): ReplaceableFile {
    return {
      read: (): Uint8Array | undefined => this.guard,
      replace: (bytes): void => {
        this.operation(() => {
          this.syncs.guard += 1;
          this.guard = Uint8Array.from(bytes);
        }, "guard replace");
      },
    };
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  #setLength(length: number): void {
    this.#length = length;
    this.#durableLength = Math.min(this.#durableLength, length);
  }
}
