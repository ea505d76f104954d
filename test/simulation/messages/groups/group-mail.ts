// What is written to a group, sealed for each member by the rules of real devices, and what comes of it: texts wait before they leave, are late,
// and say what their authors know of the log. Those who lie write whatever they are, back in time, with heads that are old, of another group or
// made up, ask for the log again and again, and read all that is sealed to them, also when they are out.
import { unawareOf, withAsked } from "#shared/messenger/changes/group-log/log-heads.ts";
import { recordOf } from "#shared/messenger/changes/group-log/log-record.ts";
import { shownTo } from "#shared/messenger/changes/group-log/shown-log.ts";
import { type GroupLogRecord, type GroupRecord, mayWrite, membersOf, withLearned } from "#shared/messenger/model/group-state.ts";
import type { LogDevice } from "#test/support/groups/log-device.ts";
import { createRandom, type Random, randomHex } from "#test/support/host/random.ts";
import type { CameContent, Knowing, SealsOracle } from "./seals-oracle.ts";

const STREAM = 0x5ea1;
const STEP_MS = 3_600_000;
const MOST_HEADS = 8;
/** Texts of one who lies at once: a device could ask for each of them. */
const LIES_AT_ONCE = 3;

/** What was done. */
export interface GroupMailFigures {
  /** Texts that were sealed for someone, and that were not, as they were out when it was to leave. */
  readonly sealed: number;
  readonly unsealed: number;
  /** Texts of those who lie that were shown, and that were not. */
  readonly shownLies: number;
  readonly lateLies: number;
  /** Requests for the log to those who named unknown heads, and answers to who is out. */
  readonly asks: number;
  readonly answers: number;
}

/** What a schedule knows of its devices. */
export interface GroupSurroundings {
  readonly devices: readonly LogDevice[];
  isAway(device: LogDevice): boolean;
  knowing(device: LogDevice): Knowing;
  /** True while the device does not know that the group was passed on: it believes who was the owner. */
  isUnaware(device: LogDevice): boolean;
}

interface Known {
  readonly log: LogDevice["log"];
  readonly record: GroupRecord;
}

/** Of one group. */
export class GroupMail {
  readonly #random: Random;
  readonly #oracle: SealsOracle<LogDevice>;
  readonly #surroundings: GroupSurroundings;
  readonly #known = new Map<LogDevice, Known>();
  #outbox: { readonly from: LogDevice; readonly to: string; readonly at: number; readonly leavesAt: number }[] = [];
  #coming: { readonly to: LogDevice; readonly content: CameContent; readonly comesAt: number }[] = [];
  readonly figures = { sealed: 0, unsealed: 0, shownLies: 0, lateLies: 0, asks: 0, answers: 0 };

  constructor(seed: number, oracle: SealsOracle<LogDevice>, surroundings: GroupSurroundings) {
    this.#random = createRandom(seed ^ STREAM);
    this.#oracle = oracle;
    this.#surroundings = surroundings;
  }

