// Commands on groups: create, add, remove, rename, appoint an admin, leave. Only the admin changes a group; any member may leave.

import type { GroupBody } from "#shared/content/content.ts";
import { type GroupEntry, MAX_GROUP_MEMBERS, MAX_GROUP_NAME_BYTES } from "#shared/content/group-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex, utf8Length } from "#shared/util/bytes.ts";
import { Change } from "../changes/change.ts";
import { groupConversation, groupOf } from "../model/conversation-id.ts";
import { type GroupLine, lineOfDeparture, linesOfState } from "../model/group-lines.ts";
import { type GroupRecord, membersOf, newGroup, nextClock, othersIn, stateOf, withDeparture } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import { newId } from "../model/records.ts";
import { storeGroup } from "../receiving/apply-group.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { peopleOf } from "../state/recipients.ts";

/** What is sent about a group. */
interface GroupUpdate {
  readonly before: GroupRecord;
  readonly body: GroupBody;
  readonly lines: readonly GroupLine[];
  readonly at?: number;
}

/** Groups of a running messenger. */
export class Groups {
  readonly #context: EngineContext;
  /** Something waits in the outbox. */
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /**
   * Creates a group of oneself and others; resolves with its conversation.
   * @throws CodedError BAD_REQUEST for a name or a number of people that is not possible.
   */
  async createGroup(name: string, others: readonly PublicKeyHex[]): Promise<ConversationId> {
    const { account, clock, random } = this.#context;
    const people = checkedPeople(others, account.masterPub);
    if (people.length === 0 || people.length >= MAX_GROUP_MEMBERS) throw refusal(`A group has 2 to ${MAX_GROUP_MEMBERS} members`, "people");
    const id = newId(random);
    const group = newGroup(account.masterPub, { name: checkedName(name), others: people, at: clock.nowMs() });
    await this.#context.writer.run(() => this.#store(groupConversation(id), group, group));
    this.#onQueued();
    return groupConversation(id);
  }

