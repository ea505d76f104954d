// What must hold in the end: every device has every text, nothing that is gone is back, and nothing came that was not written for it.

import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { DeviceLists } from "../network/device-lists.ts";

const DAY_MS = 86_400_000;
/** Longest that a list can be late, and that mail on its way counts. */
const SURELY_LEARNED_MS = 8 * DAY_MS;

/** A text, or its deletion. */
export interface Written {
  readonly id: string;
  readonly author: string;
  readonly atMs: number;
  /** Devices that its author did not find in lists then: it was not sealed for them. */
  readonly unlisted: readonly string[];
}

/** What a device wrote within these times it does not know any more, or a copy wrote in its name. */
export interface Forgotten {
  readonly device: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A schedule that is over. */
export interface EndedSchedule {
  readonly devices: readonly SimulatedDevice[];
  readonly written: readonly Written[];
  readonly deleted: readonly Written[];
  /** Texts that disappear a day after they were read. */
  readonly passing: readonly string[];
  readonly forgotten: readonly Forgotten[];
  readonly textsOfCopy: ReadonlySet<string>;
  readonly lists: DeviceLists | undefined;
  /** Texts that the device which was linked got with the history. */
  readonly takenOver: ReadonlySet<string>;
  /** Texts that no device may have: made up by the relay, or of a write that was refused. */
  readonly never: ReadonlySet<string>;
}

/** @throws Error that says what does not hold. */
export function judgeEnd(schedule: EndedSchedule): void {
  judgeTexts(schedule);
  judgeNews(schedule);
  judgeUnlinked(schedule);
  judgeNotices(schedule);
}

/**
 * Something that its copy wrote came to a device. A copy that has only read, or of which nothing came before it was gone, is noticed by
 * nothing: no device has anything that the genuine one did not write.
 */
export function isCopyHeard(devices: readonly SimulatedDevice[], textsOfCopy: ReadonlySet<string>): boolean {
  return devices.some(({ texts }) => [...textsOfCopy].some((id) => texts.has(id)));
}

function judgeTexts(schedule: EndedSchedule): void {
  const { written, passing, never } = schedule;
  const linked = linkedDevices(schedule);
  const deleted = new Set(schedule.deleted.map(({ id }) => id));
  const isLost = isLostIn(schedule);
  const isFor = isForIn(schedule);
  const missing = written.flatMap((text) =>
    isLost(text) || deleted.has(text.id)
      ? []
      : linked
          .filter(({ name, texts }) => !texts.has(text.id) && isFor(text, name))
          .map(({ name }) => `${text.id} of ${text.author} on ${name}`),
  );
  if (missing.length > 0) throw new Error(`${missing.length} texts are missing, as ${missing[0]}`);
  const left = schedule.deleted.flatMap((text) =>
    isLost(text)
      ? []
      : linked.filter(({ name, texts }) => texts.has(text.id) && !text.unlisted.includes(name)).map(({ name }) => `${text.id} on ${name}`),
  );
  if (left.length > 0) throw new Error(`${left.length} deleted texts are still there, as ${left[0]}`);
  for (const { name, texts } of linked) {
    const back = passing.find((id) => texts.has(id));
    if (back !== undefined) throw new Error(`${back} has disappeared and is on ${name} again`);
  }
  for (const { name, awaited } of linked) {
    const listed = awaited.find((device) => linked.some((other) => other.name === device));
    if (listed !== undefined) throw new Error(`Mail of ${listed} waits on ${name}, though all lists have it`);
  }
  for (const { name, texts } of schedule.devices)
    for (const id of texts.keys()) if (never.has(id)) throw new Error(`${name} has ${id}, which was not written`);
}

/** Each text is new once to a device. Positions are given again by a disk that was put back, and to a copy. */
function judgeNews({ devices, forgotten }: EndedSchedule): void {
  const isForgetful = (name: string): boolean => forgotten.some(({ device }) => device === name);
  for (const { name, wrongNews } of devices) {
    const wrong = isForgetful(name) ? undefined : wrongNews.find(({ from }) => !isForgetful(from));
    if (wrong !== undefined) throw new Error(`${name} ${wrong.words}, of ${wrong.from}`);
  }
}

/** A device that was unlinked gets nothing of those who know, and what it writes once all know comes to none of them. */
function judgeUnlinked(schedule: EndedSchedule): void {
  const { lists, written } = schedule;
  const device = schedule.devices.find(({ name }) => name === lists?.unlinked.device);
  if (lists === undefined || device === undefined) return;
  const isAfter = ({ atMs }: Written): boolean => atMs >= lists.unlinked.atMs;
  const got = written.find((text) => isAfter(text) && text.unlisted.includes(device.name) && device.texts.has(text.id));
  if (got !== undefined) throw new Error(`${device.name} got ${got.id} of ${got.author}, who knew that it was unlinked`);
  const late = written.filter(({ author, atMs }) => author === device.name && atMs >= lists.unlinked.atMs + SURELY_LEARNED_MS);
  for (const { name, texts } of linkedDevices(schedule)) {
    const taken = late.find(({ id }) => texts.has(id));
    if (taken !== undefined) throw new Error(`${name} took ${taken.id} of ${device.name} long after that was unlinked`);
  }
}

function judgeNotices(schedule: EndedSchedule): void {
  const { forgotten, textsOfCopy } = schedule;
  const linked = linkedDevices(schedule);
  const isNoticed = linked.some(({ setBack, copied }) => setBack > 0 || copied.length > 0);
  const isOfLinked = forgotten.every(({ device }) => linked.some(({ name }) => name === device));
  if (isOfLinked && isCopyHeard(linked, textsOfCopy) && !isNoticed) throw new Error("No device noticed the copy");
  for (const { name, setBack } of linked)
    if (setBack > 0 && !forgotten.some(({ device }) => device === name))
      throw new Error(`${name} took itself for set back, and another one was`);
  if (forgotten.length > 0) return;
  for (const { name, setBack, copied, waiting } of linked) {
    if (setBack > 0 || copied.length > 0) throw new Error(`${name} took itself or another device for a copy, and none was`);
    if (waiting > 0) throw new Error(`${name} still waits for ${waiting} acknowledgements`);
  }
}

/** Devices that are linked in the end. */
function linkedDevices({ devices, lists }: EndedSchedule): readonly SimulatedDevice[] {
  return devices.filter(({ name }) => name !== lists?.unlinked.device);
}

/**
 * A device that was put back does not know what it wrote after that image, and perhaps none does. Of a device that was unlinked what was on
 * its way is lost.
 */
function isLostIn({ forgotten, lists }: EndedSchedule): (text: Written) => boolean {
  return ({ author, atMs }) =>
    author === lists?.unlinked.device || forgotten.some(({ device, fromMs, toMs }) => device === author && atMs >= fromMs && atMs <= toMs);
}

/** A device has what was sealed for it, and the linked one what came with the history, unless it was put back since: perhaps to before. */
function isForIn({ forgotten, lists, takenOver }: EndedSchedule): (text: Written, name: string) => boolean {
  const hasHistory = !forgotten.some(({ device }) => device === lists?.linked.device);
  return ({ id, unlisted }, name) => !unlisted.includes(name) || (hasHistory && name === lists?.linked.device && takenOver.has(id));
}
