// A device that has all keys of a true contact, and a program that lies: it acknowledges what was never sent, with digests, bases, places and
// instances of its choice, asks for the same again and again, names cards that were never drawn, shows two cards of one number and boxes of
// others, sends again what it sent, takes back messages of others, and writes bytes that are none. What it writes goes through the real codec.
import type { KnownBody } from "#shared/content/content.ts";
import { MAX_RESEND_POSITIONS } from "#shared/content/content.ts";
import {
  type IncomingPairContent,
  MAX_LOST_CARDS,
  type OutgoingPairContent,
  type PairAck,
  type PairStream,
} from "#shared/content/pairs/pair-content.ts";
import { decodePairContent, encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { MAX_CARDS, type ReceivedChain } from "#shared/messenger/pairs/pair-state.ts";
import { ackOf, emptyChain, takePlace } from "#shared/messenger/pairs/received-chain.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import type { PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createRandom, type Random, randomHex } from "#test/support/host/random.ts";
import type { Body, MailNetwork, SimulatedEnvelope } from "../network/mail-network.ts";

const STREAM = 0xe7e;
const DAY_MS = 86_400_000;
const MOST_LIES_AT_ONCE = 3;
/** Cards that it names at once now and then: more than a pair says to be lost. */
const CARDS_AT_ONCE = MAX_LOST_CARDS + 6;
/** Envelopes of its own that it remembers to send them again. */
const MOST_REMEMBERED = 200;

/** What it did. */
export interface ContactFigures {
  readonly lies: number;
  /** Of them bytes that hold no content. */
  readonly unreadable: number;
}

/** What it knows of an honest device. */
interface Victim {
  readonly stream: PairStream | undefined;
  /** The newest card that it was shown, and earlier ones. */
  readonly cards: readonly PairCard[];
  /** Own cards that the other device sealed to. */
  readonly sealedTo: readonly string[];
  /** Boxes of that device for it. */
  readonly boxes: readonly string[];
  /** What truly came of its instance. */
  readonly chain: ReceivedChain | undefined;
}

const NOTHING_KNOWN: Victim = { stream: undefined, cards: [], sealedTo: [], boxes: [], chain: undefined };
const WILD: readonly number[] = [0, 1, 2, 64, 4_096, 2 ** 31, 2 ** 32, 2 ** 48];

/** One such device. */
export class HostileContact {
  readonly name: string;
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #victims = new Map<string, Victim>();
  readonly #own = new Map<string, { instance: string; place: number; card: number }>();
  readonly #sent: SimulatedEnvelope[] = [];
  /** It only asks for what it was sent, and never acknowledges: so it is known how often that may be sent again. */
  readonly isAsking: boolean;
  /** It acknowledges truly, and then says again and again that another instance has nothing of it. */
  readonly #isForgetting: boolean;
  readonly figures = { lies: 0, unreadable: 0 };
  /** Texts that it wrote, with when, and what it sent to each device. */
  readonly texts = new Map<string, number>();
  readonly sentTo = new Map<string, number>();
  isActive = true;

  constructor(name: string, seed: number, network: MailNetwork) {
    this.name = name;
    this.#random = createRandom(seed ^ STREAM ^ name.length ^ (name.charCodeAt(0) << 8));
    this.#network = network;
    this.isAsking = seed % 3 === 1;
    this.#isForgetting = seed % 3 === 2;
  }

  /** Reads its mailbox, and lies to some. `ids`: of messages of others, all of which it knows. */
  step(devices: readonly string[], ids: readonly string[], nowMs: number): void {
    if (!this.isActive) return;
    // What a relay laid there that is for another one does not open here either.
    for (const { envelope } of this.#network.take(this.name, [], nowMs)) if (envelope.to === this.name) this.#learn(envelope);
    for (const device of devices) this.#lieTo(device, ids, nowMs);
  }

  #lieTo(device: string, ids: readonly string[], nowMs: number): void {
    if (this.#isDayOfAsking(nowMs)) {
      if (this.isAsking) this.#ask(device, nowMs);
      if (this.#isForgetting) this.#forget(device, nowMs);
    }
    if (!this.#random.chance(0.07)) return;
    const count = this.#random.between(1, MOST_LIES_AT_ONCE);
    for (let lie = 0; lie < count; lie += 1) this.#lie(device, ids, nowMs);
    if (this.#random.chance(0.1)) this.#nameCards(device, nowMs);
  }

  /** Under cards that are gone by now, each another one: none of it opens. */
  #nameCards(to: string, nowMs: number): void {
    const card = this.#victims.get(to)?.cards.at(-1);
    if (card === undefined) return;
    const last = numberOf(card) - MAX_CARDS;
    const instance = card.id.slice(0, 8);
    const content = { id: this.#hex(16), at: nowMs, stream: { instance: this.#hex(8), last: 0, base: 0 } };
    for (let number = Math.max(1, last - CARDS_AT_ONCE + 1); number <= last; number += 1)
      this.#hand({ from: this.name, to, outer: to, cardId: cardId(instance, number), key: "gone", content, body: {} }, nowMs);
  }

  /** Two days of two weeks, on which it asks at every moment. */
  #isDayOfAsking(nowMs: number): boolean {
    return Math.floor(nowMs / DAY_MS) % 14 < 2;
  }

  /** One instance has all that came, and the next one none of it. */
  #forget(to: string, nowMs: number): void {
    const { chain, cards = [] } = this.#victims.get(to) ?? {};
    const card = cards.at(-1);
    if (chain === undefined || card === undefined) return;
    for (const ack of [ackOf(chain), ackOf(emptyChain(chain.instance))]) {
      const instance = this.#hex(8);
      const shown = { id: cardId(instance, 1), kem: utf8(`${this.name} ${instance}`), x: new Uint8Array(), psk: new Uint8Array() };
      const content = { id: this.#hex(16), at: nowMs, stream: { instance, last: 0, base: 0 }, ack, card: shown };
      this.#hand({ from: this.name, to, outer: to, cardId: card.id, key: decoder.decode(card.kem), content, body: {} }, nowMs);
    }
  }

  /** For everything that it was sent last, under the newest card that it knows. */
  #ask(to: string, nowMs: number): void {
    const known = this.#victims.get(to);
    const card = known?.cards.at(-1);
    if (known?.stream === undefined || card === undefined || known.stream.last === 0) return;
    const first = Math.max(1, known.stream.last - MAX_RESEND_POSITIONS + 1);
    const positions = Array.from({ length: known.stream.last - first + 1 }, (_, at) => first + at);
    const instance = this.#own.get(to)?.instance ?? this.#hex(8);
    const content = { id: this.#hex(16), at: nowMs, stream: { instance, last: 0, base: 0 } };
    const body = { asks: { stream: known.stream.instance, positions } };
    this.#hand({ from: this.name, to, outer: to, cardId: card.id, key: decoder.decode(card.kem), content, body }, nowMs);
  }

  #learn({ from, cardId: sealedTo, content: { id, stream, place, card, box } }: SimulatedEnvelope): void {
    const known = this.#victims.get(from) ?? NOTHING_KNOWN;
    const chain = known.chain?.instance === stream.instance ? known.chain : emptyChain(stream.instance);
    this.#victims.set(from, {
      stream: stream.instance === known.stream?.instance && stream.last < known.stream.last ? known.stream : stream,
      cards: card === undefined ? known.cards : [...known.cards.filter(({ id }) => id !== card.id), card].slice(-20),
      sealedTo: sealedTo === "" ? known.sealedTo : [...known.sealedTo, sealedTo].slice(-20),
      boxes: box === undefined ? known.boxes : [...known.boxes.filter((other) => other !== box.mailbox), box.mailbox].slice(-4),
      chain: place === undefined ? chain : takePlace(chain, place, id),
    });
  }

  #lie(to: string, ids: readonly string[], nowMs: number): void {
    const again = this.#random.chance(0.1) ? this.#one(this.#sent) : undefined;
    if (again !== undefined) {
      this.#hand({ ...again, to, outer: again.to === to ? again.outer : to }, nowMs);
      return;
    }
    const known = this.#victims.get(to) ?? NOTHING_KNOWN;
    const content = this.#content(to, known, { id: this.#one(ids), nowMs });
    if (content === undefined) this.figures.unreadable += 1;
    else this.#send(to, known, { content, nowMs });
  }

  #send(to: string, known: Victim, { content, nowMs }: { readonly content: IncomingPairContent; readonly nowMs: number }): void {
    const { body, ...frame } = content;
    const told = { ...frame, ...this.#shown(to, known), ...saidBy(body) };
    if (body.kind === "text") this.texts.set(frame.id, this.texts.get(frame.id) ?? nowMs);
    const box = this.#random.chance(0.4) ? (this.#one(known.boxes) ?? this.#hex(32)) : undefined;
    const envelope = { from: this.name, to, ...this.#sealing(to, known, nowMs), content: told, body: bodyOf(content) };
    this.#hand({ ...envelope, ...(box === undefined ? { outer: to } : { box, outer: box }) }, nowMs);
  }

  #hand(envelope: SimulatedEnvelope, nowMs: number): void {
    this.figures.lies += 1;
    this.sentTo.set(envelope.to, (this.sentTo.get(envelope.to) ?? 0) + 1);
    if (this.#sent.length < MOST_REMEMBERED) this.#sent.push(envelope);
    if (!this.#network.put(envelope, nowMs)) this.#network.put({ ...envelope, box: undefined, outer: envelope.to }, nowMs);
  }

  /** Under which key: of a card that it was shown, of none, of a public one, or as a first content. */
  #sealing(to: string, { cards }: Victim, nowMs: number): Pick<SimulatedEnvelope, "cardId" | "key" | "isPublic"> {
    const draw = this.#random.next();
    const ofAll = draw < 0.1 ? this.#network.publicCards.of(to, nowMs) : undefined;
    if (ofAll !== undefined) return { cardId: ofAll.id, key: decoder.decode(ofAll.kem), isPublic: true };
    const card = draw < 0.75 ? cards.at(-1) : this.#one(cards);
    if (card === undefined || draw < 0.2) return { cardId: "", key: "introduction" };
    if (draw > 0.97 && !this.isAsking) return { cardId: card.id.slice(0, 8) + this.#hex(4), key: "never drawn" };
    if (draw > 0.94) return { cardId: this.#hex(8), key: "of no pair" };
    // One that is gone, as likely as not.
    if (draw > 0.86) return { cardId: cardId(card.id.slice(0, 8), this.#random.between(1, numberOf(card))), key: "gone" };
    return { cardId: card.id, key: draw > 0.83 ? "another key" : decoder.decode(card.kem) };
  }

  /** What is in it, after its bytes were read as a device reads them; undefined where they hold none. */
  #content(to: string, known: Victim, about: { readonly id: string | undefined; readonly nowMs: number }): IncomingPairContent | undefined {
    let bytes: Uint8Array;
    try {
      bytes = encodePairContent(this.#written(to, known, about));
    } catch {
      return undefined;
    }
    if (this.#random.chance(0.2)) {
      bytes = bytes.slice();
      for (let at = 0; at < 2; at += 1) bytes[this.#random.between(0, bytes.length - 1)] = this.#random.between(0, 255);
    }
    return decodePairContent(this.#random.chance(0.03) ? bytes.subarray(0, this.#random.between(0, bytes.length)) : bytes);
  }

  #written(to: string, known: Victim, { id, nowMs }: { readonly id: string | undefined; readonly nowMs: number }): OutgoingPairContent {
    const own = this.#own.get(to) ?? { instance: this.#hex(8), place: 0, card: 0 };
    this.#own.set(to, own);
    if (this.#random.chance(0.03)) own.instance = this.#hex(8);
    if (this.#random.chance(0.7)) own.place += 1;
    return {
      id: id !== undefined && this.#random.chance(0.15) ? id : this.#hex(16),
      at: this.#random.chance(0.2) ? this.#wild() : nowMs,
      ...this.#placed(own),
      ...this.#asked(known),
      ...(this.#random.chance(0.05) && { after: this.#random.chance(0.5) ? own.instance : this.#hex(8) }),
      body: this.#body(own.instance, known, id),
      ...(this.#random.chance(0.02) && { pad: new Uint8Array(40_000) }),
    };
  }

  #placed(own: { readonly instance: string; readonly place: number }): Pick<OutgoingPairContent, "stream" | "place"> {
    const place = Math.max(1, this.#random.chance(0.3) ? this.#wild() : own.place);
    const last = Math.max(place, this.#random.chance(0.2) ? this.#wild() : 0);
    const base = this.#random.chance(0.3) ? Math.min(last, this.#wild()) : 0;
    const instance = this.#random.chance(0.05) ? this.#hex(8) : own.instance;
    return { stream: { instance, last, base }, ...(this.#random.chance(0.75) && { place }) };
  }

  #asked({ stream, sealedTo }: Victim): Pick<OutgoingPairContent, "ack" | "lost"> {
    const isAcknowledging = !this.isAsking && stream !== undefined && this.#random.chance(0.6);
    const lost = this.#random.chance(0.2) ? [...sealedTo.slice(-7), this.#hex(8)] : undefined;
    return { ...(isAcknowledging && { ack: this.#ack(stream) }), ...(lost && { lost }) };
  }

  #ack({ instance, last }: PairStream): PairAck {
    const upTo = this.#random.chance(0.5) ? this.#random.between(0, last) : this.#wild();
    const from = upTo + 2 + this.#random.between(0, 5);
    const ranges = this.#random.chance(0.3) ? [{ from, to: from + this.#wild() }] : [];
    return { instance, upTo, digest: this.#random.chance(0.3) ? "00".repeat(8) : this.#hex(8), ranges };
  }

  #body(instance: string, { stream }: Victim, id: string | undefined): KnownBody {
    const draw = this.#random.next();
    const last = Math.min(stream?.last ?? 0, 2 ** 20);
    const first = Math.max(1, last - MAX_RESEND_POSITIONS + 1);
    const positions = Array.from({ length: Math.min(MAX_RESEND_POSITIONS, Math.max(1, last)) }, (_, at) => first + at);
    if (stream !== undefined && draw < (this.isAsking ? 0.6 : 0.3)) return { kind: "resend", stream: stream.instance, positions };
    if (draw < 0.4) return { kind: "resend.gone", stream: instance, positions, ids: positions.map(() => this.#hex(16)) };
    if (draw < 0.5) return { kind: "delete", id: id ?? this.#hex(16) };
    if (draw < 0.55) return { kind: "edit", id: id ?? this.#hex(16), revision: 1, text: "lie" };
    return draw < 0.65 ? { kind: "mark" } : { kind: "text", text: "lie" };
  }

  /** A card, sometimes with a number that it has shown before and another key, and a box of anyone. */
  #shown(to: string, { boxes }: Victim): Pick<SimulatedEnvelope["content"], "card" | "box"> {
    const own = this.#own.get(to);
    if (own === undefined || this.#random.chance(0.3)) return {};
    if (this.#random.chance(0.6)) own.card += 1;
    const number = this.#random.chance(0.02) ? 0xffff_ffff : own.card;
    const kem = utf8(`${this.name} ${number} ${this.#random.chance(0.1) ? this.#hex(2) : ""}`);
    const card = { id: cardId(own.instance, number), kem, x: new Uint8Array(), psk: new Uint8Array() };
    const mailbox = this.#random.chance(0.5) ? (this.#one(boxes) ?? this.#hex(32)) : `${this.#hex(31)}00`;
    const generation = this.#random.chance(0.1) ? 2 ** 32 - 1 : this.#random.between(0, 20);
    return { card, ...(this.#random.chance(0.3) && { box: { mailbox, writeSeed: this.#hex(32), generation } }) };
  }

  #wild(): number {
    return (this.#one(WILD) ?? 0) + this.#random.between(0, 3);
  }

  #one<Item>(list: readonly Item[]): Item | undefined {
    return list[this.#random.between(0, list.length - 1)];
  }

  #hex(bytes: number): string {
    return randomHex(this.#random, bytes);
  }
}

const decoder = new TextDecoder();

function numberOf({ id }: PairCard): number {
  return Number.parseInt(id.slice(8), 16);
}

/** What a body means for the pair, by the rules of real devices. */
function saidBy(body: IncomingPairContent["body"]): Pick<SimulatedEnvelope["content"], "wordsOf" | "isDeletion" | "isKept"> {
  if (body.kind === "edit") return { wordsOf: body.id };
  if (body.kind === "delete") return { isDeletion: true };
  return body.kind === "text" ? { isKept: true } : {};
}

function bodyOf({ id, body, stream }: IncomingPairContent): Body {
  if (body.kind === "text") return { text: id };
  if (body.kind === "delete") return { deletes: body.id };
  if (body.kind === "resend") return { asks: { stream: body.stream, positions: body.positions } };
  const isOwn = body.kind === "resend.gone" && body.stream === stream.instance;
  if (!isOwn || body.kind !== "resend.gone") return {};
  const { ids = [], positions } = body;
  const gone = positions.flatMap((position, at) => (ids[at] === undefined || position > stream.last ? [] : [{ position, id: ids[at] }]));
  return { gone };
}
