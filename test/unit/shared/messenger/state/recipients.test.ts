import { describe, expect, it } from "vitest";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import { groupConversation } from "#shared/messenger/model/conversation-id.ts";
import { type GroupRecord, withDeparture } from "#shared/messenger/model/group-state.ts";
import type { PublishedKeys } from "#shared/messenger/model/node-port.ts";
import type { OutboxRecord, OutboxTask, SendTask } from "#shared/messenger/model/records.ts";
import { blankConversation, ConversationRegistry } from "#shared/messenger/state/conversation-registry.ts";
import { peopleOf, recipientsOf } from "#shared/messenger/state/recipients.ts";
import { newGroup } from "#test/support/worlds/older-group.ts";

const key = (number: number): string => number.toString(16).padStart(2, "0").repeat(32);
const [ME, ANN, BOB, CAROL] = [key(1), key(2), key(3), key(4)] as const;
const [MINE, MY_PHONE, ANNS, ANNS_PHONE, BOBS, CAROLS] = ["mine", "my phone", "ann's", "ann's phone", "bob's", "carol's"];
const KEYS: Readonly<Record<string, PublishedKeys>> = {
  [ME]: { devices: [MINE, MY_PHONE], identityKey: "" },
  [ANN]: { devices: [ANNS, ANNS_PHONE, ANNS], identityKey: "old" },
  [BOB]: { devices: [], identityKey: BOBS },
  [CAROL]: { devices: [CAROLS], identityKey: "" },
};
const ID = "01".repeat(16);
const GROUP = { id: "aa".repeat(16), keeper: ME };
const FULL: GroupRecord = newGroup(ME, { name: "Hikes", others: [ANN, BOB], at: 1 });

const message: SendTask = { kind: "message", key: "k", id: ID, at: 1, body: { kind: "text", text: "Hello" } };
const profile: SendTask = { kind: "profile", id: ID, at: 1, name: "Me" };
const inGroup = <Task extends SendTask>(task: Task): Task => ({ ...task, group: GROUP });
const again = (sent: SendTask, device: string, peer = ANN): OutboxTask => ({
  kind: "again",
  device,
  position: 1,
  sent: { peer, task: sent },
});
const flags = { kind: "chatFlags", id: ID, flags: { isPinned: true, isArchived: false, mutedUntil: 0, at: 1 } } as const;
const chunk: SendTask = { kind: "chunk", key: "k", id: ID, index: 0 };
const amendment: SendTask = { kind: "amendment", id: ID, at: 1, body: { kind: "delete", id: ID } };
const ask = (device: string): OutboxTask => ({ kind: "ask", device, stream: "00".repeat(8), positions: [1] });

interface Situation {
  readonly what: string;
  readonly peer: string;
  readonly task: OutboxTask;
  readonly done?: readonly string[];
  /** The peer's devices, then one's own other ones; undefined where none of the kind is served. */
  readonly peers?: readonly string[];
  readonly own?: readonly string[];
}

