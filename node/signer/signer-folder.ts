// The folder of a signer, and what makes it:
//   validator-key.json  signed  tls.pem  lock
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDataFolder, dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { readKey, readOrCreateKey, type StoredKey } from "#node/config/files/key-store.ts";
import { closeDataFolder } from "#node/config/files/private-data-folder.ts";
import { syncFolder, writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { comparePositions, decodeGuard, type SignedRecord } from "#node/engine/log/sign-guard.ts";
import { type DataFolderLock, lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { decodeMemory, encodeMemory, NOTHING_SIGNED } from "./memory/signer-memory.ts";
import { fingerprintOf, readOrCreateTlsIdentity } from "./tls/tls-files.ts";

/** Paths inside the folder. */
export function signerPaths(dir: string): Readonly<Record<"key" | "memory" | "tls", string>> {
  return { key: join(dir, "validator-key.json"), memory: join(dir, "signed"), tls: join(dir, "tls.pem") };
}

/** Where a node's data folder holds its TLS key for the signer. */
export function nodeTlsPath(dataDir: string): string {
  return join(dataDir, "keys", "signer-tls.pem");
}

/** A folder that is ready. */
export interface SignerIdentity {
  readonly publicKey: PublicKeyHex;
  readonly fingerprint: string;
}

/** What to make a folder with. */
export interface InitRequest {
  readonly dir: string;
  readonly chainId: string | undefined;
  /** A stopped validator's data folder, whose key and sign guard are taken over. */
  readonly fromDataDir: string | undefined;
  readonly random: RandomBytes;
}

/**
 * Makes the folder, or completes one. A key that this makes has signed nothing, which is written down; of another key nothing is known.
 * @throws CodedError in words; nothing of the data folder was changed.
 */
export function initSigner(request: InitRequest): SignerIdentity {
  const { dir, fromDataDir } = request;
  createDataFolder(dir);
  closeDataFolder(dir);
  const lock = lockSignerFolder(dir);
  try {
    const key = fromDataDir === undefined ? ownKey(request) : takeOver(request, fromDataDir);
    return { publicKey: key.publicKey, fingerprint: fingerprintOf(readOrCreateTlsIdentity(signerPaths(dir).tls, "parley-signer")) };
  } finally {
    lock.release();
  }
}

/** One process a folder: two with one memory each would each sign. @throws CodedError STORAGE_LOCKED */
export function lockSignerFolder(dir: string): DataFolderLock {
  try {
    return lockDataFolder(dir);
  } catch (cause) {
    if (!isCodedError(cause, "STORAGE_LOCKED")) throw cause;
    throw new CodedError("STORAGE_LOCKED", `Another signer uses ${dir}: stop it first`, { cause });
  }
}

function ownKey({ dir, chainId, random }: InitRequest): StoredKey {
  const { key: path, memory } = signerPaths(dir);
  const existing = readKey(path, "ed25519");
  if (existing !== undefined) return existing;
  if (existsSync(memory))
    throw new CodedError("VALIDATOR_UNSAFE", `${dir} remembers signatures and has no key: restore the key, or use another folder`);
  if (chainId === undefined) throw new CodedError("CONFIG_INVALID", "A new key is for one chain: name it with --chain-id");
  const key = readOrCreateKey(path, "ed25519", random);
  writeFileAtomic(memory, encodeMemory(NOTHING_SIGNED, chainId, key.publicKey));
  return key;
}

/**
 * Moves a validator's key here, with what it has signed. The data folder keeps everything else: its node makes itself another key, and its
 * sign guard keeps it from voting without the signer.
 */
function takeOver({ dir }: InitRequest, dataDir: string): StoredKey {
  const paths = dataFolderPaths(dataDir);
  const { key: target, memory } = signerPaths(dir);
  const { chain_id: chainId } = readFolderNetwork(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const key = readKey(paths.nodeKey, "ed25519");
    if (key === undefined) throw new CodedError("CONFIG_INVALID", `${dataDir} has no node key to take over`);
    const own = readKey(target, "ed25519");
    if (own !== undefined && own.publicKey !== key.publicKey)
      throw new CodedError("CONFIG_INVALID", `${dir} holds another key: nothing is replaced, choose another folder`);
    const guard = readIfPresent(join(paths.consensus, "sign-guard"));
    const signed = guard === undefined ? undefined : decodeGuard(guard, chainId, key.publicKey);
    // What was signed comes first, the key next: at no moment is there a signer that has the key and does not remember.
    remember(memory, signed, { chainId, publicKey: key.publicKey });
    readOrCreateKey(target, "ed25519", () => key.secret);
    // From here on the key is in one place.
    rmSync(paths.nodeKey);
    syncFolder(dirname(paths.nodeKey));
    return key;
  } finally {
    lock.release();
  }
}

/**
 * Writes the memory, unless the one that is there already is later: an interrupted move is done again, or the key was in another file.
 * @throws CodedError as {@link decodeMemory} when what is there is not of this key.
 */
function remember(path: string, signed: SignedRecord | undefined, of: { chainId: string; publicKey: PublicKeyHex }): void {
  const stored = readIfPresent(path);
  const known = stored === undefined ? undefined : decodeMemory(stored, of.chainId, of.publicKey);
  if (signed === undefined || (known !== undefined && comparePositions(known.position, signed.position) >= 0)) return;
  writeFileAtomic(path, encodeMemory({ ...signed, holder: null }, of.chainId, of.publicKey));
}

function readIfPresent(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw fileError(path, error);
  }
}
