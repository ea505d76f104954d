// The process of `parley signer`: one key, one chain, one folder, until it is asked to stop.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { createDataFolder } from "#node/config/files/data-folder.ts";
import { fileError } from "#node/config/files/file-errors.ts";
import { readKey } from "#node/config/files/key-store.ts";
import { formatSignerAddress, type SignerAddress } from "#node/config/signer-address.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { createValidatorSigner, type ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { openReplaceableFile } from "#node/engine/log/engine-storage.ts";
import { createLog, type Log, standardErrorSink } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { SignerMemory, wordsOf } from "./memory/signer-memory.ts";
import { PacedLog } from "./server/paced-log.ts";
import { SignDesk } from "./server/sign-desk.ts";
import { listenForNodes, type SignerListener, type TlsAccess } from "./server/signer-listener.ts";
import { SignerSessions } from "./server/signer-sessions.ts";
import { lockSignerFolder, signerPaths } from "./signer-folder.ts";
import { readPrivateFile } from "./tls/private-file.ts";
import { fingerprintOf, readTlsIdentity } from "./tls/tls-files.ts";

/** What a signer is started with. */
export interface SignerSettings {
  /** Folder of its memory, lock and TLS key. */
  readonly dir: string;
  readonly keyPath: string;
  readonly chainId: string;
  readonly listen: readonly SignerAddress[];
  /** Fingerprints of the nodes that a port serves. */
  readonly allowed: readonly string[];
  readonly log: "text" | "json";
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serves until a signal. @throws CodedError when it cannot start. */
export async function runSigner(settings: SignerSettings): Promise<void> {
  const log = createLog(settings.log, standardErrorSink());
  const stopped = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.on(signal, stopped.resolve);
  await using opened = new AsyncDisposableStack();
  await startSigner(settings, log, opened);
  await stopped.promise;
  log.info({}, "Stopping");
}

/** A signer that serves, until `opened` is disposed of. @throws CodedError in words. */
export async function startSigner(settings: SignerSettings, log: Log, opened: AsyncDisposableStack): Promise<readonly SignerListener[]> {
  const { dir, chainId, listen } = settings;
  // First: a folder that was named by mistake is not made.
  const signer = readSigner(settings.keyPath);
  createDataFolder(dir);
  // Who can write there can take its memory away. Files keep their permissions: an open key is refused below.
  closeFolder(dir);
  // Two signers with one memory each would each sign.
  const lock = lockSignerFolder(dir);
  opened.defer(() => lock.release());
  const memory = new SignerMemory(openReplaceableFile(signerPaths(dir).memory), chainId, signer);
  const tls = listen.some(({ type }) => type === "tls") ? tlsAccess(settings) : undefined;
  const desk = new SignDesk({ chainId, publicKey: signer.publicKey, memory, verify: createNativeVerifier(), clock: systemClock });
  const paced = new PacedLog(log, systemClock);
  const sessions = new SignerSessions({ desk, clock: systemClock, timers: systemTimers, log: paced });
  const listeners: SignerListener[] = [];
  // A server is closed once its last connection is.
  opened.defer(async () => {
    const closed = listeners.map((listener) => listener.close());
    sessions.close();
    await Promise.all(closed);
  });
  for (const address of listen) {
    const listener = await listenForNodes({
      address,
      ...(tls === undefined ? {} : { tls }),
      onSocket: (socket, from) => sessions.accept(socket, from),
      onRefused: (reason, from) => paced.warn({ from }, `A connection was refused: ${reason}`),
    });
    listeners.push(listener);
  }
  const last = memory.last === undefined ? "no signature is remembered" : `last signature: ${wordsOf(memory.last.position)}`;
  log.info({ validator: formatAddress(signer.publicKey), chain_id: chainId }, `The signer starts, ${last}`);
  const where = listeners.map(({ address }) => formatSignerAddress(address)).join(" and ");
  log.info(tls === undefined ? {} : { fingerprint: fingerprintOf(tls.identity) }, `Ready at ${where}`);
  return listeners;
}

function closeFolder(dir: string): void {
  try {
    chmodSync(dir, 0o700);
  } catch (error) {
    throw fileError(dir, error);
  }
}

function readSigner(path: string): ValidatorSigner {
  // Permissions first: a key that others can read is none.
  if (readPrivateFile(path) === undefined)
    throw new CodedError("CONFIG_INVALID", `There is no key at ${path}: make one with parley signer init, or name it with --key`);
  const key = readKey(path, "ed25519");
  if (key === undefined) throw new CodedError("CONFIG_INVALID", `There is no key at ${path}`);
  return createValidatorSigner(key.secret);
}

function tlsAccess({ dir, allowed }: SignerSettings): TlsAccess {
  if (allowed.length === 0)
    throw new CodedError("CONFIG_INVALID", "A signer with a port serves the nodes that --allow names by their fingerprints: give one");
  return {
    identity: readTlsIdentity(signerPaths(dir).tls, `make it with parley signer init --dir ${join(dir)}`),
    allowed: new Set(allowed),
  };
}
