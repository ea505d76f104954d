// Bytes of responses and pushes that wait for their readers, of each address and in all: what is never read is bounded in memory. An address
// may have as much waiting as is free, so that however many addresses read nothing, another one finds room.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Reader } from "../security/client-address.ts";

/** How much may wait. */
export interface WaitingBytesLimits {
  /** Bytes for the readers of one address. */
  readonly waitingBytesPerAddress: number;
  /** Bytes for all readers; programs of the node's owner have a quarter more. */
  readonly waitingBytes: number;
}

const OWN_SHARE = 1.25;

/** Counts what waits. */
export class WaitingBytes {
  readonly #limits: WaitingBytesLimits;
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: WaitingBytesLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** More or less waits for the readers of an address. */
  change(address: string, bytes: number): void {
    this.#total += bytes;
    const left = (this.#perAddress.get(address) ?? 0) + bytes;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }

  /** True when so much more may wait for a reader. */
  hasRoom({ address, isOwn }: Reader, bytes: number): boolean {
    return this.#fitsInAll(isOwn, bytes) && (isOwn || this.#fitsAddress(address, bytes));
  }

  /** @throws CodedError RATE_LIMITED when the address has its share waiting, BUSY when others have so much that there is no room for it */
  assertRoom(reader: Reader, bytes: number): void {
    if (this.hasRoom(reader, bytes)) return;
    if (reader.isOwn || !this.#perAddress.has(reader.address))
      throw new CodedError("BUSY", "More responses wait for their readers than the node can hold: try again in a moment");
    throw new CodedError("RATE_LIMITED", "Too many responses wait to be read by this address: read them, then ask for more");
  }

  #fitsInAll(isOwn: boolean, bytes: number): boolean {
    return this.#total + bytes <= this.#limits.waitingBytes * (isOwn ? OWN_SHARE : 1);
  }

  #fitsAddress(address: string, bytes: number): boolean {
    const { waitingBytes, waitingBytesPerAddress } = this.#limits;
    return (this.#perAddress.get(address) ?? 0) + bytes <= Math.min(waitingBytesPerAddress, waitingBytes - this.#total);
  }
}
