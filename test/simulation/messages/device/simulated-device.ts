// A device in a simulated world of mail: the pure steps of its pairs, on a disk that can be put back. Secrets of cards are keys by name.
import { type BothClocks, countDay, firstDay } from "#shared/messenger/pairs/counted-days.ts";
import {
  addCard,
  cardStatus,
  forgetContents,
  livingCard,
  needsCard,
  nextCardId,
  noteHandedIn,
  retireCards,
} from "#shared/messenger/pairs/own-cards.ts";
import { isPastOldForm, withProof } from "#shared/messenger/pairs/pair-record.ts";
import { newPair, type PairState, renewInstance } from "#shared/messenger/pairs/pair-state.ts";
import { isMarkDue, isSilent, type Leaving, leave, leaveToFormer, needsIntroduction } from "#shared/messenger/pairs/send-content.ts";
import { askForPositions, dueAgain, givePlaces, waitAgain } from "#shared/messenger/pairs/sent-chain.ts";
import { type StepContext, takeContent, takeUnopened } from "#shared/messenger/pairs/take-content.ts";
import { isBoxToTell } from "#shared/messenger/pairs/their-box.ts";
import type { PairCard } from "#shared/protocol/pairs/pair-card.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { type Random, randomHex } from "#test/support/host/random.ts";
import { type ChainTime, PROMPT_CHAIN } from "../network/chain-times.ts";
import type { DeviceLists } from "../network/device-lists.ts";
import type { Body, LaidEnvelope, MailNetwork, SimulatedEnvelope } from "../network/mail-network.ts";
import { DeviceOracles } from "../oracles/device-oracles.ts";
import type { WrongNews } from "../oracles/news-oracle.ts";
import type { ThiefOracle } from "../oracles/thief-oracle.ts";
import { VERSION_1 } from "../people/key-thief.ts";
import { isLiar, mayTakeBack, type Relations } from "../people/liars.ts";
import { isClaim, isOfFlood } from "../people/stranger-flood.ts";
import type { DeviceImage, DeviceWorld } from "./device-world.ts";
import { judgedAside, type OpenedEnvelope, putAside } from "./simulated-aside.ts";
import { closeBoxes, generationOf, personOf, readBoxes, tendBoxes, toldBox } from "./simulated-boxes.ts";
import { makeRoom, putCrowdPair } from "./simulated-crowd.ts";
import { type DevicePair, RunningDisk, type Sent, type StoredText } from "./simulated-disk.ts";
import { opensPublic, tendPublicCards } from "./simulated-public.ts";

const DAY_MS = 86_400_000;
/** What was sent is remembered so long. */
const HISTORY_DAYS = 90;
const GONE_AFTER_READING_MS = DAY_MS;

/** One device. */
export class SimulatedDevice {
  readonly name: string;
  readonly peers: readonly string[];
  readonly chain: ChainTime;
  readonly #people: readonly string[];
  readonly #box: string;
  readonly #random: Random;
  readonly #network: MailNetwork;
  readonly #lists: DeviceLists | undefined;
  readonly relations: Relations | undefined;
  #oracles = new DeviceOracles();
  /** By how much the own clock is wrong, milliseconds. */
  skewMs = 0;
  isOnline = true;
  setBack = 0;
  /** Counted days on which it took itself for set back as one who lies said so. */
  readonly renewedFor = new Map<string, number[]>();
  /** Own instances and counted days on which all was to be sent again, by the device that said that it has nothing. */
  readonly lackedBy = new Map<string, string[]>();
  #disk = new RunningDisk();
  /** Strangers without number are taken for people whom it knows, as they must not be. */
  readonly #welcomes: boolean;
  /** Since there was room for all of them. */
  #hasNewPair = false;

  constructor(name: string, peers: readonly string[], world: DeviceWorld) {
    this.name = name;
    this.#box = world.box ?? name;
    this.peers = peers;
    this.#people = [...new Set(peers.map(personOf))];
    this.#random = world.random;
    this.#network = world.network;
    this.#lists = world.lists;
    this.relations = world.relations;
    this.#welcomes = world.welcomes === true;
    this.chain = world.chain ?? PROMPT_CHAIN;
  }

