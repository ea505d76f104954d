// Asks the person, outside of the page, before something gives lasting power: the host's own window where it has one, else the password,
// which is judged here. What the page says about a decision counts for nothing.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock } from "#shared/util/clock.ts";
import { wipeSecrets } from "../vault/secrets.ts";
import type { Vault } from "../vault/vault.ts";
import type { KeyringDecision } from "./decision.ts";

/** Shows a decision in a window that the page cannot draw; true when the person agreed. */
export type ConfirmDecision = (decision: KeyringDecision) => Promise<boolean>;

/** How long a device that was vouched for can be linked without being asked about again. */
const CERTIFIED_MS = 600_000;

interface CertifiedDevice {
  readonly devicePub: X25519KeyHex;
  readonly chainId: string;
  readonly untilMs: number;
}

/** What a gate needs of its keyring. */
export interface ConfirmationGateOptions {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly confirm: ConfirmDecision | undefined;
}

/** The gate of one keyring. */
export class ConfirmationGate {
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #confirm: ConfirmDecision | undefined;
  readonly #onProof: () => void;
  #certified: CertifiedDevice | undefined;

  /** `onProof` is called whenever a person, not a page, was there: by the password or by that window. */
  constructor({ vault, clock, confirm }: ConfirmationGateOptions, onProof: () => void) {
    this.#vault = vault;
    this.#clock = clock;
    this.#confirm = confirm;
    this.#onProof = onProof;
  }

  /** @throws CodedError CONFIRMATION_REQUIRED without a password where it is needed, VAULT_WRONG_PASSWORD, CONFIRMATION_DECLINED. */
  async require(decision: KeyringDecision | undefined, password: string | undefined): Promise<void> {
    if (decision === undefined || this.#takeCertified(decision)) return;
    if (this.#confirm !== undefined) return this.show(decision);
    if (password === undefined)
      throw new CodedError("CONFIRMATION_REQUIRED", "This gives lasting power: confirm it with the password", {
        details: { decision: decision.kind },
      });
    const { secrets } = await this.#vault.openWithPassword(password);
    wipeSecrets(secrets);
    this.#onProof();
  }

  /** For what needs the password anyway: asks in the host's window too, where there is one. @throws CodedError CONFIRMATION_DECLINED. */
  async show(decision: KeyringDecision): Promise<void> {
    if (this.#confirm !== undefined && !(await this.#confirm(decision)))
      throw new CodedError("CONFIRMATION_DECLINED", "This was not confirmed in Parley's own window");
    this.#onProof();
  }

  /** A device is let in, for the password that was judged already: linking it once is part of that. @throws CodedError CONFIRMATION_DECLINED. */
  async certify(device: { readonly devicePub: X25519KeyHex; readonly chainId: string }): Promise<void> {
    await this.show({ kind: "certifyDevice", ...device });
    this.#certified = { ...device, untilMs: this.#clock.monotonicMs() + CERTIFIED_MS };
  }

  /** Nothing that was agreed to outlives a lock. */
  close(): void {
    this.#certified = undefined;
  }

  #takeCertified(decision: KeyringDecision): boolean {
    const certified = this.#certified;
    if (decision.kind !== "linkDevice" || certified === undefined) return false;
    const { devicePub, chainId, untilMs } = certified;
    if (decision.devicePub !== devicePub || decision.chainId !== chainId) return false;
    this.#certified = undefined;
    return this.#clock.monotonicMs() < untilMs;
  }
}
