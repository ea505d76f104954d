// Pictures that people gave themselves, in parts of a backup or of what a linked device gets. Which ones they are is beside the names.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Change } from "../changes/change.ts";
import { restorePicture, type StoredPicture } from "../changes/chats/profile-pictures.ts";
import { pictureKey } from "../state/profiles/picture-record.ts";
import { NO_PROFILE, PROFILE_KEY, type ProfileRecord, picturesOf } from "../state/profiles/profile-registry.ts";
import type { LocalStore } from "../store/local-store.ts";

/** With the largest pictures 110 kB. */
const PICTURES_A_PART = 10;

/** Pictures by person, in base64. */
export interface PicturePart {
  readonly pictures: Readonly<Record<PublicKeyHex, string>>;
}

/** A part, and where the next one begins; undefined at the end. */
export interface FoundPictures extends PicturePart {
  readonly next: number | undefined;
}

/** Pictures from a position on: one's own first. */
export async function picturesAfter(store: LocalStore, me: PublicKeyHex, position: number): Promise<FoundPictures> {
  const { own, of } = picturesOf((await store.readMeta<ProfileRecord>(PROFILE_KEY)) ?? NO_PROFILE);
  const people = [...(own === undefined ? [] : [me]), ...Object.keys(of).sort()];
  const end = position + PICTURES_A_PART;
  const pictures: Record<PublicKeyHex, string> = {};
  for (const person of people.slice(position, end)) {
    const stored = await store.readMeta<StoredPicture>(pictureKey(person));
    if (stored !== undefined && stored.mark !== "") pictures[person] = stored.data;
  }
  return { pictures, next: end < people.length ? end : undefined };
}

/** All of them; no empty part. */
export async function* pictureParts(store: LocalStore, me: PublicKeyHex): AsyncGenerator<PicturePart> {
  let position: number | undefined = 0;
  while (position !== undefined) {
    const { pictures, next }: FoundPictures = await picturesAfter(store, me, position);
    if (Object.keys(pictures).length > 0) yield { pictures };
    position = next;
  }
}

/** Takes over those that the names beside them mention. */
export async function addPictures(change: Change, me: PublicKeyHex, { pictures }: PicturePart): Promise<void> {
  for (const [person, data] of Object.entries(pictures)) await restorePicture(change, person, me, data);
}
