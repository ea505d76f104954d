// Names that the user of this machine gave to accounts: a private file. A name stands for its account wherever a command takes one;
// usernames, which the chain knows, begin with @.
import { readFileSync } from "node:fs";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import { isHex } from "#shared/util/bytes.ts";

/** Names of a book, at most. */
export const MAX_NAMES = 10_000;

const FORMAT = { format: "parley-address-book", version: 1 } as const;

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;
const ADDRESS_START = /^pl1/i;

/** An account with the name that it was given. */
export interface NamedAccount {
  readonly name: string;
  readonly publicKey: PublicKeyHex;
}

/** True for what can be a name: nothing that looks like an address or a key. */
export function isBookName(text: string): boolean {
  return NAME.test(text) && !ADDRESS_START.test(text) && !isHex(text, 32);
}

/** The names of one file. It is read with the first question, and a file that is not there is empty. */
export class AddressBook {
  readonly #file: string;
  #keys: ReadonlyMap<string, PublicKeyHex> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Account of a name, in upper or lower case. @throws CodedError CONFIG_INVALID for a damaged file */
  keyOf(name: string): PublicKeyHex | undefined {
    return this.#read().get(normalised(name));
  }

  /** The first name of an account. @throws CodedError CONFIG_INVALID for a damaged file */
  nameOf(publicKey: PublicKeyHex): string | undefined {
    return this.list().find((entry) => entry.publicKey === publicKey)?.name;
  }

  /** All names in their order. @throws CodedError CONFIG_INVALID for a damaged file */
  list(): readonly NamedAccount[] {
    return [...this.#read()].map(([name, publicKey]) => ({ name, publicKey })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Names an account; the file is on disk afterwards. Without `replaces` a name stays with the account that has it.
   * @throws CodedError CONFIG_INVALID for what is no name, the name of another account, or a full or damaged book; STORAGE_LOCKED
   */
  async set(name: string, publicKey: PublicKeyHex, { replaces = true }: { readonly replaces?: boolean } = {}): Promise<void> {
    if (!isBookName(name))
      throw new CodedError("CONFIG_INVALID", `"${name}" is no name: letters, digits and . _ -, at most 64, and nothing like an address`);
    await this.#change((keys) => {
      const before = keys.get(normalised(name));
      if (!replaces && before !== undefined && before !== publicKey)
        throw new CodedError(
          "CONFIG_INVALID",
          `${name} is the name of ${formatAddress(before)}: add --replace to give it to another account`,
        );
      keys.set(normalised(name), publicKey);
      if (keys.size > MAX_NAMES) throw new CodedError("CONFIG_INVALID", `The address book is full: ${MAX_NAMES} names`);
      return true;
    });
  }

  /** Takes a name away; false when there is none. @throws CodedError CONFIG_INVALID for a damaged file; STORAGE_LOCKED */
  remove(name: string): Promise<boolean> {
    return this.#change((keys) => keys.delete(normalised(name)));
  }

  #read(): ReadonlyMap<string, PublicKeyHex> {
    this.#keys ??= readBook(this.#file);
    return this.#keys;
  }

  /** Changes the book as it is on the disk now, one process after the other; false when the change leaves it as it is. */
  async #change(change: (keys: Map<string, PublicKeyHex>) => boolean): Promise<boolean> {
    // Only the commands about the book write it.
    const { changeLocked } = await import("./locked-change.ts");
    return changeLocked(this.#file, { mode: 0o600 }, (file) => {
      const keys = new Map(readBook(file));
      if (!change(keys)) return { text: undefined, result: false };
      const accounts = Object.fromEntries([...keys].map(([name, key]) => [name, formatAddress(key)]));
      // What is kept here is read again where it could not be written.
      this.#keys = undefined;
      return { text: `${JSON.stringify({ ...FORMAT, accounts }, undefined, 2)}\n`, result: true };
    });
  }
}

function normalised(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function readBook(file: string): ReadonlyMap<string, PublicKeyHex> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return new Map();
    throw new CodedError("CONFIG_INVALID", fileError(file, error).message, { cause: error });
  }
  try {
    const { format, version, accounts } = JSON.parse(text) as Record<string, unknown>;
    if (format === FORMAT.format && version === FORMAT.version)
      return new Map(
        Object.entries(accounts as Record<string, string>).map(([name, account]) => [normalised(name), parseAccount(account)]),
      );
  } catch (cause) {
    throw damaged(file, cause);
  }
  throw damaged(file, undefined);
}

function damaged(file: string, cause: unknown): CodedError {
  return new CodedError("CONFIG_INVALID", `The address book ${file} is damaged, or of a newer version: mend it, or move it away`, {
    cause,
  });
}
