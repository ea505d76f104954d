// A group as far as a person may know it: who is no longer in it is shown no more than they knew, and that they are not. Pure.
import { type GroupLog, logOfEntries, pastOf } from "#shared/protocol/groups/group-log.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { GroupLogRecord, GroupRecord } from "../../model/group-state.ts";
import { openLog, recordOf } from "./log-record.ts";

/** What of a group is shown to a person who asks; `log` undefined where there is nothing to show. */
export interface ShownGroup {
  readonly record: GroupRecord;
  readonly log: GroupLog | undefined;
}

/** A group as it is shown to a person. */
export function shownTo(group: GroupRecord & { readonly log: GroupLogRecord }, person: PublicKeyHex): ShownGroup {
  const log = openLog(group.log);
  const member = log.fold.group.people[person];
  // Who has left with an older program is still in the log.
  if (member?.status === "in" && group.entries[person]?.standing === "in") return { record: group, log };
  // Of whose removal a base alone says, no more is shown than they got then.
  const past = member === undefined ? undefined : pastOf(log, [member.hash]);
  // Who was removed by a later owner learns who that was: the entry that made them the owner is among those of then.
  const until = logOfEntries(
    log.entries.filter(({ hash }) => past?.has(hash) === true),
    log.transfers,
    log.root,
  );
  return until === undefined ? { record: group, log: undefined } : { record: recordOf(until, undefined, person), log: until };
}
