// Writes entries of a group's log: signs them, stores what they make, and sends them to all whom they are about. A group from before there
// were logs gets one from its admin, with what is known of it.
import type { GroupBody } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { hashOfState } from "#shared/protocol/groups/base-state.ts";
import {
  MAX_BASE_LINKS,
  MAX_ENTRY_PEOPLE,
  MAX_GROUP_ADMINS,
  MAX_LINK_ADMINS,
  MAX_LINK_USES,
  OFFER_MS,
} from "#shared/protocol/groups/group-bounds.ts";
import { formatGroupLink, LINK_SECRET_BYTES, linkKey } from "#shared/protocol/groups/group-link.ts";
import { beginLog, type GroupLog, nextBaseState, nextEntry, type StoredEntry, withEntries } from "#shared/protocol/groups/group-log.ts";
import { encodeEntry, type GroupChange, type LogEntry } from "#shared/protocol/groups/log-entry.ts";
import { ownerMemo } from "#shared/protocol/groups/owner-memo.ts";
import { encodeSignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { Change } from "../changes/change.ts";
import { pictureToSend, takePicture } from "../changes/chats/group-pictures.ts";
import { withLinkTexts } from "../changes/group-links.ts";
import { linesOfLog } from "../changes/group-log/log-lines.ts";
import { type LogPart, partsOfLog, recentOf } from "../changes/group-log/log-parts.ts";
import { openLog, recordOf, storedEntryOf } from "../changes/group-log/log-record.ts";
import { groupConversation, groupOf } from "../model/conversation-id.ts";
import { type GroupRecord, membersOf, othersIn, rightsIn, stateOf } from "../model/group-state.ts";
import type { ConversationId } from "../model/message.ts";
import { newId } from "../model/records.ts";
import { storeGroup } from "../receiving/store-group.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { peopleOf } from "../state/recipients.ts";

/** A link lets people in for so long at most: a year. */
const MAX_LINK_MS = 31_622_400_000;

/** A group before and after entries of one's own. */
interface Written {
  readonly before: { readonly record: GroupRecord | undefined; readonly log: GroupLog | undefined };
  readonly log: GroupLog;
  readonly record: GroupRecord;
}

/** Creates a group of oneself and others, known to be possible; resolves with its conversation. */
export async function createGroup(
  context: EngineContext,
  { name, people }: { readonly name: string; readonly people: readonly PublicKeyHex[] },
): Promise<ConversationId> {
  const { account, clock, random } = context;
  const log = await begun(context, newId(random), { name, people, at: clock.nowMs() });
  const record = recordOf(log, undefined, account.masterPub);
  const id = groupConversation(log.id);
  await send(context, id, { before: { record: undefined, log: undefined }, log, record });
  return id;
}

/** What is to be written into a log, and the bytes of the picture that it names. */
interface ChangeOfGroup {
  readonly before: GroupRecord;
  readonly changes: readonly GroupChange[];
  readonly picture?: Uint8Array | undefined;
}

/**
 * Writes entries into the log of a group that one may change.
 * @throws CodedError KEYRING_LOCKED, BAD_REQUEST where the log has no room.
 */
export async function changeGroup(context: EngineContext, id: ConversationId, { before, changes, picture }: ChangeOfGroup): Promise<void> {
  await send(context, id, await written(context, id, before, changes), { picture });
}

/** Until when an invite link that is to be made lets people in, milliseconds since 1970, and how many. */
export interface WantedLink {
  readonly uses: number;
  readonly until: number;
}

/**
 * Makes an invite link of a group that one may change; resolves with its text.
 * @throws CodedError KEYRING_LOCKED, BAD_REQUEST for a group of an older program, bounds, and where the log has no room.
 */
export async function makeLink(
  context: EngineContext,
  id: ConversationId,
  before: GroupRecord,
  { uses, until }: WantedLink,
): Promise<string> {
  const { account, clock, random, node } = context;
  const group = requireOwnLog(before, id).id;
  const nowMs = clock.nowMs();
  if (!Number.isSafeInteger(uses) || uses < 1 || uses > MAX_LINK_USES) throw refusal(`A link lets 1 to ${MAX_LINK_USES} people in`, "uses");
  if (!Number.isSafeInteger(until) || until <= nowMs || until > nowMs + MAX_LINK_MS) throw refusal("A link ends within a year", "until");
  const open = before.links?.filter((link) => link.until >= nowMs && link.used < link.uses) ?? [];
  if (open.length >= MAX_BASE_LINKS) throw refusal(`A group has at most ${MAX_BASE_LINKS} links at a time: withdraw one`, "id");
  const me = account.masterPub;
  const { owner, admins } = rightsIn(before);
  const others = [...(owner === null ? [] : [owner]), ...admins].filter((person) => person !== me);
  const secret = random(LINK_SECRET_BYTES);
  const asked = [me, ...others].slice(0, MAX_LINK_ADMINS);
  const text = formatGroupLink({ group, secret, admins: asked, name: before.name.text }, node.chainId);
  const key = linkKey({ group, secret }, node.chainId);
  const after = await written(context, id, before, [{ op: "invite", at: nowMs, key, until, uses }]);
  const change = new Change(context);
  change.queue(me, { kind: "inviteLink", id: newId(random), at: nowMs, text, group: { id: group, keeper: before.keeper } });
  await send(context, id, { ...after, record: withLinkTexts(after.record, after.log, { [key]: text }) }, { change });
  return text;
}

/** People who are let in by an invite link. */
export interface LetIn {
  readonly before: GroupRecord;
  /** Public key of the link. */
  readonly key: PublicKeyHex;
  /** Ascending, at most {@link MAX_ENTRY_PEOPLE}. */
  readonly people: readonly PublicKeyHex[];
}

/** Lets people in by an invite link: an addition that follows an entry which names the link. @throws as {@link changeGroup}. */
export async function letIn(context: EngineContext, id: ConversationId, { before, key, people }: LetIn): Promise<void> {
  const { account, clock } = context;
  const known = requireOwnLog(before, id);
  const at = clock.nowMs();
  const height = newestHeight(context);
  const admit = await signed(context, nextEntry(known, height), { op: "admit", at, key, guests: people });
  const admitted = taken(known, admit);
  const log = taken(admitted, await signed(context, nextEntry(admitted, height, [admit.hash]), { op: "add", at, people }));
  await send(context, id, { before: { record: before, log: known }, log, record: recordOf(log, before, account.masterPub) });
}

/** The log of a group whose id names it: two logs could continue a group of an older program. */
function requireOwnLog({ log: record }: GroupRecord, id: ConversationId): GroupLog {
  const log = record && openLog(record);
  if (log === undefined || log.id !== groupOf(id)) throw refusal("A group of an earlier version has links once it is a new one", "id");
  return log;
}

/** Leaves a group. An owner without admins makes the member who joined first one. */
export async function leaveGroup(context: EngineContext, id: ConversationId, before: GroupRecord): Promise<void> {
  const { account, clock } = context;
  const me = account.masterPub;
  const at = clock.nowMs();
  const { owner = before.keeper, admins = [] } = before;
  const [heir] = othersIn(before, me);
  const isHeirNeeded = owner === me && admins.length === 0 && heir !== undefined;
  const changes: readonly GroupChange[] = [...(isHeirNeeded ? [{ op: "admins", at, people: [heir] } as const] : []), { op: "leave", at }];
  const after = await written(context, id, before, changes);
  const clockLeft = before.entries[me]?.clock ?? 1;
  await send(context, id, after, owner === me ? {} : { instead: { kind: "group.leave", clock: clockLeft } });
}

/** How an owner passes a group on: an entry that is signed, and the memo of the TRANSFER by which it counts. */
export interface NextOwner {
  /** Base64 of the entry with its proof. */
  readonly entry: string;
  readonly memo: string;
}

/**
 * Signs the entry by which its owner passes a group on, and stores nothing. What was entered for the same person before, and waits, is taken
 * again for {@link OFFER_MS}, where the owner has changed nothing since. @throws CodedError KEYRING_LOCKED, BAD_REQUEST for a group of an older program.
 */
export async function nextOwner(
  context: EngineContext,
  id: ConversationId,
  { log: record }: GroupRecord,
  person: PublicKeyHex,
): Promise<NextOwner> {
  const log = record && openLog(record);
  if (log === undefined || log.id !== groupOf(id))
    throw refusal("A group of an earlier version is passed on by making a new one of its people", "id");
  const { pending } = log.fold.group;
  const waiting = pending?.person === person ? log.entries.find(({ hash }) => hash === pending.hash) : undefined;
  const own = log.fold.nodes.filter(({ entry: { author } }) => author === context.account.masterPub);
  const nowMs = context.clock.nowMs();
  const isUsable = own.at(-1)?.hash === waiting?.hash && pending !== undefined && Math.abs(nowMs - pending.at) < OFFER_MS;
  const change = { op: "owner", at: nowMs, people: [person] } as const;
  const entry = waiting !== undefined && isUsable ? waiting : await signed(context, nextEntry(log, newestHeight(context)), change);
  return { entry: entry.text, memo: ownerMemo({ logId: log.id, owner: context.account.masterPub }, entry.hash) };
}

/** Stores such an entry and sends it to all, before any node gets the TRANSFER. @throws CodedError BAD_REQUEST where the log has no room. */
export async function passGroup(context: EngineContext, id: ConversationId, before: GroupRecord, text: string): Promise<void> {
  const known = before.log && openLog(before.log);
  const entry = storedEntryOf(text, () => true);
  if (known === undefined || known.entries.some(({ hash }) => hash === entry.hash)) return;
  const log = taken(known, entry);
  await send(context, id, { before: { record: before, log: known }, log, record: recordOf(log, before, context.account.masterPub) });
}

/** Replaces what is before by a base, where that can be. @throws CodedError KEYRING_LOCKED, BAD_REQUEST where the log has no room. */
export async function writeBase(context: EngineContext, id: ConversationId, before: GroupRecord): Promise<void> {
  const state = before.log && nextBaseState(openLog(before.log));
  if (state === undefined) return;
  await changeGroup(context, id, { before, changes: [{ op: "base", at: context.clock.nowMs(), state: hashOfState(state) }] });
}

/** Names or removes one admin. @throws CodedError BAD_REQUEST for more admins than a group may have. */
export function adminsChange(
  group: GroupRecord,
  person: PublicKeyHex,
  { isAdmin, at }: { readonly isAdmin: boolean; readonly at: number },
): GroupChange {
  const others = (group.admins ?? []).filter((admin) => admin !== person);
  const people = isAdmin ? [...others, person].sort() : others;
  if (people.length > MAX_GROUP_ADMINS) throw refusal(`A group has at most ${MAX_GROUP_ADMINS} admins besides its owner`, "person");
  return { op: "admins", at, people };
}

async function written(context: EngineContext, id: ConversationId, before: GroupRecord, changes: readonly GroupChange[]): Promise<Written> {
  const { account } = context;
  const known = before.log && openLog(before.log);
  const log = await withChanges(context, known ?? (await continued(context, id, before)), changes);
  return { before: { record: before, log: known }, log, record: recordOf(log, before, account.masterPub) };
}

/** The log by which its admin continues a group that has none. */
function continued(context: EngineContext, id: ConversationId, group: GroupRecord): Promise<GroupLog> {
  const people = othersIn(group, context.account.masterPub);
  return begun(context, groupOf(id) ?? "", { name: group.name.text, people, at: context.clock.nowMs() });
}

/** The log of a new group: its `create`, and entries that add those for whom that has no room. */
async function begun(
  context: EngineContext,
  group: string,
  { name, people, at }: { readonly name: string; readonly people: readonly PublicKeyHex[]; readonly at: number },
): Promise<GroupLog> {
  const height = newestHeight(context);
  const first = [...people.slice(0, MAX_ENTRY_PEOPLE)].sort();
  const log = beginLog(await signed(context, { group, n: 1, prev: [], height }, { op: "create", at, name, people: first }));
  if (log === undefined) throw new CodedError("INTERNAL", "A group begins with its creation");
  return withChanges(context, log, additions(people.slice(MAX_ENTRY_PEOPLE), at));
}

/** Entries that add people, each as many as it has room for. */
export function additions(people: readonly PublicKeyHex[], at: number): readonly GroupChange[] {
  return Array.from({ length: Math.ceil(people.length / MAX_ENTRY_PEOPLE) }, (_, index) => ({
    op: "add",
    at,
    people: people.slice(index * MAX_ENTRY_PEOPLE, (index + 1) * MAX_ENTRY_PEOPLE).sort(),
  }));
}

async function withChanges(context: EngineContext, log: GroupLog, changes: readonly GroupChange[]): Promise<GroupLog> {
  let after = log;
  for (const change of changes) after = await withChange(context, after, change);
  return after;
}

async function withChange(context: EngineContext, log: GroupLog, change: GroupChange): Promise<GroupLog> {
  return taken(log, await signed(context, nextEntry(log, newestHeight(context)), change));
}

function newestHeight({ newestBlock }: EngineContext): number {
  return newestBlock.known?.height ?? 0;
}

function taken(log: GroupLog, entry: StoredEntry): GroupLog {
  const { log: after } = withEntries(log, [entry]);
  if (!after.entries.some(({ hash }) => hash === entry.hash))
    throw refusal("The group has no room for more changes: make a new one of its people", "id");
  return after;
}

async function signed(
  { keyring, account, node }: EngineContext,
  place: Pick<LogEntry, "group" | "n" | "prev" | "height">,
  change: GroupChange,
): Promise<StoredEntry> {
  const entry = encodeEntry({ ...place, author: account.masterPub, device: account.devicePub, change });
  const proof = await keyring.signGroupEntry({ chainId: node.chainId, entry });
  if (proof === null) throw new CodedError("KEYRING_LOCKED", "Unlock the wallet once on this network: then this device can change groups");
  return storedEntryOf(encodeSignedEntry(entry, proof), () => true);
}

/** What goes with entries: what is sent instead of the state of the group, and the bytes of its new picture. */
interface Along {
  readonly instead?: Omit<Extract<GroupBody, { readonly kind: "group.leave" }>, "log">;
  readonly picture?: Uint8Array | undefined;
  /** What is stored together with it. */
  readonly change?: Change;
}

type Sent = LogPart & { readonly id: string; readonly picture?: string };

/** Stores what was written and sends it to all who are or were in the group; who is new gets the whole log, and the picture. */
async function send(
  context: EngineContext,
  id: ConversationId,
  { before, log, record: unpictured }: Written,
  { instead, picture, change = new Change(context) }: Along = {},
): Promise<void> {
  const { account, clock, random } = context;
  const group = groupOf(id) ?? "";
  const lines = linesOfLog(group, { log, before: before.log, me: account.masterPub });
  const record = takePicture(change, id, { before: before.record, group: unpictured, data: picture && toBase64(picture) });
  await storeGroup(context, change, { conversation: id, group: record, lines });
  const known = new Set(before.log?.entries.map(({ hash }) => hash));
  const own = log.entries.filter(({ hash }) => !known.has(hash)).length;
  const formerly = new Set(before.log === undefined || before.record === undefined ? [] : membersOf(before.record));
  const recipients = new Set([
    ...(before.record === undefined ? [] : membersOf(before.record)),
    ...peopleOf({ id, group: record }, account.masterPub),
  ]);
  const shown = pictureToSend(record);
  const isNewPicture = record.picture?.hash !== before.record?.picture?.hash;
  const all: readonly Sent[] = partsOfLog(log).map((part, index) => ({ id: newId(random), ...part, ...(index === 0 && shown) }));
  const recent: readonly Sent[] = [{ id: newId(random), log: recentOf(log, Math.max(1, own)), ...(isNewPicture && shown) }];
  for (const peer of recipients)
    for (const { log: part, base, ...rest } of formerly.has(peer) || peer === account.masterPub ? recent : all) {
      const body = { ...(instead ?? { ...stateOf(record), ...(base && { base }) }), log: part };
      change.queue(peer, { kind: "group", at: clock.nowMs(), body, group: { id: group, keeper: record.keeper }, ...rest });
    }
  await change.commit();
}

/** What cannot be, with the field of the request that is wrong. */
export function refusal(message: string, field: string, details: Readonly<Record<string, string>> = {}): CodedError {
  return new CodedError("BAD_REQUEST", message, { details: { field, ...details } });
}
