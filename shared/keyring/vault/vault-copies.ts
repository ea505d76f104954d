// The two copies of a vault on their storage. The older one is overwritten first and read back before the other follows: a crash leaves
// at least one good copy. Several windows may share a storage, so a copy is replaced only while it holds what was read of it.
import { CodedError } from "#shared/errors/coded-error.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { encodeVault, parseVault, type VaultFile } from "./vault-format.ts";

/** What is stored in two copies: of two good ones the higher generation is the newer. */
export interface Generational {
  readonly body: { readonly generation: number };
}

/** How a copy is written and read. */
export interface CopyFormat<File extends Generational> {
  readonly encode: (file: File) => Uint8Array;
  /** Undefined for a damaged copy. @throws CodedError STORAGE_NEWER. */
  readonly parse: (bytes: Uint8Array) => File | undefined;
}

const VAULT_FORMAT: CopyFormat<VaultFile> = { encode: encodeVault, parse: parseVault };

/** The two copies of a vault. */
export const VAULT_COPIES = ["a", "b"] as const;
export type VaultCopy = (typeof VAULT_COPIES)[number];

/** Where a host stores the two copies, for all its windows. */
export interface VaultStorage {
  read(copy: VaultCopy): Promise<Uint8Array | undefined>;
  /**
   * Writes a copy while it still holds `expected` (undefined: nothing), as one step for everyone who uses the storage; false, and no
   * write, where it holds something else. A write is complete and durable when its promise resolves.
   */
  replace(copy: VaultCopy, expected: Uint8Array | undefined, bytes: Uint8Array): Promise<boolean>;
}

/** A good copy. */
export interface GoodCopy<File extends Generational = VaultFile> {
  readonly copy: VaultCopy;
  readonly file: File;
  readonly bytes: Uint8Array;
}

/** What the storage held at one time. */
export interface StoredCopies<File extends Generational = VaultFile> {
  /** Newest first. */
  readonly good: readonly GoodCopy<File>[];
  readonly isEmpty: boolean;
  /** Bytes of each copy, damaged ones too. */
  readonly bytes: Readonly<Record<VaultCopy, Uint8Array | undefined>>;
}

/** How often a change that another window overtook is made again. */
const MAX_ATTEMPTS = 32;

/** Two copies of one file. */
export class Copies<File extends Generational> {
  readonly #storage: VaultStorage;
  readonly #format: CopyFormat<File>;

  constructor(storage: VaultStorage, format: CopyFormat<File>) {
    this.#storage = storage;
    this.#format = format;
  }

  async load(): Promise<StoredCopies<File>> {
    const [a, b] = await Promise.all(VAULT_COPIES.map((copy) => this.#storage.read(copy)));
    const bytes = { a, b };
    const good = VAULT_COPIES.flatMap((copy) => {
      const stored = bytes[copy];
      const file = stored === undefined ? undefined : this.#format.parse(stored);
      return stored === undefined || file === undefined ? [] : [{ copy, file, bytes: stored }];
    });
    good.sort((x, y) => y.file.body.generation - x.file.body.generation);
    return { good, isEmpty: a === undefined && b === undefined, bytes };
  }

  /**
   * Stores what `change` makes of the stored vault, and asks it again whenever another window was faster; undefined changes nothing.
   * @throws CodedError LOCAL_STORE_FAILED.
   */
  async update(change: (stored: StoredCopies<File>) => File | undefined): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.load();
      const file = change(stored);
      if (file === undefined) return;
      const bytes = this.#format.encode(file);
      const target = stored.good[0]?.copy === "a" ? "b" : "a";
      if (!(await this.#storage.replace(target, stored.bytes[target], bytes))) continue;
      await this.#check(target, bytes, file.body.generation);
      await this.repair(target, bytes, stored);
      return;
    }
    throw new CodedError("LOCAL_STORE_FAILED", "Other windows of Parley keep changing the vault: try again");
  }

  /** Brings the other copy up to a good one. A failure is no reason to refuse the person: the next opening tries again. */
  async repair(good: VaultCopy, bytes: Uint8Array, stored: StoredCopies<File>): Promise<void> {
    const other = good === "a" ? "b" : "a";
    const known = stored.bytes[other];
    if (known !== undefined && equalBytes(known, bytes)) return;
    await this.#storage.replace(other, known, bytes).catch(() => false);
  }

  /** Holds the storage to what it took; another window may have gone on from there. */
  async #check(copy: VaultCopy, bytes: Uint8Array, generation: number): Promise<void> {
    const stored = await this.#storage.read(copy);
    if (stored !== undefined && equalBytes(stored, bytes)) return;
    const file = stored && this.#format.parse(stored);
    if (file !== undefined && file.body.generation > generation) return;
    throw new CodedError("LOCAL_STORE_FAILED", "The vault could not be written: the storage returned different bytes than were written");
  }
}

/** The copies of the vault of one profile. */
export class VaultCopies extends Copies<VaultFile> {
  constructor(storage: VaultStorage) {
    super(storage, VAULT_FORMAT);
  }
}
