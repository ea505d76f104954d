// What connections of programs need of the keyring, and nothing more. Only the process that holds the keyring reaches it: it is on no port.
// A program is not a person: nothing here puts a lock off, but for the password that a person typed.
import { CodedError } from "#shared/errors/coded-error.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import type { DraftContext } from "#shared/protocol/transactions/build-transaction.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { IntentSigner } from "../intents/intent-checks.ts";
import type { Intent, SignedIntent } from "../intents/intents.ts";
import { lateIntents } from "../intents/late-intents.ts";
import { deriveKey } from "../vault/derivation.ts";
import { type DataKeys, wipeSecrets, wipeSection } from "../vault/secrets.ts";
import type { Vault } from "../vault/vault.ts";
import { type DeviceSection, wipe, withoutFormerKeys } from "../vault/vault-secrets.ts";
import type { SpendingDesk } from "./spending-desk.ts";

/** Keys of the apps' own storage under one password. */
export interface AppFileKeys {
  /** Seals the file of connections. */
  readonly file: Uint8Array;
  /** Seals lines of the journal. */
  readonly journal: Uint8Array;
}

/** Keys of the apps' own storage. Their owner overwrites them. */
export interface AppKeys extends AppFileKeys {
  /** How often the password was changed before. */
  readonly renewals: number;
  /** Those of former passwords, the newest first: they open what was not sealed again yet. */
  readonly former: readonly AppFileKeys[];
  /** Encrypts the numbers of orders. */
  readonly numbers: Uint8Array;
}

/** What stores the device section of the open vault. */
interface DeviceStore {
  change(change: (section: DeviceSection) => DeviceSection | undefined): Promise<void>;
}

/** What a keyring lets its access do. */
export interface AppAccessHooks {
  readonly openDevice: () => DataKeys & { readonly header: IntentSigner };
  readonly openWallet: () => { readonly seed: Uint8Array };
  /** Counts by the person's own spending rules, which hold for programs too. */
  readonly charge: SpendingDesk["charge"];
  /** One change of the vault at a time. */
  readonly exclusive: <T>(task: () => Promise<T>) => Promise<T>;
  /** A person was there. */
  readonly prove: () => void;
}

/** The access of one keyring. */
export class AppAccess {
  readonly #vault: Vault;
  readonly #device: DeviceStore;
  readonly #hooks: AppAccessHooks;

  constructor(vault: Vault, device: DeviceStore, hooks: AppAccessHooks) {
    this.#vault = vault;
    this.#device = device;
    this.#hooks = hooks;
  }

  /** The account that signs. @throws CodedError KEYRING_LOCKED. */
  signer(): IntentSigner {
    return this.#hooks.openDevice().header;
  }

  /** False where the wallet is locked, or not on this device. */
  canSign(): boolean {
    try {
      this.#hooks.openWallet();
      return true;
    } catch {
      return false;
    }
  }

  /** How often the password was changed: with it change the keys. @throws CodedError KEYRING_LOCKED. */
  renewals(): number {
    return this.#hooks.openDevice().formerKeys?.count ?? 0;
  }

  /** @throws CodedError KEYRING_LOCKED. */
  keys(): AppKeys {
    const { dataKey, formerKeys } = this.#hooks.openDevice();
    const fileKeys = (key: Uint8Array): AppFileKeys => ({ file: deriveKey(key, "apps file"), journal: deriveKey(key, "apps journal") });
    return {
      ...fileKeys(dataKey),
      renewals: formerKeys?.count ?? 0,
      former: (formerKeys?.files ?? []).map(fileKeys),
      numbers: deriveKey(formerKeys?.first ?? dataKey, "apps numbers"),
    };
  }

  /** Nothing lies under keys of former passwords any more; of no effect when another password came meanwhile. */
  dropFormerKeys(renewals: number): Promise<void> {
    return this.#hooks.exclusive(() => this.#device.change((section) => withoutFormerKeys(section, "files", renewals)));
  }

  /**
   * Counts what is about to be reserved for a program, by the spending rules. What `sign` gives under the same id is then counted.
   * @throws CodedError SPENDING_RECIPIENT, SPENDING_LIMIT, SPENDING_DELAY, KEYRING_LOCKED.
   */
  charge(intent: Intent, transactionId: string, blockMs: number): Promise<void> {
    return this.#hooks.charge({ intent, blockMs }, idHash(transactionId));
  }

  /**
   * Signs what was judged. It is no activity of the person. The same transaction is counted by the spending rules once.
   * @throws CodedError KEYRING_LOCKED, PHRASE_MISSING, and as {@link charge}.
   */
  async sign(intent: Intent, context: DraftContext, blockMs: number): Promise<SignedIntent> {
    const { signIntent } = await lateIntents();
    const signed = signIntent(intent, { signer: this.signer(), seed: this.#hooks.openWallet().seed }, context);
    await this.charge(intent, signed.transaction.id, blockMs);
    return signed;
  }

  /** @throws CodedError CONFIRMATION_REQUIRED without a password, VAULT_WRONG_PASSWORD, VAULT_GUESS_DELAY. */
  async requirePassword(password: string | undefined): Promise<void> {
    if (password === undefined) throw new CodedError("CONFIRMATION_REQUIRED", "This gives lasting power: confirm it with the password");
    const { secrets } = await this.#vault.openWithPassword(password);
    wipeSecrets(secrets);
    this.#hooks.prove();
  }

  /** Generation of the apps' file as the vault knows it; 0 before the first. @throws CodedError KEYRING_LOCKED. */
  async storedGeneration(): Promise<number> {
    const dataKey = this.#hooks.openDevice().dataKey.slice();
    const stored = await this.#vault.readDevice(dataKey, -1).finally(() => wipe(dataKey));
    if (stored !== undefined) wipeSection(stored.secrets);
    return stored?.secrets.appsGeneration ?? 0;
  }

  /** Stores a generation; never a smaller one. @throws CodedError KEYRING_LOCKED, LOCAL_STORE_FAILED. */
  storeGeneration(generation: number): Promise<void> {
    return this.#hooks.exclusive(() =>
      this.#device.change((section) =>
        (section.appsGeneration ?? 0) >= generation ? undefined : { ...section, appsGeneration: generation },
      ),
    );
  }
}

/** Hex by which a transaction is remembered. */
function idHash(transactionId: string): string {
  return toHex(sha256(utf8(transactionId)));
}