  /** Adds people to one's own group. They see what is written from then on. @throws CodedError BAD_REQUEST. */
  addToGroup(id: ConversationId, people: readonly PublicKeyHex[]): Promise<void> {
    return this.#change(id, (group) => {
      const members = membersOf(group);
      const fresh = checkedPeople(people, this.#context.account.masterPub).filter((key) => !members.includes(key));
      if (members.length + fresh.length > MAX_GROUP_MEMBERS) throw refusal(`A group has at most ${MAX_GROUP_MEMBERS} members`, "people");
      return withMemberships(group, fresh, { standing: "in", at: this.#context.clock.nowMs() });
    });
  }

  /** Removes a member from one's own group. @throws CodedError BAD_REQUEST. */
  removeFromGroup(id: ConversationId, person: PublicKeyHex): Promise<void> {
    return this.#change(id, (group) => {
      if (person === group.keeper) throw refusal("The admin of a group leaves it, or makes someone else admin", "person");
      return withMemberships(group, [memberOf(group, person)], { standing: "removed", at: this.#context.clock.nowMs() });
    });
  }

  /** Renames one's own group. @throws CodedError BAD_REQUEST. */
  renameGroup(id: ConversationId, name: string): Promise<void> {
    const text = checkedName(name);
    return this.#change(id, (group) => ({ ...group, name: { text, clock: nextClock(group), at: this.#context.clock.nowMs() } }));
  }

  /** Makes another member the admin. @throws CodedError BAD_REQUEST. */
  handOverGroup(id: ConversationId, person: PublicKeyHex): Promise<void> {
    return this.#change(id, (group) => this.#handedTo(group, memberOf(group, person)));
  }

  /** Leaves a group. An admin is followed by the member who joined first. */
  async leaveGroup(id: ConversationId): Promise<void> {
    const { account, clock } = this.#context;
    await this.#run(id, async (group) => {
      const me = account.masterPub;
      const mine = group.entries[me];
      if (mine?.standing !== "in") throw refusal("You are not in this group", "id");
      const entry = { clock: mine.clock, at: clock.nowMs() };
      const [heir] = othersIn(group, me);
      const left = withDeparture(group, me, entry);
      if (group.keeper === me && heir !== undefined) return this.#store(id, this.#handedTo(left, heir), group);
      await this.#send(id, left, {
        before: group,
        at: entry.at,
        body: { kind: "group.leave", clock: mine.clock },
        lines: [lineOfDeparture(groupOf(id) ?? "", me, entry)],
      });
    });
  }

  #handedTo(group: GroupRecord, admin: PublicKeyHex): GroupRecord {
    const term = group.term + 1;
    return { ...group, term, keeper: admin, since: this.#context.clock.nowMs(), keepers: { ...group.keepers, [term]: admin } };
  }

  /** Changes a group whose admin is this person. */
  async #change(id: ConversationId, next: (group: GroupRecord) => GroupRecord): Promise<void> {
    await this.#run(id, async (group) => {
      if (group.keeper !== this.#context.account.masterPub) throw refusal("Only the admin of a group can change it", "id");
      const changed = next(group);
      if (changed !== group) await this.#store(id, changed, group);
    });
  }

  /** One after the other: each step sees the result of the one before. */
  async #run(id: ConversationId, step: (group: GroupRecord) => Promise<void>): Promise<void> {
    const { registry, writer } = this.#context;
    await writer.run(async () => {
      const { group } = registry.get(id);
      if (group === undefined) throw refusal("There is no such group", "id");
      await step(group);
    });
    this.#onQueued();
  }

  /** Stores a state and sends it to all who are or were in the group. */
  #store(id: ConversationId, group: GroupRecord, before: GroupRecord): Promise<void> {
    const body = stateOf(group);
    const lines = linesOfState(groupOf(id) ?? "", body, { me: this.#context.account.masterPub, joined: group.joined });
    return this.#send(id, group, { before, body, lines });
  }

  async #send(
    id: ConversationId,
    group: GroupRecord,
    { before, body, lines, at = this.#context.clock.nowMs() }: GroupUpdate,
  ): Promise<void> {
    const { account, random } = this.#context;
    const reference = { id: groupOf(id) ?? "", keeper: group.keeper };
    const recipients = new Set([...membersOf(before), ...peopleOf({ id, group }, account.masterPub)]);
    const change = new Change(this.#context);
    await storeGroup(this.#context, change, { conversation: id, group, lines });
    const contentId = newId(random);
    for (const peer of recipients) change.queue(peer, { kind: "group", id: contentId, at, body, group: reference });
    await change.commit();
  }
}

function withMemberships(group: GroupRecord, people: readonly PublicKeyHex[], fields: Pick<GroupEntry, "standing" | "at">): GroupRecord {
  if (people.length === 0) return group;
  const entry = { clock: nextClock(group), ...fields };
  return { ...group, entries: { ...group.entries, ...Object.fromEntries(people.map((key) => [key, entry])) } };
}

function memberOf(group: GroupRecord, person: PublicKeyHex): PublicKeyHex {
  if (!membersOf(group).includes(person)) throw refusal("This person is not in the group", "person");
  return person;
}

function checkedPeople(people: readonly PublicKeyHex[], me: PublicKeyHex): readonly PublicKeyHex[] {
  if (!people.every((key) => isHex(key, 32) && key === key.toLowerCase())) throw refusal("A member is a master key", "people");
  return [...new Set(people)].filter((key) => key !== me);
}

function checkedName(name: string): string {
  const text = name.trim().toWellFormed();
  const bytes = utf8Length(text);
  if (bytes === 0 || bytes > MAX_GROUP_NAME_BYTES)
    throw new CodedError("BAD_REQUEST", `The name of a group has 1 to ${MAX_GROUP_NAME_BYTES} bytes`, {
      details: { field: "name", bytes },
    });
  return text;
}

function refusal(message: string, field: string): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field } });
}