const SITUATIONS: readonly Situation[] = [
  { what: "a message to a person", peer: ANN, task: message, peers: [ANNS, ANNS_PHONE], own: [MY_PHONE] },
  { what: "one that some devices have", peer: ANN, task: message, done: [ANNS, MY_PHONE], peers: [ANNS_PHONE], own: [] },
  { what: "a message to a person without devices", peer: BOB, task: message, peers: [BOBS], own: [MY_PHONE] },
  { what: "a note to oneself", peer: ME, task: message, own: [MY_PHONE] },
  { what: "a part of a file", peer: ANN, task: chunk, peers: [ANNS, ANNS_PHONE], own: [MY_PHONE] },
  { what: "a change of a message", peer: ANN, task: amendment, peers: [ANNS, ANNS_PHONE], own: [MY_PHONE] },
  { what: "a message in a group, to a member", peer: BOB, task: inGroup(message), peers: [BOBS] },
  { what: "a message in a group, to own devices", peer: ME, task: inGroup(message), own: [MY_PHONE] },
  { what: "a file in a group, to a member", peer: ANN, task: inGroup(chunk), peers: [ANNS, ANNS_PHONE] },
  { what: "the state of a group, to one who was removed", peer: CAROL, task: groupState(), peers: [CAROLS] },
  { what: "the state of a group, to own devices", peer: ME, task: groupState(), own: [MY_PHONE] },
  { what: "a receipt", peer: ANN, task: { kind: "receipt", status: "read", ids: [ID] }, peers: [ANNS, ANNS_PHONE] },
  { what: "a receipt to oneself", peer: ME, task: { kind: "receipt", status: "read", ids: [ID] } },
  { what: "a read mark", peer: ANN, task: { kind: "readMark", ids: [ID] }, own: [MY_PHONE] },
  { what: "how a chat is kept", peer: ANN, task: flags, own: [MY_PHONE] },
  { what: "how a group is kept", peer: ME, task: inGroup(flags), own: [MY_PHONE] },
  { what: "one's name, to a contact", peer: ANN, task: profile, peers: [ANNS, ANNS_PHONE], own: [MY_PHONE] },
  { what: "one's name, to own devices", peer: ME, task: profile, own: [MY_PHONE] },
  { what: "what a device missed", peer: ANN, task: again(message, ANNS_PHONE), peers: [ANNS_PHONE] },
  { what: "what a device missed that is gone", peer: ANN, task: again(message, "sold"), peers: [] },
  { what: "what an own device missed", peer: ME, task: again(message, MY_PHONE), own: [MY_PHONE] },
  { what: "a request for what was missed", peer: ANN, task: ask(ANNS), peers: [ANNS] },
  { what: "a request to this device itself", peer: ME, task: ask(MINE), own: [] },
  { what: "a name for someone who was blocked", peer: CAROL, task: profile },
  { what: "a name for someone who was blocked, again", peer: CAROL, task: again(profile, CAROLS, CAROL) },
  { what: "a message for someone who was blocked", peer: CAROL, task: message, peers: [CAROLS], own: [MY_PHONE] },
];

function groupState(): OutboxTask {
  return { kind: "group", id: ID, at: 1, body: { kind: "group.ask" }, group: GROUP };
}

function chosen(
  { peer, task, done = [] }: Pick<Situation, "peer" | "task" | "done">,
  keys: Readonly<Record<string, PublishedKeys>> = KEYS,
): ReturnType<typeof recipientsOf> {
  const account = { masterPub: ME, devicePub: MINE } as KeyringAccount;
  const registry = new ConversationRegistry(ME);
  registry.set({ ...blankConversation(groupConversation(GROUP.id)), group: FULL });
  registry.setContacts({ accepted: [ANN], blocked: [CAROL] });
  const record: OutboxRecord = { seq: 1, peer, task, queuedAt: 0, done, isRelayed: false, isFailed: false };
  const keysOf = async (person: string): Promise<PublishedKeys> => keys[person] ?? { devices: [], identityKey: "" };
  return recipientsOf({ account, registry, keysOf }, record);
}

describe("the devices of an entry", () => {
  it.each(SITUATIONS)("of $what", async ({ peers, own, ...situation }) => {
    const expected = [
      ...(peers === undefined ? [] : [{ isOwn: false, devices: peers }]),
      ...(own === undefined ? [] : [{ isOwn: true, devices: own }]),
    ];
    expect(await chosen(situation)).toEqual(expected);
  });

  it.each([message, chunk, amendment].map(inGroup))("of a group are none once the person has left it: $kind", async (task) => {
    expect(await chosen({ peer: CAROL, task })).toBeUndefined();
  });

  it("wait until the chain lists this device, and until the person has a key", async () => {
    const unlisted = { ...KEYS, [ME]: { devices: [MY_PHONE], identityKey: "" } };
    await expect(chosen({ peer: ANN, task: message }, unlisted)).rejects.toMatchObject({ code: "DEVICE_NOT_PUBLISHED" });
    await expect(chosen({ peer: key(9), task: message })).rejects.toMatchObject({ code: "NO_ENCRYPTION_KEY" });
  });
});

describe("the people of a conversation", () => {
  const id = groupConversation(GROUP.id);

  it.each([
    { what: "of two", conversation: { id: ANN }, people: [ANN] },
    { what: "with oneself", conversation: { id: ME }, people: [ME] },
    { what: "of a group", conversation: { id, group: FULL }, people: [ANN, BOB, ME] },
    {
      what: "of a group that a member has left",
      conversation: { id, group: withDeparture(FULL, BOB, { clock: 1, at: 2 }) },
      people: [ANN, ME],
    },
  ])("$what", ({ conversation, people }) => {
    expect(peopleOf(conversation, ME)).toEqual(people);
  });
});
