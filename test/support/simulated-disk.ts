// The engine's two files in memory, with crashes: what was not synced is lost in part, and any operation can be the last one.
import type { AppendFile, EngineStorage, ReplaceableFile } from "#node/engine/engine-storage.ts";
import { concatBytes } from "#shared/util/bytes.ts";

/** Thrown by an operation at which the machine "loses power". */
export class PowerLoss extends Error {}

/** A disk that survives its engine. */
export class SimulatedDisk implements EngineStorage {
  /** Counts of durable operations, to see what a block costs. */
  readonly syncs = { log: 0, guard: 0 };
  log: Uint8Array = new Uint8Array();
  guard: Uint8Array | undefined;
  #durableLogLength = 0;
  #operationsLeft = Number.POSITIVE_INFINITY;
  #happensBeforeLoss = false;

  /** Lets the machine fail at the operation after `operations` more; `isDone` says whether that one still happens. */
  failAfter(operations: number, isDone: boolean): void {
    this.#operationsLeft = operations;
    this.#happensBeforeLoss = isDone;
  }

  /** Counts an operation of another store of the same machine, such as the chain's database. */
  operation(run: () => void): void {
    this.#operationsLeft -= 1;
    if (this.#operationsLeft >= 0) {
      run();
      return;
    }
    if (this.#happensBeforeLoss) run();
    throw new PowerLoss("power loss");
  }

  /** The machine comes back: of the unsynced end of the log, only `keep` (0 to 1) is there. */
  restart(keep: number): void {
    const unsynced = this.log.length - this.#durableLogLength;
    this.log = this.log.slice(0, this.#durableLogLength + Math.floor(unsynced * keep));
    this.#durableLogLength = this.log.length;
    this.#operationsLeft = Number.POSITIVE_INFINITY;
  }

  openLog(): AppendFile {
    return {
      read: (): Uint8Array => this.log,
      append: (bytes): void => {
        this.operation(() => {
          this.log = concatBytes(this.log, bytes);
        });
      },
      sync: (): void => {
        this.operation(() => {
          this.syncs.log += 1;
          this.#durableLogLength = this.log.length;
        });
      },
      truncate: (length): void => {
        this.operation(() => {
          this.log = this.log.slice(0, length);
          this.#durableLogLength = Math.min(this.#durableLogLength, length);
        });
      },
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
        });
      },
    };
  }
}
