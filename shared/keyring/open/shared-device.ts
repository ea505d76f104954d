// The open device and what is stored of it. Several windows may share a vault: whatever is stored is changed where it lies, and what
// another window stored is taken over before anything is given up as unreadable.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { renewedSection, retiredSection, withDayKey, withoutDayKeys } from "../devices/device-section.ts";
import type { EpochTime } from "../devices/epoch-keys.ts";
import type { OpenedItem, SealedItem } from "../keyring-api.ts";
import { estimatePassword } from "../passwords/estimate-password.ts";
import { certify } from "../vault/device-credentials.ts";
import type { Vault } from "../vault/vault.ts";
import { type DeviceSection, wipe } from "../vault/vault-secrets.ts";
import type { AgreeAhead } from "./agree-ahead.ts";
import type { OpenKeys } from "./open-keys.ts";

/** What is around a device. */
interface SharedDeviceHost {
  /** Another window has written the vault under another data key, so nothing here can go on. */
  readonly onReplaced: () => void;
  /** Agreements that are made elsewhere before they are used; undefined where they are made where they are used. */
  readonly agreeAhead: () => Promise<AgreeAhead | undefined>;
}

/** The device of one profile, while it is open. One change at a time: its owner sees to that. */
export class SharedDevice {
  readonly #vault: Vault;
  readonly #keys: OpenKeys;
  readonly #random: RandomBytes;

  readonly #onReplaced: () => void;
  readonly #aheadOf: SharedDeviceHost["agreeAhead"];

  constructor(vault: Vault, keys: OpenKeys, random: RandomBytes, { onReplaced, agreeAhead }: SharedDeviceHost) {
    this.#aheadOf = agreeAhead;
    this.#onReplaced = onReplaced;
    this.#vault = vault;
    this.#keys = keys;
    this.#random = random;
  }

  /** Changes what is stored, whichever window stored it last, and takes it over. */
  async change(change: (section: DeviceSection) => DeviceSection | undefined): Promise<void> {
    // A copy: locking meanwhile overwrites the open one.
    const dataKey = this.#keys.requireDevice().dataKey.slice();
    this.#keys.adopt(await this.#noticing(this.#vault.changeDevice(dataKey, change)).finally(() => wipe(dataKey)));
  }

  /** Opens items in order, with the keys that other windows made too. */
  async open(items: readonly SealedItem[]): Promise<readonly OpenedItem[]> {
    const opened = await this.#openHere(items);
    if (opened.every(({ plaintext, pair }) => plaintext !== null || pair !== undefined) || !(await this.refresh())) return opened;
    const device = this.#keys.requireDevice();
    return opened.map((item, index) => {
      const sealed = items[index];
      return item.plaintext !== null || sealed === undefined ? item : (device.box.open([sealed], device.epochs)[0] ?? item);
    });
  }

  /** With what the host computes elsewhere, where it does. */
  async #openHere(items: readonly SealedItem[]): Promise<readonly OpenedItem[]> {
    const ahead = await this.#aheadOf();
    const { box, epochs } = this.#keys.requireDevice();
    if (ahead === undefined) return box.open(items, epochs);
    return ahead(box.openingWork(items, epochs), (agree) => {
      const device = this.#keys.requireDevice();
      return device.box.open(items, device.epochs, agree);
    });
  }

  /** The newest short-lived key, signed; makes and stores one when it is due. Null until the master key has vouched for this device. */
  async prekey(chainId: string, time: EpochTime): Promise<SignedPrekey | null> {
    const { credentials, epochs } = this.#keys.requireDevice();
    const { wallet } = this.#keys;
    const isNew = wallet !== undefined && !credentials.has(chainId);
    if (isNew || epochs.isDue(time)) {
      const certificate = isNew ? { chainId, signature: certify(wallet.seed, chainId, credentials.keys) } : undefined;
      await this.change((section) => renewedSection(section, certificate, { time, random: this.#random }));
    }
    const { device } = this.#keys;
    const prekey = device?.epochs.prekey;
    if (device === undefined || prekey === undefined) throw new CodedError("KEYRING_LOCKED", "The keyring was locked in the meantime");
    return device.credentials.prekey(chainId, prekey);
  }

  /** The mailbox has just been empty: destroys the short-lived keys that nothing is sealed to any more. */
  async retireEpochs(time: EpochTime): Promise<void> {
    if (!this.#keys.requireDevice().epochs.hasRetired(time)) return;
    await this.change((section) => retiredSection(section, { time, random: this.#random }));
  }

  /**
   * Judges the password that has just opened a vault from before there was a floor for passwords. Undefined: nothing is to be done, or the
   * word lists cannot be loaded.
   */
  async judgePassword(password: string): Promise<boolean | undefined> {
    if (this.#keys.device?.isPasswordJudged !== false) return undefined;
    const estimate = await estimatePassword({ password }).catch(() => undefined);
    if (this.#keys.device?.isPasswordJudged !== false) return undefined;
    if (estimate?.isAcceptable === false) this.#keys.markWeakPassword();
    return estimate?.isAcceptable;
  }

  /** The password is not judged again. */
  storeJudgement(): Promise<void> {
    return this.change((section) => ({ ...section, isPasswordJudged: true }));
  }

  /** Stores the number of a write of the local store, never a smaller one; what is stored then, and the vault's generation. */
  async storeCheckpoint(counter: number): Promise<{ readonly counter: number; readonly generation: number }> {
    let greatest = counter;
    await this.change((section) => {
      const { storeCounter = 0 } = section;
      greatest = Math.max(storeCounter, counter);
      return greatest === storeCounter ? undefined : { ...section, storeCounter: greatest };
    });
    return { counter: greatest, generation: this.#keys.requireDevice().generation };
  }

  /** A key for stored messages that disappear up to a time; false where there is no room. */
  async makeDayKey(until: number): Promise<boolean> {
    let isMade = false;
    await this.change((section) => {
      const changed = withDayKey(section, until, this.#random);
      isMade = changed !== undefined;
      return changed;
    });
    return isMade;
  }

  async dropDayKeys(ids: readonly string[]): Promise<void> {
    await this.change((section) => withoutDayKeys(section, ids));
  }

  /** Takes over what another window stored; true when there was something. */
  async refresh(): Promise<boolean> {
    const { dataKey, generation } = this.#keys.requireDevice();
    const own = dataKey.slice();
    const stored = await this.#noticing(this.#vault.readDevice(own, generation)).finally(() => wipe(own));
    if (stored !== undefined) this.#keys.adopt(stored);
    return stored !== undefined;
  }

  async #noticing<T>(task: Promise<T>): Promise<T> {
    return task.catch((error: unknown) => {
      if (isCodedError(error, "KEYRING_LOCKED")) this.#onReplaced();
      throw error;
    });
  }
}
