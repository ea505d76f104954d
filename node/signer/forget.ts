// Takes back what a signer remembers by mistake: a height that no chain will reach for years keeps its validator from voting. Nothing can
// check that the key has signed nothing in between, so the person names both heights, and what was remembered stays in a file.
import { readFileSync } from "node:fs";
import { readKey } from "#node/config/files/key-store.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { nothingSignedAbove } from "#node/engine/voting/lost-memory.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { encodeMemory, memoryNetwork, wordsOf } from "./memory/signer-memory.ts";
import { lockSignerFolder, signerPaths } from "./signer-folder.ts";

/** What was forgotten. */
export interface Forgotten {
  /** Position in words. */
  readonly from: string;
  readonly to: Height;
  /** File with what was remembered. */
  readonly backup: string;
}

/**
 * Lets a stopped signer remember that nothing was signed above a height, which is below the one that it remembers.
 * @throws CodedError CONFIG_INVALID when `remembered` is not what it remembers, STORAGE_LOCKED while it runs.
 */
export function forgetAbove(dir: string, above: Height, remembered: Height | undefined): Forgotten {
  const paths = signerPaths(dir);
  // Before its lock is made: a folder that was named by mistake stays as it is.
  const key = readKey(paths.key, "ed25519");
  if (key === undefined) throw new CodedError("CONFIG_INVALID", `There is no signer in ${dir}`);
  const lock = lockSignerFolder(dir);
  try {
    const bytes = readMemory(paths.memory);
    const { chainId, publicKey, position } = memoryNetwork(bytes);
    if (publicKey !== key.publicKey) throw new CodedError("VALIDATOR_UNSAFE", `The memory in ${dir} is of another key than its own`);
    const words = wordsOf(position);
    if (above >= position.height)
      throw new CodedError("CONFIG_INVALID", `The signer remembers ${words}, which is not above height ${above}: nothing to forget`);
    if (remembered !== position.height)
      throw new CodedError(
        "CONFIG_INVALID",
        `The signer remembers ${words}. If the key has signed anything above height ${above} but that, forgetting it lets the key contradict itself, which costs the bond. Compare with the chain and with every folder that this key ever had; if you are certain, repeat the command with --remembered ${position.height}`,
        { details: { remembered: position.height } },
      );
    const backup = `${paths.memory}.before-${above}`;
    writeFileAtomic(backup, bytes, { replaces: false });
    writeFileAtomic(paths.memory, encodeMemory({ ...nothingSignedAbove(above), holder: null }, chainId, publicKey));
    return { from: words, to: above, backup };
  } finally {
    lock.release();
  }
}

function readMemory(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${path} cannot be read: a signer that remembers nothing has nothing to forget`, { cause });
  }
}
