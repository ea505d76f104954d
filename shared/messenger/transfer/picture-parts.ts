// Pictures that people gave themselves and those of groups, in parts of a backup or of what a linked device gets. Which ones they are is
// beside the names, and in the groups.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Change } from "../changes/change.ts";
import { restoreGroupPicture } from "../changes/chats/group-pictures.ts";
import { restorePicture } from "../changes/chats/profile-pictures.ts";
import type { StoredPicture } from "../changes/chats/stored-picture.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { pictureKey } from "../state/profiles/picture-record.ts";
import { NO_PROFILE, PROFILE_KEY, type ProfileRecord, picturesOf } from "../state/profiles/profile-registry.ts";
import type { LocalStore } from "../store/local-store.ts";

/** With the largest pictures 110 kB. */
const PICTURES_A_PART = 10;

/** Pictures by person, or by the conversation of a group, in base64. */
export interface PicturePart {
  readonly pictures: Readonly<Record<PublicKeyHex | ConversationId, string>>;
}

/** A part, and where the next one begins; undefined at the end. */
export interface FoundPictures extends PicturePart {
  readonly next: number | undefined;
}

/** Pictures from a position on: one's own first. */
export async function picturesAfter(store: LocalStore, me: PublicKeyHex, position: number): Promise<FoundPictures> {
  const { own, of } = picturesOf((await store.readMeta<ProfileRecord>(PROFILE_KEY)) ?? NO_PROFILE);
  const people = [...(own === undefined ? [] : [me]), ...Object.keys(of).sort()];
  return picturesOfOwners(store, people, position);
}

/** Pictures of groups from a position on. */
export async function groupPicturesAfter(store: LocalStore, position: number): Promise<FoundPictures> {
  const groups = (await store.loadConversations()).filter(({ group }) => group?.picture?.isHere === true).map(({ id }) => id);
  return picturesOfOwners(store, groups.sort(), position);
}

async function picturesOfOwners(store: LocalStore, owners: readonly string[], position: number): Promise<FoundPictures> {
  const end = position + PICTURES_A_PART;
  const pictures: Record<string, string> = {};
  for (const owner of owners.slice(position, end)) {
    const stored = await store.readMeta<StoredPicture>(pictureKey(owner));
    if (stored !== undefined && stored.mark !== "") pictures[owner] = stored.data;
  }
  return { pictures, next: end < owners.length ? end : undefined };
}

/** All that are found so; no empty part. */
export async function* pictureParts(find: (position: number) => Promise<FoundPictures>): AsyncGenerator<PicturePart> {
  let position: number | undefined = 0;
  while (position !== undefined) {
    const { pictures, next }: FoundPictures = await find(position);
    if (Object.keys(pictures).length > 0) yield { pictures };
    position = next;
  }
}

/** Takes over those that the names beside them, and groups that are here, mention. */
export async function addPictures(change: Change, me: PublicKeyHex, { pictures }: PicturePart): Promise<void> {
  for (const [owner, data] of Object.entries(pictures))
    if (groupOf(owner) === undefined) await restorePicture(change, owner, me, data);
    else restoreGroupPicture(change, owner, data);
}
