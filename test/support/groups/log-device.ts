// A device that keeps the log of a group: writes entries on what it knows, and takes those of others as the messenger does, with the base at
// which they begin where it lacks what is before.
import { hashOfState } from "#shared/protocol/groups/base-state.ts";
import type { LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { beginLog, type GroupLog, nextBaseState, nextEntry, type StoredEntry, withEntries } from "#shared/protocol/groups/group-log.ts";
import { partsAt, rebased } from "#shared/protocol/groups/join-base.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import { itemOf } from "./group-history.ts";

/** An item as it is stored; its text is its hash. */
export function stored(item: LogItem): StoredEntry {
  return { ...item, text: item.hash };
}

/** A device of a person. */
export class LogDevice {
  readonly person: string;
  log: GroupLog;

  constructor(person: string, create: LogItem) {
    const log = beginLog(stored(create));
    if (log === undefined) throw new Error("A log begins with its creation");
    this.person = person;
    this.log = log;
  }

  /** Writes an entry, behind all that it knows or behind these; undefined where there is no room for it. */
  write(change: GroupChange, prev?: readonly string[]): StoredEntry | undefined {
    const entry = stored(itemOf({ ...nextEntry(this.log, 0, prev), author: this.person, device: this.person, change }));
    this.log = withEntries(this.log, [entry]).log;
    return this.knows(entry.hash) ? entry : undefined;
  }

  /** Writes a base that is true. */
  writeBase(at: number): StoredEntry | undefined {
    const state = nextBaseState(this.log);
    return state && this.write({ op: "base", at, state: hashOfState(state) });
  }

  /** Takes entries; true when some are missing before them. */
  take(entries: readonly StoredEntry[]): boolean {
    const { log, isMissing } = withEntries(this.log, entries);
    this.log = log;
    return isMissing;
  }

  /** Takes all that another device sends to who asks. */
  takeAll({ log }: Pick<LogDevice, "log">): void {
    const { base, entries } = partsAt(log);
    this.take(entries);
    if (base !== undefined) this.log = rebased(this.log, base, { entries, transfers: log.transfers });
  }

  knows(hash: string): boolean {
    return this.log.entries.some((entry) => entry.hash === hash);
  }

  /** What the person at it sees: who is in the group, and what it is. */
  get seen(): object {
    const { owner, admins, name, picture, people, links, heads } = this.log.fold.group;
    const members = Object.entries(people).filter(([, { status }]) => status === "in");
    return { owner, admins, name: name.text, picture, members: members.map(([key]) => key).sort(), links, heads };
  }
}

/** Devices tell each other everything until nothing is new. @throws Error when that does not end. */
export function settle(devices: readonly LogDevice[]): void {
  for (let round = 0; round < 2 * devices.length + 4; round += 1) {
    const before = devices.map(({ log }) => log);
    for (const one of devices) for (const other of devices) if (one !== other) one.takeAll(other);
    if (devices.every(({ log }, at) => log === before[at])) return;
  }
  throw new Error("The devices do not come to an end");
}
