// What stands for a set of boxes where a reader and a keeper compare what is watched.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

const BYTES = 16;
const MODULUS = 1n << BigInt(8 * BYTES);

/** Sum of the first 16 bytes of SHA-256 of each box, modulo 2^128. */
export class BoxSum {
  #sum = 0n;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Hex of 16 bytes. */
  get fingerprint(): string {
    return this.#sum.toString(16).padStart(2 * BYTES, "0");
  }

  add(box: X25519KeyHex): void {
    this.#sum = (this.#sum + hashOf(box)) % MODULUS;
    this.#count += 1;
  }

  remove(box: X25519KeyHex): void {
    this.#sum = (this.#sum + MODULUS - hashOf(box)) % MODULUS;
    this.#count -= 1;
  }
}

function hashOf(box: X25519KeyHex): bigint {
  return BigInt(`0x${toHex(nativeSha256(fromHex(box)).subarray(0, BYTES))}`);
}
