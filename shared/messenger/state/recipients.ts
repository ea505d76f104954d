// Who gets what is sent: the only code that chooses people and their devices. Entries of the outbox are for one person each; which of
// their devices are served is decided at each attempt, because lists of devices change.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupConversation } from "../model/conversation-id.ts";
import { isUnconfirmed, membersOf, othersIn } from "../model/group-state.ts";
import type { PublishedKeys } from "../model/node-port.ts";
import type { ConversationRecord, OutboxRecord, OutboxTask } from "../model/records.ts";
import type { EngineContext } from "./engine-context.ts";
import { holdsKey, recipientKeys } from "./key-directory.ts";

/** Devices of the person of an entry, or one's own other ones. */
export interface Recipient {
  readonly isOwn: boolean;
  /** Those that have not got it. */
  readonly devices: readonly X25519KeyHex[];
}

/** What the choice of devices needs; `keysOf` looks up what the chain lists. */
export interface RecipientContext extends Pick<EngineContext, "account" | "registry"> {
  readonly keysOf: (person: PublicKeyHex) => Promise<PublishedKeys>;
}

/** `both`: the person and one's own other devices. `person`: who is named, which may be oneself. */
const AUDIENCES: { readonly [K in OutboxTask["kind"]]: "both" | "person" | "peer" | "own" } = {
  message: "both",
  chunk: "both",
  amendment: "both",
  group: "person",
  join: "person",
  inviteLink: "own",
  profile: "both",
  receipt: "peer",
  readMark: "own",
  chatFlags: "own",
  star: "own",
  folders: "own",
  notes: "own",
  sticker: "own",
  fileAsk: "person",
  fileGone: "person",
  fileGot: "person",
  prompt: "person",
  again: "person",
  ask: "person",
  gone: "person",
};

/** People for whom something in a conversation is queued: its person, or each other member of its group and oneself. */
export function peopleOf({ id, group }: Pick<ConversationRecord, "id" | "group">, me: PublicKeyHex): readonly PublicKeyHex[] {
  return group === undefined ? [id] : [...othersIn(group, me), me];
}

/**
 * Devices that an entry is for; undefined when it was written to a group in which its person no longer is.
 * @throws CodedError NO_ENCRYPTION_KEY, DEVICE_NOT_PUBLISHED, or the failure of a look-up.
 */
export async function recipientsOf(context: RecipientContext, record: OutboxRecord): Promise<readonly Recipient[] | undefined> {
  const { account, keysOf } = context;
  const { peer, task, done } = record;
  const me = account.masterPub;
  if (hasLeft(context, record)) return undefined;
  requireConfirmed(context, record);
  if (isNameForBlocked(context, record)) return [];
  const known = AUDIENCES[task.kind];
  const only = "device" in task ? task.device : undefined;
  const audience = known === "both" && (only !== undefined || ("group" in task && task.group !== undefined)) ? "person" : known;
  const theirs = peer !== me && audience !== "own" ? keysOf(peer) : undefined;
  // Asked for together; the own ones decide first.
  theirs?.catch(() => undefined);
  const own = await keysOf(me);
  if (!holdsKey(own, account.devicePub))
    throw new CodedError("DEVICE_NOT_PUBLISHED", "The chain does not list this device yet: sending waits until it does");
  const isPending = (device: X25519KeyHex): boolean => !done.includes(device) && (only === undefined || device === only);
  const isToOwn = audience === "own" || audience === "both" || (audience === "person" && peer === me);
  const recipients: Recipient[] = [];
  if (theirs !== undefined) recipients.push({ isOwn: false, devices: recipientKeys(await theirs).filter(isPending) });
  if (isToOwn) recipients.push({ isOwn: true, devices: own.devices.filter((device) => device !== account.devicePub && isPending(device)) });
  return recipients;
}

/** Nothing that was written to a group leaves for a person who is no longer in it; what is about the group does. */
function hasLeft({ registry, account }: RecipientContext, { peer, task }: OutboxRecord): boolean {
  if (!("group" in task) || task.group === undefined || task.kind === "group" || peer === account.masterPub) return false;
  const { group } = registry.get(groupConversation(task.group.id));
  return group !== undefined && !membersOf(group).includes(peer);
}

/** What was written to a group that came back with a backup waits until its state is known: who was removed since gets nothing. */
function requireConfirmed({ registry, account }: RecipientContext, { task }: OutboxRecord): void {
  if (!("group" in task) || task.group === undefined || task.kind === "group") return;
  const { group } = registry.get(groupConversation(task.group.id));
  if (group !== undefined && isUnconfirmed(group, account.masterPub))
    throw new CodedError("UNAVAILABLE", "Nothing is sent to a restored group before its admin or another own device has sent its state");
}

/** A person who was blocked since it was queued gets no name. */
function isNameForBlocked({ registry }: RecipientContext, { peer, task }: OutboxRecord): boolean {
  return (task.kind === "again" ? task.sent.task : task).kind === "profile" && registry.isBlocked(peer);
}
