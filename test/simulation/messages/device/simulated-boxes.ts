// Boxes of a simulated device for people, by the rules of real ones. Their keys are hashes of names: of a disk that was put back, the same.

import type { ShownBox } from "#shared/content/pairs/pair-content.ts";
import { BoxRegistry } from "#shared/messenger/pairs/box-registry.ts";
import type { BothClocks } from "#shared/messenger/pairs/counted-days.ts";
import {
  boxToTell,
  dueGeneration,
  isOpeningDue,
  noBoxes,
  type PersonBoxes,
  withAllClosed,
  withBox,
  withOpened,
} from "#shared/messenger/pairs/own-boxes.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { MailNetwork } from "../network/mail-network.ts";

/** Boxes by person, on a disk. */
export type DiskBoxes = ReadonlyMap<string, PersonBoxes>;

/** The person of a device: what stands before the hyphen. */
export function personOf(device: string): string {
  return device.split("-")[0] ?? "";
}

/** Those that were asked for last, of each state of a disk. */
const read = new WeakMap<DiskBoxes, readonly string[]>();

/** Keys of boxes that a device reads. */
export function readBoxes(boxes: DiskBoxes): readonly string[] {
  const known = read.get(boxes);
  if (known !== undefined) return known;
  const keys = new BoxRegistry([...boxes.values()]).read.map(({ mailbox }) => mailbox);
  read.set(boxes, keys);
  return keys;
}

/** Makes and opens what is due for these people; the same boxes where nothing is. */
export function tendBoxes(
  boxes: DiskBoxes,
  people: readonly string[],
  {
    device,
    network,
    now,
    worldMs,
  }: { readonly device: string; readonly network: MailNetwork; readonly now: BothClocks; readonly worldMs: number },
): DiskBoxes {
  let next: Map<string, PersonBoxes> | undefined;
  for (const person of people) {
    const before = boxes.get(person);
    let record = before ?? noBoxes(toHex(utf8(person)).padEnd(8, "0"));
    const generation = dueGeneration(record, now);
    if (generation !== undefined) record = withBox(record, { generation, mailbox: keyOf(device, person, generation), writeSeed: "" });
    const due = record.boxes.filter((box) => isOpeningDue(box, now)).map(({ mailbox }) => mailbox);
    const opened = due.filter((mailbox) => network.setOpen(mailbox, true, worldMs));
    if (opened.length > 0) record = withOpened(record, new Set(opened), now);
    if (record === before) continue;
    next ??= new Map(boxes);
    next.set(person, record);
  }
  return next ?? boxes;
}

/** All boxes for a person are closed, as when they are blocked. */
export function closeBoxes(boxes: DiskBoxes, person: string, network: MailNetwork): DiskBoxes {
  const record = boxes.get(person);
  for (const { mailbox } of record?.boxes ?? []) network.setOpen(mailbox, false, 0);
  return record === undefined ? boxes : new Map(boxes).set(person, withAllClosed(record));
}

/** What a person is told. */
export function toldBox(boxes: DiskBoxes, person: string, now: BothClocks): ShownBox | undefined {
  const record = boxes.get(person);
  return record && boxToTell(record, now);
}

/** Number of the box for a person in which something came. */
export function generationOf(boxes: DiskBoxes, person: string, mailbox: string | undefined): number | undefined {
  return boxes.get(person)?.boxes.find((box) => box.mailbox === mailbox)?.generation;
}

function keyOf(device: string, person: string, generation: number): string {
  // The highest bit of a key is 0.
  return `${toHex(sha256(utf8(`${device} for ${person} ${generation}`))).slice(0, 62)}00`;
}
