// A thief who has the lasting keys of all devices and none of their cards: it makes boxes of version 1 in anyone's name.
import { createRandom, type Random, randomHex } from "#test/support/host/random.ts";
import type { MailNetwork } from "../network/mail-network.ts";

const STREAM = 0x0f01;
const FORGES = 0.3;

/** What opens a box of version 1: one of two lasting keys. */
export const VERSION_1 = "version 1";

/** Lays forged mail into lasting mailboxes. */
export class KeyThief {
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #devices: readonly string[];

  constructor(seed: number, network: MailNetwork, devices: readonly string[]) {
    this.#random = createRandom(seed ^ STREAM);
    this.#network = network;
    this.#devices = devices;
  }

  /** Now and then it writes to a device as another one. */
  step(nowMs: number): void {
    if (!this.#random.chance(FORGES)) return;
    const to = this.#one();
    const from = this.#one();
    if (from === to) return;
    const content = { id: randomHex(this.#random, 16), at: nowMs, stream: { instance: randomHex(this.#random, 8), last: 0, base: 0 } };
    this.#network.lay({ from, to, outer: to, cardId: "", key: VERSION_1, content, body: {} }, nowMs);
  }

  #one(): string {
    return this.#devices[this.#random.between(0, this.#devices.length - 1)] ?? "";
  }
}
