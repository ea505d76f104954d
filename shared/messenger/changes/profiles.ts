// Sends one's own name and picture to contacts and receives theirs. They alone cause no message: they go with the next one.
import { isProfileName, MAX_PROFILE_NAME_CHARS } from "#shared/content/profile-name.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { newId, type OutboxRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { needsOwnPicture, withoutPictureSent, withPictureSent } from "../state/profiles/picture-record.ts";
import {
  type ChosenName,
  needsOwnName,
  type ProfileRecord,
  picturesOf,
  withName,
  withNameSent,
  withOwn,
  withoutNameSent,
  withPictures,
} from "../state/profiles/profile-registry.ts";
import { Change } from "./change.ts";

/** Changes one's own name on all own devices; "" takes it back. @throws CodedError BAD_REQUEST. */
export async function setOwnName(context: EngineContext, text: string): Promise<void> {
  const name = text.trim();
  if (!isProfileName(name))
    throw new CodedError("BAD_REQUEST", `A name has at most ${MAX_PROFILE_NAME_CHARS} characters, none of them invisible`, {
      details: { field: "name" },
    });
  const { account, clock, random, writer } = context;
  await writer.run(async () => {
    const change = new Change(context);
    const before = change.profile;
    if (before.own.name === name) return;
    const own: ChosenName = { name, at: Math.max(clock.nowMs(), before.own.at + 1) };
    change.putProfile(withOwn(before, own));
    change.queue(account.masterPub, { kind: "profile", id: newId(random), ...own });
    await change.commit();
  });
}

/** With a message to a contact go one's name and picture, if they have not received them. */
export function queueOwnProfile(
  { registry, random }: Pick<EngineContext, "registry" | "random">,
  change: Change,
  conversation: ConversationId,
): void {
  const record = change.profile;
  const isContact = groupOf(conversation) === undefined && registry.isContact(conversation);
  const pictures = picturesOf(record);
  const picture = isContact && needsOwnPicture(pictures, conversation) ? pictures.own : undefined;
  if (!isContact || !(picture !== undefined || needsOwnName(record, conversation))) return;
  change.queue(conversation, { kind: "profile", id: newId(random), ...record.own, ...(picture && { picture }) });
  change.putProfile(withSent(withNameSent(record, conversation, record.own.at), conversation, picture?.at));
}

/** The name of a person. */
export function storeName(change: Change, from: PublicKeyHex, chosen: ChosenName): void {
  change.putProfile(withName(change.profile, from, { chosen, isStranger: (person) => change.isStranger(person) }));
}

/** Another own device has changed the own name, or sent it to a contact, with a picture of that time. */
export function storeOwnName(
  change: Change,
  peer: PublicKeyHex,
  { me, chosen, pictureAt }: { readonly me: PublicKeyHex; readonly chosen: ChosenName; readonly pictureAt?: number | undefined },
): void {
  const record = withOwn(change.profile, chosen);
  change.putProfile(peer === me ? record : withSent(withNameSent(record, peer, chosen.at), peer, pictureAt));
}

/** A name or picture that is no longer sent goes with a later message. */
export function forgetUnsentProfile(change: Change, { peer, task }: OutboxRecord): void {
  if (task.kind !== "profile") return;
  const record = withoutNameSent(change.profile, peer, task.at);
  const { picture } = task;
  change.putProfile(picture === undefined ? record : withPictures(record, withoutPictureSent(picturesOf(record), peer, picture.at)));
}

function withSent(record: ProfileRecord, person: PublicKeyHex, pictureAt: number | undefined): ProfileRecord {
  return pictureAt === undefined ? record : withPictures(record, withPictureSent(picturesOf(record), person, pictureAt));
}