  get image(): DeviceImage {
    return { disk: new RunningDisk(this.#disk), oracles: this.#oracles.copy() };
  }

  /** An image may be put back more than once. */
  restore({ disk, oracles }: DeviceImage): void {
    this.#disk = new RunningDisk(disk);
    this.#oracles = oracles.copy();
  }

  /** It has a pair with everyone. */
  get hasBegun(): boolean {
    return this.peers.every((peer) => isLiar(peer) || this.#disk.pairs.has(peer));
  }

  /** A device that was linked gets what another one of its person has. */
  takeOver({ image: { disk } }: SimulatedDevice): void {
    const { texts, disappearing, deleted } = disk;
    this.#disk = new RunningDisk({ ...this.#disk, texts, disappearing, deleted });
  }

  get texts(): ReadonlyMap<string, StoredText> {
    return this.#disk.texts;
  }

  get deleted(): ReadonlySet<string> {
    return this.#disk.deleted;
  }

  get copied(): readonly string[] {
    return [...this.#disk.pairs].filter(([peer, { state }]) => state.isCopied && !isLiar(peer)).map(([peer]) => peer);
  }

  get waiting(): number {
    return [...this.#disk.pairs].reduce((sum, [peer, { state }]) => sum + (isLiar(peer) ? 0 : state.sent.waiting.length), 0);
  }

  /** Keys of all living cards, also of public ones: what a thief takes along. */
  get keys(): readonly string[] {
    const { pairs, publicCards } = this.#disk;
    return [...[...pairs.values()].flatMap(({ state }) => state.cards), ...(publicCards?.cards ?? [])].map(({ secret }) => secret);
  }

  /** What this device holds against the rules, or lacks, and what it lacks of mail that waited; undefined where all is as it must be. */
  wrongAt(worldMs: number): string | undefined {
    const { texts, deleted, pairs } = this.#disk;
    const isListed = (device: string): boolean => this.#lists?.lists(this.name, device, worldMs) !== false;
    const isThere = (text: string): boolean => texts.has(text) || deleted.has(text);
    const isHeard = (device: string): boolean => pairs.get(device)?.state.theirs != null;
    const missing = this.#oracles.aside.missing(isListed, { isHeard, isThere });
    if (missing !== undefined) return `does not have ${missing}, which waited, though it finds its device in lists now`;
    const wrongDays = this.#oracles.days.wrong ?? this.#oracles.oldForm.wrong;
    if (wrongDays !== undefined) return wrongDays;
    const crowded = this.#oracles.crowd.wrong(this.#disk);
    if (crowded !== undefined) return crowded;
    const wrong = this.#oracles.wrongPublicKey(this.#disk);
    return wrong === undefined ? this.#oracles.wrongKeys(this.#disk) : `holds ${wrong} against the rules, or lacks it`;
  }

  /** Writes a text to all others who are honest, or deletes one for all; or to another one alone. */
  write(body: Body, id: string, worldMs: number, to?: string): void {
    this.#storeText(body, { readWorldMs: worldMs, from: undefined });
    if (body.deletes !== undefined) this.#forget([body.deletes]);
    const served = this.#served(worldMs).filter((peer) => (to === undefined ? !isLiar(peer) : peer === to));
    for (const peer of served) this.#queue(peer, body, id, worldMs);
  }

  #isStranger(peer: string, worldMs: number): boolean {
    if (isOfFlood(peer)) return !this.#welcomes;
    return this.relations !== undefined && this.relations.of(this.name, peer, worldMs) !== "known";
  }

  /** What is stored of a pair. */
  pairWith(peer: string): DevicePair | undefined {
    return this.#disk.pairs.get(peer);
  }

  /** Other devices that this one finds in lists. */
  #served(worldMs: number): readonly string[] {
    return this.#lists === undefined ? this.peers : this.peers.filter((peer) => this.#lists?.lists(this.name, peer, worldMs));
  }

  /** The pairs of devices that are gone for good go. */
  #dropGone(worldMs: number): void {
    for (const peer of this.peers) {
      if (this.#lists?.isGoneForGood(this.name, peer, worldMs) !== true) continue;
      this.#disk.pairs.delete(peer);
      this.#oracles.crowd.noteGone(peer);
    }
  }

  /** Reads the mailbox to its end, destroys what is to be destroyed, and sends what is due. */
  step(worldMs: number): void {
    const now = this.#now(worldMs);
    const read = readBoxes(this.#disk.boxes);
    this.#dropGone(worldMs);
    for (const laid of this.#network.take(this.#box, read, worldMs)) this.#find(laid, worldMs);
    this.#makeRoom();
    this.#judgeAside(worldMs);
    this.#disk.boxes = tendBoxes(this.#disk.boxes, this.#people, { device: this.name, network: this.#network, now, worldMs });
    const { counted = firstDay(now), disappearing } = this.#disk;
    this.#disk.counted = countDay(counted, now);
    this.#oracles.days.note(this.#day, { worldMs, skewMs: this.skewMs, blockMs: this.chain.at(worldMs) });
    this.#tendPublicCards(now, worldMs);
    const over: string[] = [];
    for (const [text, readMs] of disappearing) if (Math.abs(now.ownMs - readMs) >= GONE_AFTER_READING_MS) over.push(text);
    if (over.length > 0) this.#forget(over);
    const served = this.#served(worldMs);
    for (const peer of this.peers) {
      if (!served.includes(peer) && !this.#disk.pairs.has(peer)) continue;
      const pair = this.#pair(peer);
      this.#putState(peer, pair, retireCards(pair.state, this.#day));
      this.#judge(peer);
      if (served.includes(peer) && this.relations?.of(this.name, peer, worldMs) !== "blocked") this.#send(peer, worldMs);
    }
    this.#makeRoom();
  }

  /** Strangers make room first. */
  #makeRoom(): void {
    const { pairs, crowd } = this.#disk;
    const isDue = this.#hasNewPair && crowd.size > 0;
    this.#hasNewPair = false;
    if (isDue) this.#oracles.crowd.noteCrowdedOut(makeRoom(pairs, crowd, (person) => this.#welcomes || !isOfFlood(person)));
  }

  #tendPublicCards(now: BothClocks, worldMs: number): void {
    const context = { device: this.name, directory: this.#network.publicCards, now, worldMs, day: this.#day };
    const publicCards = tendPublicCards(this.#disk.publicCards, { ...context, hex: (bytes) => this.#hex(bytes) });
    if (publicCards === this.#disk.publicCards) return;
    this.#disk.publicCards = publicCards;
    this.#oracles.notePublic(this.#disk);
  }

  /** What was forged in version 1, and taken or not. */
  get forged(): Pick<DeviceOracles["oldForm"], "taken" | "refused"> {
    return this.#oracles.oldForm;
  }

  /** A person is blocked, and no longer. */
  closeBoxes(person: string): void {
    this.#disk.boxes = closeBoxes(this.#disk.boxes, person, this.#network);
  }

  get #day(): number {
    return this.#disk.counted?.days ?? 0;
  }

  #now(worldMs: number): BothClocks {
    return { ownMs: worldMs + this.skewMs, blockMs: this.chain.at(worldMs) };
  }

  #pair(peer: string): DevicePair {
    const known = isOfFlood(peer) ? this.#crowdPair(peer) : this.#disk.pairs.get(peer);
    return known ?? { state: newPair(this.#hex(8), this.#day), sent: [] };
  }

  #crowdPair(peer: string): DevicePair | undefined {
    const record = this.#disk.crowd.get(peer);
    return record && { state: record.state, sent: [] };
  }

  #put(peer: string, pair: DevicePair): void {
    this.#hasNewPair ||= !this.#disk.pairs.has(peer);
    this.#disk.pairs.set(peer, pair);
  }

  #putState(peer: string, pair: DevicePair, state: PairState<string>): void {
    if (isOfFlood(peer)) this.#putCrowdPair(peer, state);
    else if (this.#disk.pairs.get(peer)?.state !== state) this.#put(peer, { ...pair, state });
  }

  #putCrowdPair(peer: string, state: PairState<string>): void {
    this.#hasNewPair ||= !this.#disk.crowd.has(peer);
    putCrowdPair(this.#disk.crowd, peer, state);
    this.#oracles.crowd.noteChange();
  }

  #oracle(peer: string): ThiefOracle | undefined {
    return this.#oracles.of(peer, this.#pair(peer).state);
  }

  #storeText({ text, disappears }: Body, stored: StoredText): void {
    if (text === undefined) return;
    const { texts, disappearing, deleted } = this.#disk;
    const { from = this.name, readWorldMs } = stored;
    const name = this.#nameOf(from, text);
    if (texts.has(name) || deleted.has(name) || this.relations?.of(this.name, from, readWorldMs) === "blocked") return;
    texts.set(name, stored);
    if (disappears === true) disappearing.set(name, this.#now(stored.readWorldMs).ownMs);
  }

  #forget(texts: readonly string[]): void {
    for (const text of texts) {
      this.#disk.texts.delete(text);
      this.#disk.disappearing.delete(text);
      this.#disk.deleted.add(text);
    }
    for (const [peer, pair] of this.#disk.pairs) {
      // Ids of those who lie are their own: what they take back goes with no card of others.
      const ids = texts.map((text) => (isLiar(peer) ? text.replace(`${peer} `, "") : text));
      this.#putState(peer, pair, forgetContents(pair.state, ids));
      this.#oracle(peer)?.forget(ids);
    }
  }

  #queue(peer: string, body: Body, id: string, worldMs: number): void {
    const pair = this.#pair(peer);
    const { state, sent } = pair;
    const chain = givePlaces(state.sent, [id], this.#now(worldMs));
    const entry = { position: chain.last, id, body, atMs: worldMs };
    this.#put(peer, {
      ...pair,
      state: { ...state, sent: chain },
      sent: [...sent, entry].filter(({ atMs }) => worldMs - atMs < HISTORY_DAYS * DAY_MS),
    });
  }

