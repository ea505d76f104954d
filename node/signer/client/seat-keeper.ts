// The seat of this node: the validator's word that it sends and receives for it. Asked for when the signer is there, renewed every hour,
// and taken back when another node has it although this one gets the signatures.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { SeatedValidator } from "#node/network/network-options.ts";
import { type SignedSeat, seatSignBytes } from "#node/network/wire/seat.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { RemoteSignerClient } from "./remote-signer.ts";

/** Age at which a seat is renewed, ms, and how often that is looked at. */
const RENEWAL_MS = 3_600_000;
const LOOK_MS = 10_000;
/** Other nodes take no seat of a later time. */
const MOST_AHEAD_S = NETWORK_LIMITS.versionSkewMs / 1_000;

export interface SeatKeeperOptions {
  readonly chainId: string;
  readonly nodeKey: PublicKeyHex;
  readonly signer: Pick<RemoteSignerClient, "publicKey" | "isReady" | "counts" | "signSeat" | "signParts" | "onChange">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Keeps one seat. */
export class SeatKeeper implements SeatedValidator {
  readonly #options: SeatKeeperOptions;
  readonly #listeners = new Set<() => void>();
  #seat: SignedSeat | undefined;
  #takenSec = 0;
  /** Signatures that this node had when another one took the seat. */
  #signedWhenTaken = 0;
  #isAsking = false;
  #cancel: CancelTimer = () => undefined;
  #stopListening: () => void = () => undefined;

  constructor(options: SeatKeeperOptions) {
    this.#options = options;
  }

  get publicKey(): PublicKeyHex {
    return this.#options.signer.publicKey;
  }

  start(): void {
    this.#stopListening = this.#options.signer.onChange(() => this.#look());
    this.#lookAgain();
  }

  close(): void {
    this.#cancel();
    this.#stopListening();
  }

  seat(): SignedSeat | undefined {
    return this.#seat;
  }

  onSeat(listener: () => void): void {
    this.#listeners.add(listener);
  }

  onTaken(sinceSec: number): void {
    if (sinceSec <= this.#takenSec || sinceSec <= (this.#seat?.sinceSec ?? 0)) return;
    this.#takenSec = sinceSec;
    this.#signedWhenTaken = this.#options.signer.counts.signed;
  }

  signParts(height: Height, round: number, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#options.signer.signParts(height, round, bytes);
  }

  #lookAgain(): void {
    this.#look();
    this.#cancel = this.#options.timers.setTimer(LOOK_MS, () => this.#lookAgain());
  }

  #look(): void {
    if (this.#options.signer.isReady && !this.#isAsking && this.#isDue()) void this.#ask();
  }

  #isDue(): boolean {
    const { clock, signer } = this.#options;
    if (this.#seat === undefined) return true;
    if (this.#takenSec > this.#seat.sinceSec) return signer.counts.signed > this.#signedWhenTaken;
    return Math.abs(clock.nowMs() - this.#seat.sinceSec * 1_000) > RENEWAL_MS;
  }

  async #ask(): Promise<void> {
    const { chainId, nodeKey, signer, clock } = this.#options;
    this.#isAsking = true;
    const nowSec = Math.floor(clock.nowMs() / 1_000);
    // A seat of a clock that was far ahead was taken by none of the others: the next one need not be later.
    const ownSec = this.#seat === undefined || this.#seat.sinceSec > nowSec + MOST_AHEAD_S ? 0 : this.#seat.sinceSec;
    const sinceSec = Math.max(nowSec, this.#takenSec + 1, ownSec + 1);
    const signature = await signer.signSeat(seatSignBytes(chainId, { validator: signer.publicKey, node: nodeKey, sinceSec }));
    this.#isAsking = false;
    if (signature === undefined) return;
    this.#seat = { validator: signer.publicKey, sinceSec, signature };
    for (const listener of this.#listeners) listener();
  }
}
