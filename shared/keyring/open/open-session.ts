// What is open until it locks: keys, the idle time, the question about the phrase; and who is told when that changes.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import { AutoLock, DEFAULT_AUTO_LOCK } from "../auto-lock.ts";
import type { Agree } from "../devices/device-box.ts";
import type { KeyringStatus } from "../keyring-api.ts";
import { PendingQuiz } from "../vault/phrase-quiz.ts";
import { wipeSecrets } from "../vault/secrets.ts";
import type { OpenedDevice, OpenedVault } from "../vault/vault.ts";
import { lockedStatus, type OpenDevice, OpenKeys, type OpenWallet } from "./open-keys.ts";

/** Where a session comes from. */
export interface SessionDependencies {
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Native X25519, where the host has it. */
  readonly agree?: Agree | undefined;
  /** The wallet was locked, or everything: what waits for a confirmation is over. */
  readonly onLocked: () => void;
}

/** One profile's open keys. */
export class OpenSession {
  readonly keys: OpenKeys;
  readonly autoLock: AutoLock;
  readonly quiz: PendingQuiz;
  /** Idle times of a vault that holds none; chosen before there was one. */
  defaultAutoLock = DEFAULT_AUTO_LOCK;
  readonly #onLocked: () => void;
  readonly #listeners = new Set<(status: KeyringStatus) => void>();
  #lockCount = 0;

  constructor({ random, clock, timers, agree, onLocked }: SessionDependencies) {
    this.keys = new OpenKeys(random, agree);
    this.quiz = new PendingQuiz(random);
    this.autoLock = new AutoLock(clock, timers, { lockWallet: (): void => this.dropWallet(), lock: (): void => this.dropAll() });
    this.#onLocked = onLocked;
  }

  /** Rises with every full lock: an unlocking that was overtaken by it must not take effect. */
  get lockCount(): number {
    return this.#lockCount;
  }

  /** Calls back whenever the state changes; returns the way to stop that. */
  onStatus(listener: (status: KeyringStatus) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** Opens what was decrypted since the given lock. @throws CodedError KEYRING_LOCKED after a later one; the secrets are wiped then. */
  take(opened: OpenedVault | OpenedDevice, lockCount: number): KeyringStatus {
    if (lockCount !== this.#lockCount) {
      wipeSecrets(opened.secrets);
      throw new CodedError("KEYRING_LOCKED", "The keyring was locked in the meantime");
    }
    const status = this.keys.open(opened);
    this.quiz.drop();
    this.autoLock.start(opened.secrets.autoLock ?? this.defaultAutoLock);
    this.#tell(status);
    return status;
  }

  /** @throws CodedError KEYRING_LOCKED */
  requireWallet(): OpenWallet {
    this.autoLock.check();
    return this.keys.requireWallet();
  }

  /** @throws CodedError KEYRING_LOCKED */
  requireDevice(): OpenDevice {
    this.autoLock.check();
    return this.keys.requireDevice();
  }

  /** Wipes the keys of the wallet. */
  dropWallet(): void {
    if (this.keys.wallet === undefined) return;
    this.keys.closeWallet();
    this.#onLocked();
    this.quiz.drop();
    this.announce();
  }

  /** Wipes all keys. */
  dropAll(): void {
    this.#lockCount += 1;
    const header = this.keys.device?.header;
    this.keys.close();
    this.#onLocked();
    this.quiz.drop();
    this.autoLock.stop();
    if (header !== undefined) this.#tell(lockedStatus(header));
  }

  /** Tells the state of what is open. */
  announce(): void {
    if (this.keys.status !== undefined) this.#tell(this.keys.status);
  }

  #tell(status: KeyringStatus): void {
    for (const listener of [...this.#listeners]) listener(status);
  }
}
