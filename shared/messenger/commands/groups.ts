// Commands on groups: create, add, remove, rename, name admins, leave. The owner and the admins change a group; any member may leave. Loaded
// with the first of them.
import { CodedError } from "#shared/errors/coded-error.ts";
import { LINK_LOG_VERSION, MAX_GROUP_MEMBERS, MAX_GROUP_NAME_BYTES } from "#shared/protocol/groups/group-bounds.ts";
import type { GroupChange } from "#shared/protocol/groups/log-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex, utf8Length } from "#shared/util/bytes.ts";
import { Change } from "../changes/change.ts";
import { hashOfPicture } from "../changes/chats/group-pictures.ts";
import { notReadingLogs } from "../changes/pairs/log-readers.ts";
import { groupOf } from "../model/conversation-id.ts";
import { lineOfDeparture } from "../model/group-lines.ts";
import { type GroupRecord, isPassing, mayChange, membersOf, othersIn, rightsIn, withDeparture } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import { newId } from "../model/records.ts";
import { storeGroup } from "../receiving/store-group.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { peopleOf } from "../state/recipients.ts";
import {
  additions,
  adminsChange,
  changeGroup,
  createGroup,
  leaveGroup,
  makeLink,
  type NextOwner,
  nextOwner,
  passGroup,
  refusal,
  type WantedLink,
} from "./change-group.ts";

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
   * @throws CodedError BAD_REQUEST for a name or a number of people that is not possible, KEYRING_LOCKED.
   */
  async createGroup(name: string, others: readonly PublicKeyHex[]): Promise<ConversationId> {
    const people = checkedPeople(others, this.#context.account.masterPub);
    if (people.length === 0 || people.length >= MAX_GROUP_MEMBERS) throw refusal(`A group has 2 to ${MAX_GROUP_MEMBERS} members`, "people");
    const text = checkedName(name);
    const id = await this.#context.writer.run(() => createGroup(this.#context, { name: text, people }));
    this.#onQueued();
    return id;
  }

  /** Adds people to a group. They see what is written from then on. @throws CodedError BAD_REQUEST. */
  addToGroup(id: ConversationId, people: readonly PublicKeyHex[]): Promise<void> {
    return this.#change(id, (group, at) => {
      const members = membersOf(group);
      const fresh = checkedPeople(people, this.#context.account.masterPub).filter((key) => !members.includes(key));
      if (members.length + fresh.length > MAX_GROUP_MEMBERS) throw refusal(`A group has at most ${MAX_GROUP_MEMBERS} members`, "people");
      return additions(fresh, at);
    });
  }

  /** Removes a member; the owner removes anyone, an admin those who are none. @throws CodedError BAD_REQUEST. */
  removeFromGroup(id: ConversationId, person: PublicKeyHex): Promise<void> {
    return this.#change(id, (group, at) => {
      const { owner } = rightsIn(group);
      if (person === owner || person === this.#context.account.masterPub) throw refusal("The owner of a group leaves it", "person");
      if (this.#context.account.masterPub !== owner && mayChange(group, person)) throw refusal("Only the owner removes an admin", "person");
      return [{ op: "remove", at, people: [memberOf(group, person)] }];
    });
  }

  /** Renames a group. @throws CodedError BAD_REQUEST. */
  renameGroup(id: ConversationId, name: string): Promise<void> {
    const text = checkedName(name);
    return this.#change(id, (_, at) => [{ op: "name", at, name: text }]);
  }

  /** Gives a group a picture, a small WebP; no bytes remove it. @throws CodedError BAD_REQUEST. */
  async setGroupPicture(id: ConversationId, data: Uint8Array): Promise<void> {
    const hash = hashOfPicture(data);
    const isShown = ({ picture }: GroupRecord): boolean => hash === (picture?.hash ?? "") && picture?.isHere !== false;
    await this.#change(id, (group, at) => (isShown(group) ? [] : [{ op: "picture", at, picture: hash }]), data);
  }

  /**
   * Makes a link by which people ask to be let in, and are; resolves with its text, which holds its secret.
   * @param link until when it lets people in, milliseconds since 1970, a year ahead at most, and how many, 1 to {@link MAX_LINK_USES}
   * @throws CodedError BAD_REQUEST; with `programs` as its field where a member, `person`, has a device that knows no such links;
   * KEYRING_LOCKED, UNAVAILABLE.
   */
  async makeLink(id: ConversationId, link: WantedLink): Promise<string> {
    await this.#requireLinkReaders(id);
    let text = "";
    await this.#run(id, async (group) => {
      this.#requireRight(group);
      text = await makeLink(this.#context, id, group, link);
    });
    return text;
  }

  /** Withdraws a link, whoever made it; nothing where that has ended. @throws CodedError BAD_REQUEST, KEYRING_LOCKED. */
  withdrawLink(id: ConversationId, key: PublicKeyHex): Promise<void> {
    return this.#change(id, ({ links = [] }, at) => (links.some((link) => link.key === key) ? [{ op: "withdraw", at, keys: [key] }] : []));
  }

  /** Makes a member an admin, or an admin a member like others; the owner alone can. @throws CodedError BAD_REQUEST. */
  setGroupAdmin(id: ConversationId, person: PublicKeyHex, isAdmin: boolean): Promise<void> {
    return this.#run(id, async (group) => {
      const { owner } = rightsIn(group);
      if (owner !== this.#context.account.masterPub || person === owner) throw refusal("Only the owner of a group names its admins", "id");
      this.#requireSettled(group);
      const change = adminsChange(group, memberOf(group, person), { isAdmin, at: this.#context.clock.nowMs() });
      await changeGroup(this.#context, id, { before: group, changes: [change] });
    });
  }

  /**
   * What makes a member the owner: an entry to be given to {@link passGroup}, and the memo of the TRANSFER to oneself by which it counts.
   * Nothing is stored or sent. @throws CodedError BAD_REQUEST, KEYRING_LOCKED.
   */
  async nextOwner(id: ConversationId, person: PublicKeyHex): Promise<NextOwner> {
    const { registry, writer } = this.#context;
    return writer.run(async () => {
      const { group } = registry.get(id);
      if (group === undefined) throw refusal("There is no such group", "id");
      requireOwner(group, this.#context.account.masterPub);
      if (person === this.#context.account.masterPub) throw refusal("The owner is another person than yourself", "person");
      return nextOwner(this.#context, id, group, memberOf(group, person));
    });
  }

  /** Enters and sends what {@link nextOwner} has given, once the TRANSFER is signed and before a node gets it. @throws CodedError BAD_REQUEST. */
  passGroup(id: ConversationId, { entry }: Pick<NextOwner, "entry">): Promise<void> {
    return this.#run(id, async (group) => {
      requireOwner(group, this.#context.account.masterPub);
      await passGroup(this.#context, id, group, entry);
    });
  }

  /** Leaves a group. An owner without admins makes the member who joined first one. */
  async leaveGroup(id: ConversationId): Promise<void> {
    await this.#run(id, async (group) => {
      const me = this.#context.account.masterPub;
      if (group.entries[me]?.standing !== "in") throw refusal("You are not in this group", "id");
      if (group.log === undefined && group.keeper !== me) return this.#leaveOlder(id, group);
      await leaveGroup(this.#context, id, group);
    });
  }

  /** Leaves a group without a log. */
  async #leaveOlder(id: ConversationId, before: GroupRecord): Promise<void> {
    const { account, clock, random } = this.#context;
    const me = account.masterPub;
    const entry = { clock: before.entries[me]?.clock ?? 1, at: clock.nowMs() };
    const group = withDeparture(before, me, entry);
    const reference = { id: groupOf(id) ?? "", keeper: group.keeper };
    const change = new Change(this.#context);
    await storeGroup(this.#context, change, { conversation: id, group, lines: [lineOfDeparture(reference.id, me, entry)] });
    const contentId = newId(random);
    const body = { kind: "group.leave", clock: entry.clock } as const;
    for (const peer of new Set([...othersIn(before, me), ...peopleOf({ id, group }, me)]))
      change.queue(peer, { kind: "group", id: contentId, at: entry.at, body, group: reference });
    await change.commit();
  }

  /** Changes a group of which this person is the owner or an admin. */
  async #change(id: ConversationId, next: (group: GroupRecord, at: number) => readonly GroupChange[], picture?: Uint8Array): Promise<void> {
    await this.#run(id, async (group) => {
      this.#requireRight(group);
      const changes = next(group, this.#context.clock.nowMs());
      if (changes.length > 0) await changeGroup(this.#context, id, { before: group, changes, picture });
    });
  }

  /** Programs that know no links would let in whom a link does not let in. */
  async #requireLinkReaders(id: ConversationId): Promise<void> {
    const { group } = this.#context.registry.get(id);
    const person = group && (await notReadingLogs(this.#context, membersOf(group), LINK_LOG_VERSION));
    if (person !== undefined) throw refusal("Someone in the group has a device whose program knows no links", "programs", { person });
  }

  #requireRight(group: GroupRecord): void {
    const me = this.#context.account.masterPub;
    if (!mayChange(group, me) || group.entries[me]?.standing !== "in")
      throw refusal("Only the owner and the admins of a group can change it", "id");
    this.#requireSettled(group);
  }

  /** What an owner changes while the TRANSFER may still come into a block would not count then. */
  #requireSettled(group: GroupRecord): void {
    const { account, clock } = this.#context;
    if (isPassing(group, account.masterPub, clock.nowMs())) throw refusal("The group is being passed on to another owner", "id");
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
}

function requireOwner(group: GroupRecord, me: PublicKeyHex): void {
  if (rightsIn(group).owner !== me) throw refusal("Only the owner of a group passes it on", "id");
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
