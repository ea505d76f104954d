// Strangers without number, who write to honest devices as much as they are allowed to: new people with one device each, one person with more
// devices than are stored of anyone, instances that follow each other, contents under public cards, mail in the names of honest people by
// devices that no list shows, and boxes that they open until nodes have no room for others. What they send comes as it is sent.
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createRandom, type Random, randomHex } from "#test/support/host/random.ts";
import type { MailNetwork, SimulatedEnvelope } from "../network/mail-network.ts";

const STREAM = 0xf100d;
const DAY_MS = 86_400_000;
/** More than all pairs that a device stores, than those of one person, and than what waits in a name. */
const CROWD = 2_100;
const DEVICES_OF_ONE = 70;
const CLAIMS = 24;
/** Waves that follow, and how many strangers come with each. */
const WAVES = 5;
const WAVE = 30;
const MOST_FULL_DAYS = 9;

/** What they did. */
export interface FloodFigures {
  /** Contents of strangers, those of them in the name of someone else, and days on which nodes had no room for further boxes. */
  readonly flooded: number;
  readonly claimed: number;
  readonly fullDays: number;
}

/** True for a device of a stranger. */
export function isOfFlood(device: string): boolean {
  return device.startsWith("x");
}

/** True for a device that only claims to be an honest person's. */
export function isClaim(device: string): boolean {
  return device.includes("-x");
}

/** Everything that strangers do in one schedule. */
export class StrangerFlood {
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #victims: readonly string[];
  /** When the next waves come; the first one is the crowd. */
  readonly #waves: number[];
  #people = 0;
  #hasCrowdCome = false;
  readonly figures = { flooded: 0, claimed: 0, fullDays: 0 };

  constructor(
    seed: number,
    network: MailNetwork,
    { victims, startMs, days }: { readonly victims: readonly string[]; readonly startMs: number; readonly days: number },
  ) {
    this.#random = createRandom(seed ^ STREAM);
    this.#network = network;
    this.#victims = victims;
    this.#waves = Array.from({ length: WAVES }, () => startMs + this.#random.next() * days * DAY_MS).sort((a, b) => a - b);
  }

  /** What is due comes to one of those whom they write to. */
  step(nowMs: number): void {
    const [next = Number.POSITIVE_INFINITY] = this.#waves;
    if (nowMs < next) return;
    this.#waves.shift();
    const victim = this.#victims[this.#random.between(0, this.#victims.length - 1)] ?? "";
    for (let count = this.#hasCrowdCome ? WAVE : CROWD; count > 0; count -= 1) this.#come(victim, this.#newPerson(), nowMs);
    this.#hasCrowdCome = true;
    const one = this.#newPerson();
    for (let device = 1; device <= DEVICES_OF_ONE; device += 1) this.#come(victim, `${one.slice(0, -2)}-${device}`, nowMs);
    for (let claim = 0; claim < CLAIMS; claim += 1) this.#claim(victim, nowMs);
    this.#openBoxes(nowMs);
  }

  #newPerson(): string {
    this.#people += 1;
    return `x${this.#people}-1`;
  }

  /** A first content, some more of other instances with other cards, and some under a public card. */
  #come(to: string, from: string, nowMs: number): void {
    this.#introduce(to, from, { instance: this.#hex(8), number: 1, nowMs });
    if (!this.#random.chance(0.1)) return;
    const [before, after] = [this.#hex(8), this.#hex(8)];
    for (const [instance, number] of [
      [before, 1],
      [after, 1],
      [before, 2],
    ] as const)
      this.#introduce(to, from, { instance, number, nowMs });
    const card = this.#network.publicCards.newestOf(to);
    if (card === undefined) return;
    const stream = { instance: before, last: 2 ** 40, base: 2 ** 40 };
    const content = { id: this.#hex(16), at: nowMs, stream, place: this.#random.between(1, 2 ** 31) };
    this.#lay(
      { from, to, outer: to, cardId: card.id, key: decoder.decode(card.kem), isPublic: true, content, body: { text: this.#hex(16) } },
      nowMs,
    );
  }

  #introduce(
    to: string,
    from: string,
    { instance, number, nowMs }: { readonly instance: string; readonly number: number; readonly nowMs: number },
  ): void {
    const kem = utf8(`${from} ${instance} ${number}`);
    const card = { id: cardId(instance, number), kem, x: new Uint8Array(), psk: new Uint8Array() };
    const content = { id: this.#hex(16), at: nowMs, stream: { instance, last: 0, base: 0 }, card };
    this.#lay({ from, to, outer: to, cardId: "", key: "introduction", content, body: {} }, nowMs);
  }

  /** In the name of an honest person, by one device again and again, or by a new one. */
  #claim(to: string, nowMs: number): void {
    const person = (this.#victims[this.#random.between(0, this.#victims.length - 1)] ?? "").split("-")[0];
    const from = `${person}-x${this.#random.chance(0.6) ? 1 : this.#hex(4)}`;
    const content = { id: this.#hex(16), at: nowMs, stream: { instance: this.#hex(8), last: 1, base: 0 }, place: 1 };
    this.figures.claimed += 1;
    this.#lay({ from, to, outer: to, cardId: "", key: "introduction", content, body: { text: this.#hex(16) } }, nowMs);
  }

  /** Nodes have no room for boxes that are not open yet. */
  #openBoxes(nowMs: number): void {
    const days = this.#random.between(1, MOST_FULL_DAYS);
    this.#network.fullUntilMs = nowMs + days * DAY_MS;
    this.figures.fullDays += days;
  }

  #lay(envelope: SimulatedEnvelope, nowMs: number): void {
    this.figures.flooded += 1;
    this.#network.lay(envelope, nowMs);
  }

  #hex(bytes: number): string {
    return randomHex(this.#random, bytes);
  }
}

const decoder = new TextDecoder();