  /** A device writes to all members, now and then. */
  write(from: LogDevice, at: number): void {
    if (!this.#random.chance(0.3)) return;
    for (const to of membersOf(this.#recordOf(from, at)))
      if (to !== from.person) this.#outbox.push({ from, to, at, leavesAt: at + this.#random.between(0, 4) });
  }

  /** One who lies writes to everyone, and asks one device for the log. */
  lie(author: string, log: LogDevice["log"], at: number): void {
    const { devices } = this.#surroundings;
    for (const to of devices)
      for (let lie = this.#random.between(1, LIES_AT_ONCE); lie > 0; lie -= 1) {
        const content = { author, at: this.#random.between(Math.max(0, at - 60), at + 10), heads: this.#heads(log) };
        this.#coming.push({ to, content, comesAt: at + this.#random.between(0, 1) });
      }
    const asked = devices[this.#random.between(0, devices.length - 1)];
    if (asked !== undefined && !this.#surroundings.isAway(asked)) this.#answer(asked, author, at);
  }

  /** What is due leaves and comes. */
  step(at: number): void {
    const { isAway } = this.#surroundings;
    const leaving = this.#outbox.filter(({ from, leavesAt }) => leavesAt <= at && !isAway(from));
    this.#outbox = this.#outbox.filter((entry) => !leaving.includes(entry));
    for (const { from, to, at: writtenAt } of leaving) this.#leave(from, to, { writtenAt, at });
    const coming = this.#coming.filter(({ to, comesAt }) => comesAt <= at && !isAway(to));
    this.#coming = this.#coming.filter((entry) => !coming.includes(entry));
    for (const { to, content } of coming) this.#come(to, content, at);
  }

  /** The disk of a device was put back. */
  forget(device: LogDevice): void {
    this.#known.delete(device);
    this.#oracle.forget(device);
  }

  #leave(from: LogDevice, to: string, { writtenAt, at }: { readonly writtenAt: number; readonly at: number }): void {
    const { devices, knowing } = this.#surroundings;
    if (!membersOf(this.#recordOf(from, at)).includes(to)) {
      this.figures.unsealed += 1;
      return;
    }
    this.figures.sealed += 1;
    this.#judgeOf(from)?.sealed(to, knowing(from));
    const content = { author: from.person, at: writtenAt, heads: from.log.fold.group.heads.slice(0, MOST_HEADS) };
    for (const device of devices)
      if (device.person === to) this.#coming.push({ to: device, content, comesAt: at + this.#random.between(1, 6) });
  }

  #come(device: LogDevice, content: CameContent, at: number): void {
    const nowMs = at * STEP_MS;
    const { author } = content;
    const record = this.#recordOf(device, at);
    const time = { at: content.at, nowMs };
    const isOfLiar = this.#surroundings.devices.every(({ person }) => person !== author);
    if (!mayWrite(record, author, time) || !mayWrite(record, device.person, time)) {
      this.figures.lateLies += Number(isOfLiar);
      return;
    }
    this.figures.shownLies += Number(isOfLiar);
    this.#judgeOf(device)?.shown(device, content, nowMs);
    if (author !== device.person && content.heads.length > 0) this.#noteHeads(device, content, nowMs);
  }

  #noteHeads(device: LogDevice, content: CameContent, nowMs: number): void {
    const { author, heads } = content;
    const knowing = this.#surroundings.knowing(device);
    const unaware = unawareOf(device.log, heads, author);
    if (unaware !== undefined) {
      const said = new Set(unaware);
      const removals = device.log.entries.filter(({ hash }) => said.has(hash)).map(({ hash, entry: { change } }) => ({ hash, change }));
      this.#judgeOf(device)?.said(content, removals, knowing);
      return;
    }
    const record = this.#recordOf(device, nowMs / STEP_MS);
    const asking = withAsked(record, author, { me: device.person, nowMs });
    if (asking === undefined) {
      if (membersOf(record).includes(author)) this.#judgeOf(device)?.passedOver(device, author, nowMs);
      return;
    }
    this.figures.asks += 1;
    this.#known.set(device, { log: device.log, record: asking });
    this.#judgeOf(device)?.asked(device, author, knowing, nowMs);
  }

  #answer(device: LogDevice, person: string, at: number): void {
    const record = this.#recordOf(device, at);
    if (record.log === undefined) return;
    const { log } = shownTo(record as GroupRecord & { readonly log: GroupLogRecord }, person);
    this.figures.answers += Number(membersOf(record).every((member) => member !== person));
    const entries = log?.entries.map(({ hash }) => hash) ?? [];
    this.#judgeOf(device)?.entriesShown(person, entries, this.#surroundings.knowing(device));
  }

  #judgeOf(device: LogDevice): SealsOracle<LogDevice> | undefined {
    return this.#surroundings.isUnaware(device) ? undefined : this.#oracle;
  }

  /** The group as a device stores it. */
  #recordOf(device: LogDevice, at: number): GroupRecord {
    const { log, person } = device;
    if (this.#surroundings.isUnaware(device)) this.#oracle.forget(device);
    this.#judgeOf(device)?.noteKnown(device, this.#surroundings.knowing(device), at * STEP_MS);
    const known = this.#known.get(device);
    if (known?.log === log) return known.record;
    const record = withLearned(recordOf(log, known?.record, person), at * STEP_MS);
    this.#known.set(device, { log, record });
    return record;
  }

  /** The true ones, some old entries, or what is none of this log. */
  #heads({ entries, fold }: LogDevice["log"]): readonly string[] {
    const draw = this.#random.next();
    if (draw < 0.25) return fold.group.heads.slice(0, MOST_HEADS);
    const old = Array.from(
      { length: this.#random.between(1, MOST_HEADS) },
      () => entries[this.#random.between(0, entries.length - 1)]?.hash ?? "",
    );
    return draw < 0.6 ? [...new Set(old)] : [...old.slice(1), randomHex(this.#random, 32)];
  }
}
