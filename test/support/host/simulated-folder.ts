// A folder in memory that fails: it loses power at any operation, keeps of what was not synced whatever a disk may keep, runs out of room,
// and has its files damaged. What was synced, with the folder, always comes back.
import type { FileLayer, ReadableFile, WritableFile } from "#node/storage/history/files/file-layer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Random } from "./random.ts";
import { PowerLoss } from "./simulated-disk.ts";

/** Content of a file: the first bytes of it are durable. */
interface Content {
  bytes: Uint8Array;
  durable: number;
}

/** Size of the parts of a file that reach the disk together, in any order. */
const SECTOR_BYTES = 64;

/** A folder that survives its program. */
export class SimulatedFolder implements FileLayer {
  /** Operations that changed something, so far. */
  operations = 0;
  /** Files that are open. */
  openFiles = 0;
  /** Most files that were open at a time. */
  mostOpen = 0;
  /** Bytes that still fit. */
  room: number = Number.POSITIVE_INFINITY;
  #names = new Map<string, Content>();
  /** Names as they are on the disk. */
  #durableNames = new Map<string, Content>();
  #left = Number.POSITIVE_INFINITY;
  #untilFull = Number.POSITIVE_INFINITY;
  #isLost = false;

  /** Lets the machine fail at the operation after so many more; an append happens in part. */
  failAfter(operations: number): void {
    this.#left = operations;
  }

  /** The disk is full from the operation after so many more on, for all but removing. */
  fullAfter(operations: number): void {
    this.#untilFull = operations;
  }

  /** The machine comes back: each name is the durable or the last one, each file has parts of what was not synced. */
  restart(random: Random): void {
    const names = new Map<string, Content>();
    for (const name of new Set([...this.#names.keys(), ...this.#durableNames.keys()])) {
      const content = random.chance(0.5) ? this.#names.get(name) : this.#durableNames.get(name);
      if (content !== undefined) names.set(name, content);
    }
    for (const content of new Set(names.values())) tear(content, random);
    this.#names = names;
    this.#durableNames = new Map(names);
    this.#left = Number.POSITIVE_INFINITY;
    this.#isLost = false;
    this.openFiles = 0;
  }

  /** An operation of another store of the same machine: it happens as a whole or not at all. */
  operation(work: () => void): void {
    this.#change(work);
  }

  /** Bytes of a file, which a test may change. */
  content(name: string): Uint8Array {
    const content = this.#names.get(name);
    if (content === undefined) throw new Error(`There is no file ${name}`);
    return content.bytes;
  }

  /** Puts other bytes into a file, durably. */
  replace(name: string, bytes: Uint8Array): void {
    const content = { bytes, durable: bytes.length };
    this.#names.set(name, content);
    this.#durableNames.set(name, content);
  }

  create(name: string): WritableFile {
    const content: Content = { bytes: new Uint8Array(), durable: 0 };
    this.#change(() => void this.#names.set(name, content));
    return {
      append: (bytes): void => this.#append(content, bytes),
      sync: (): void =>
        this.#change(() => {
          content.durable = content.bytes.length;
        }),
      close: (): void => undefined,
    };
  }

  open(name: string): ReadableFile | undefined {
    if (this.#isLost) throw new PowerLoss("power loss");
    const content = this.#names.get(name);
    if (content === undefined) return undefined;
    this.openFiles += 1;
    this.mostOpen = Math.max(this.mostOpen, this.openFiles);
    let isOpen = true;
    return {
      size: content.bytes.length,
      read: (at, length): Uint8Array => {
        if (!isOpen) throw new Error(`${name} is closed`);
        return content.bytes.slice(at, at + length);
      },
      close: (): void => {
        if (isOpen) this.openFiles -= 1;
        isOpen = false;
      },
    };
  }

  rename(from: string, to: string): void {
    this.#change(() => {
      const content = this.#names.get(from);
      if (content === undefined) throw new Error(`There is no file ${from}`);
      this.#names.delete(from);
      this.#names.set(to, content);
    });
  }

  syncFolder(): void {
    this.#change(() => {
      this.#durableNames = new Map(this.#names);
    });
  }

  unlink(name: string): void {
    this.#change(() => void this.#names.delete(name), false);
  }

  stat(name: string): number | undefined {
    return this.#names.get(name)?.bytes.length;
  }

  list(): readonly string[] {
    return [...this.#names.keys()];
  }

  path(name: string): string {
    return `history/${name}`;
  }

  #append(content: Content, bytes: Uint8Array): void {
    const isWhole = this.#left > 0 && !this.#isLost;
    const written = isWhole ? bytes : bytes.subarray(0, this.#isLost ? 0 : bytes.length >> 1);
    if (written.length > this.room) {
      content.bytes = Buffer.concat([content.bytes, written.subarray(0, this.room)]);
      this.room = 0;
      throw new CodedError("STORAGE_FULL", "The disk is full");
    }
    this.room -= written.length;
    if (!isWhole) content.bytes = Buffer.concat([content.bytes, written]);
    this.#change(() => {
      content.bytes = Buffer.concat([content.bytes, bytes]);
    });
  }

  #change(work: () => void, takesRoom = true): void {
    if (this.#isLost || this.#left <= 0) {
      this.#isLost = true;
      throw new PowerLoss("power loss");
    }
    if (takesRoom && this.#untilFull <= 0) throw new CodedError("STORAGE_FULL", "The disk is full");
    if (takesRoom) this.#untilFull -= 1;
    this.#left -= 1;
    this.operations += 1;
    work();
  }
}

/** What a disk has of bytes that were not synced: nothing, a part, or parts in any order with zeros where others belong. */
function tear(content: Content, random: Random): void {
  const { bytes, durable } = content;
  const length = random.chance(0.3) ? bytes.length : random.between(durable, bytes.length);
  const torn = Uint8Array.from(bytes.subarray(0, length));
  if (random.chance(0.6))
    for (let at = durable; at < length; at += SECTOR_BYTES) if (random.chance(0.4)) torn.fill(0, at, Math.min(at + SECTOR_BYTES, length));
  content.bytes = torn;
  content.durable = torn.length;
}