  #send(peer: string, worldMs: number): void {
    const now = this.#now(worldMs);
    const { state, sent } = this.#pair(peer);
    const isStranger = this.#isStranger(peer, worldMs);
    const usedMs = isStranger ? null : now.ownMs;
    if (!isStranger && needsIntroduction(state, now, usedMs)) this.#introduce(peer, worldMs);
    if (state.theirs?.card === undefined || state.theirs.card === null) return;
    if (state.asksFormer) {
      const show = this.#draw(peer, worldMs);
      this.#hand(peer, leaveToFormer(this.#pair(peer).state), { id: this.#hex(16), body: {}, show }, worldMs);
    }
    const fresh = state.sent.waiting.filter(({ tries }) => tries === 0);
    const again = dueAgain(state.sent, now, { isStranger, isSilent: isSilent(state, now) });
    const positions = [...new Set([...fresh, ...again].map(({ position }) => position))].sort((a, b) => a - b);
    for (const position of positions) {
      const entry = sent.find((other) => other.position === position);
      if (entry !== undefined) this.#seal(peer, entry, worldMs);
    }
    if (positions.length === 0 && isMarkDue(state, now, usedMs)) this.#seal(peer, undefined, worldMs);
  }

  /** Version 1 stands for this: it shows a card, and is believed to arrive like everything else. */
  #introduce(peer: string, worldMs: number): void {
    const show = this.#draw(peer, worldMs);
    const { state } = this.#pair(peer);
    this.#put(peer, { ...this.#pair(peer), state: { ...state, introducedAt: this.#now(worldMs) } });
    const stream = { instance: state.instance, last: 0, base: 0 };
    const content = { id: this.#hex(16), at: this.#now(worldMs).ownMs, stream, card: show };
    this.#network.put({ from: this.name, to: peer, outer: peer, cardId: "", key: "introduction", content, body: {} }, worldMs);
    this.#noteHandedIn(peer, show.id);
  }

  #seal(peer: string, entry: Sent | undefined, worldMs: number): void {
    const show = this.#draw(peer, worldMs);
    const now = this.#now(worldMs);
    const publicCard = this.#network.publicCards.of(peer, now.blockMs);
    const leaving = leave(this.#pair(peer).state, entry?.position, { now, isStranger: this.#isStranger(peer, worldMs), publicCard });
    const body = entry?.body ?? {};
    const isGone = body.text !== undefined && this.#disk.deleted.has(body.text);
    this.#hand(
      peer,
      leaving,
      { id: entry?.id ?? this.#hex(16), body: isGone && body.text !== undefined ? { deletes: body.text } : body, show },
      worldMs,
    );
  }

  #hand(
    peer: string,
    leaving: Leaving<string> | undefined,
    { id, body, show }: { readonly id: string; readonly body: Body; readonly show: PairCard },
    worldMs: number,
  ): void {
    if (leaving === undefined) return;
    this.#put(peer, { ...this.#pair(peer), state: leaving.state });
    const { stream, place, ack, lost } = leaving.frame;
    const now = this.#now(worldMs);
    const told = toldBox(this.#disk.boxes, personOf(peer), now);
    const box = told && isBoxToTell(leaving.state, told.generation) ? told : undefined;
    const content = { id, at: now.ownMs, stream, place, ack, lost, card: show, box };
    const { sealTo, isPublic } = leaving;
    const envelope = { from: this.name, to: peer, outer: peer, cardId: sealTo.id, key: keyOf(sealTo.kem), isPublic, content, body };
    // What is not taken there goes to the lasting mailbox at once.
    const mailbox = leaving.box?.mailbox;
    const isTaken = mailbox !== undefined && this.#network.put({ ...envelope, box: mailbox, outer: mailbox }, worldMs);
    if (!isTaken) this.#network.put(envelope, worldMs);
    this.#noteHandedIn(peer, show.id);
  }

  #noteHandedIn(peer: string, id: string): void {
    const pair = this.#pair(peer);
    const key = livingCard(pair.state, id)?.secret;
    this.#put(peer, { ...pair, state: noteHandedIn(pair.state, id, this.#day) });
    if (key !== undefined) this.#oracle(peer)?.handIn(key, this.#day);
  }

  /** The newest own card for a peer, drawn when it is time. */
  #draw(peer: string, worldMs: number): PairCard {
    const pair = this.#pair(peer);
    let { state } = pair;
    if (needsCard(state, this.#now(worldMs))) {
      const key = `${this.name} ${nextCardId(state)} ${this.#hex(4)}`;
      state = addCard(state, key, this.#now(worldMs));
      this.#put(peer, { ...pair, state });
      this.#oracles.draw(peer, state, key);
    }
    const card = state.cards.at(-1);
    if (card === undefined) throw new Error("no card was drawn");
    const id = state.instance.slice(0, 8) + card.number.toString(16).padStart(8, "0");
    return { id, kem: utf8(card.secret), x: new Uint8Array(), psk: new Uint8Array() };
  }

  /** Only what is for the mailbox in which it lies opens, and only of devices that are listed it counts: of others it waits. */
  #find(laid: LaidEnvelope, worldMs: number): void {
    const { envelope, lay } = laid;
    if (envelope.outer !== (lay ?? this.name)) return;
    const opened = this.#open(envelope, worldMs);
    if (opened === undefined) return;
    const isListed = this.#isFromListed(opened, worldMs);
    if (envelope.key === VERSION_1) {
      if (isListed) this.#judgeOldForm(envelope.from);
    } else if (isListed) this.#take(opened, worldMs);
    else this.#setAside(opened, laid, worldMs);
  }

  /** Only whether it is taken matters: no one wrote it. */
  #judgeOldForm(from: string): void {
    const pair = this.#pair(from);
    const record = { peer: from, ...pair, isProven: pair.bound !== undefined };
    const isTaken = !isPastOldForm(record, from, this.#day);
    this.#oracles.oldForm.noteForged(from, { isTaken, isCopied: pair.state.isCopied, day: this.#oracles.days.count });
  }

  #isFromListed({ envelope: { from, content }, cameMs }: OpenedEnvelope, worldMs: number): boolean {
    if (isClaim(from)) return false;
    return this.#lists === undefined || this.#lists.isFromListed(this.name, { from, writtenMs: content.at, cameMs }, worldMs);
  }

  /** What there is no room for stays in its mailbox. */
  #setAside(opened: OpenedEnvelope, laid: LaidEnvelope, worldMs: number): void {
    const { from } = opened.envelope;
    if (!isClaim(from)) this.#oracles.aside.note(opened);
    const lists = this.#lists;
    if (lists?.keepsMail === false) return;
    const aside = putAside(this.#disk.aside, opened, this.#now(worldMs));
    if (aside === undefined && !isClaim(from)) {
      this.#network.leave(this.#box, laid);
      this.#oracles.crowd.noteRefused(this.#disk.aside.items, personOf(from));
    }
    if (lists !== undefined && aside === undefined && !isClaim(from)) lists.full += 1;
    if (lists !== undefined && aside !== undefined && aside !== this.#disk.aside) lists.aside += 1;
    this.#disk.aside = aside ?? this.#disk.aside;
  }

  /** Takes what waited for lists that are there now. */
  #judgeAside(worldMs: number): void {
    if (this.#disk.aside.items.length === 0) return;
    const { taken, over, left } = judgedAside(this.#disk.aside, (opened) => this.#isFromListed(opened, worldMs), this.#now(worldMs));
    this.#disk.aside = left;
    if (this.#lists !== undefined) this.#lists.dropped += over;
    for (const opened of taken) this.#take(opened, worldMs);
  }

  /** Devices whose mail waits for lists. */
  get awaited(): readonly string[] {
    return this.#disk.aside.items.map(({ device }) => device);
  }

  #open(envelope: SimulatedEnvelope, worldMs: number): OpenedEnvelope | undefined {
    if (envelope.isPublic === true) {
      const isOpen = opensPublic(this.#disk.publicCards, envelope.cardId, envelope.key);
      this.#network.publicOpened += isOpen ? 1 : 0;
      this.#network.publicClosed += isOpen ? 0 : 1;
      // Who sealed what does not open is not known.
      return isOpen ? { envelope: { ...envelope, cardId: "" }, secret: undefined, cameMs: worldMs } : undefined;
    }
    const { cardId, key } = envelope;
    const from = this.#claimedBy(envelope);
    if (from === undefined) return undefined;
    // Of a device that is not listed there may be no pair: nothing is found out of what is sealed to a card then.
    if (key !== "introduction" && !this.#disk.pairs.has(from) && this.#lists?.lists(this.name, from, worldMs) === false) return undefined;
    const pair = this.#pair(from);
    const { state } = pair;
    const context = this.#context(from, worldMs);
    const status = cardStatus(state, cardId);
    const card = status === "living" ? livingCard(state, cardId) : undefined;
    if (key === "introduction" || key === VERSION_1 || card?.secret === key) return { envelope, secret: card?.secret, cameMs: worldMs };
    const { state: told, isSetBack } = takeUnopened(state, cardId, context);
    this.#put(from, { ...pair, state: told });
    if (isSetBack) this.#renew(from, worldMs);
    return undefined;
  }

  #take({ envelope: { from, box, cardId, key, content, body }, secret }: OpenedEnvelope, worldMs: number): void {
    const context = this.#context(from, worldMs);
    // Everyone knows a public card: strangers begin no pair under one.
    if (context.isStranger && cardId === "" && secret === undefined && key !== "introduction") {
      this.#storeText(body, { readWorldMs: worldMs, from });
      return;
    }
    const pair = this.#pair(from);
    const { stream, place, id } = content;
    const cameIn = generationOf(this.#disk.boxes, personOf(from), box);
    const isDeletion = body.deletes !== undefined;
    const taken = takeContent(pair.state, { ...content, cardId, cameIn, isDeletion, gone: body.gone }, context);
    this.#disk.counted ??= firstDay(context.now);
    this.#noteNews(from, stream.instance, body.text, taken.isNew);
    this.#storeText(body, { readWorldMs: worldMs, from });
    const words = isDeletion ? undefined : (content.wordsOf ?? body.text ?? id);
    const opened = { words, stream: stream.instance, base: stream.base, place, gone: body.gone, isKept: content.isKept };
    this.#oracle(from)?.open(secret ?? "", opened);
    const { state, lacking } = taken;
    if (lacking.length > 0) this.lackedBy.set(from, [...(this.lackedBy.get(from) ?? []), `${state.instance}, day ${this.#day}`]);
    const again =
      lacking.length === 0 ? [] : pair.sent.filter(({ position }) => lacking.some((gap) => position >= gap.from && position <= gap.to));
    this.#putState(from, pair, again.length === 0 ? state : { ...state, sent: waitAgain(state.sent, again, context.now) });
    if (secret !== undefined) this.#noteProof(from, stream.instance);
    this.#judge(from);
    if (body.asks !== undefined) this.#askedFor(from, body.asks);
    const { deletes } = body;
    if (deletes !== undefined) this.#takeBack(from, deletes);
    // A text that is gone came again: nothing may open that copy either.
    if (body.text !== undefined && this.#disk.deleted.has(this.#nameOf(from, body.text))) this.#forget([this.#nameOf(from, body.text)]);
    if (taken.isSetBack) this.#renew(from, worldMs);
  }

  /** Something came under a card of the pair. */
  #noteProof(from: string, instance: string): void {
    const pair = this.#disk.pairs.get(from);
    if (pair === undefined) return;
    const { state, bound } = withProof({ state: pair.state, isProven: true, bound: pair.bound }, instance, this.#day);
    if (bound !== undefined) this.#oracles.oldForm.prove(from, instance, this.#oracles.days.count);
    if (bound !== pair.bound) this.#disk.pairs.set(from, { ...pair, state, bound });
  }

  #askedFor(peer: string, { stream, positions }: NonNullable<Body["asks"]>): void {
    const pair = this.#pair(peer);
    const { state } = pair;
    if (state.instance === stream) this.#putState(peer, pair, { ...state, sent: askForPositions(state.sent, positions) });
  }

  /** By the rule of real devices only who wrote a message takes it back. */
  #takeBack(from: string, id: string): void {
    for (const name of new Set([id, this.#nameOf(from, id)])) {
      const stored = this.#disk.texts.get(name);
      const author = personOf(stored?.from ?? this.name);
      if (!isLiar(from) || (stored !== undefined && mayTakeBack(author, personOf(from)))) this.#forget([name]);
    }
  }

  /** What a text is stored as: by its author, whatever id they give it. */
  #nameOf(from: string, text: string): string {
    return isLiar(from) || isOfFlood(from) ? `${from} ${text}` : text;
  }

  /** For whom the card was drawn that something is sealed to: its id says so, and who lies may name any. */
  #claimedBy({ from, key, cardId }: SimulatedEnvelope): string | undefined {
    if (!isLiar(from) || key === "introduction") return from;
    return [...this.#disk.pairs].find(([, { state }]) => cardStatus(state, cardId) !== "foreign")?.[0];
  }

  #context(peer: string, worldMs: number): StepContext {
    return { now: this.#now(worldMs), day: this.#day, isStranger: this.#isStranger(peer, worldMs), spread: this.#random.next() };
  }

  #noteNews(from: string, instance: string, text: string | undefined, isNew: boolean): void {
    if (text === undefined || isLiar(from) || isOfFlood(from)) return;
    const wasThere = this.#disk.texts.has(text) || this.#disk.deleted.has(text);
    this.#oracles.news.note({ from, instance, text, isNew, wasThere });
  }

  /** What it took for new that was not, or for a repeat that was none. */
  get wrongNews(): readonly WrongNews[] {
    return this.#oracles.news.wrong;
  }

  /** This device was set back: another instance for the one that noticed, and everything of 90 days again. */
  #renew(peer: string, worldMs: number): void {
    const pair = this.#pair(peer);
    const { state, sent } = pair;
    const renewed = renewInstance(state, this.#hex(8), this.#day);
    if (renewed === state) return;
    if (isLiar(peer)) this.renewedFor.set(peer, [...(this.renewedFor.get(peer) ?? []), this.#day]);
    else this.setBack += 1;
    const ids = sent.map(({ id }) => id);
    const chain = givePlaces(renewed.sent, ids, this.#now(worldMs));
    const again = sent.map((entry, index) => ({ ...entry, position: index + 1 }));
    this.#put(peer, { ...pair, state: { ...renewed, sent: chain }, sent: again });
  }

  #judge(peer: string): void {
    const { theirs } = this.#pair(peer).state;
    this.#oracle(peer)?.judge(this.#day, theirs?.chain.instance, theirs?.former?.chain.instance);
  }

  #hex(bytes: number): string {
    return randomHex(this.#random, bytes);
  }
}

const decoder = new TextDecoder();

function keyOf(kem: Uint8Array): string {
  return decoder.decode(kem);
}
