// Stores pictures that people give themselves: one's own, and those of others. Loaded when there is one.
import type { ProfilePicture } from "#shared/content/chat/picture-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromBase64, toBase64, toHex } from "#shared/util/bytes.ts";
import { type ChosenPicture, newId } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { pictureKey, withOwnPicture, withPicture } from "../../state/profiles/picture-record.ts";
import { picturesOf, withPictures } from "../../state/profiles/profile-registry.ts";
import { Change } from "../change.ts";
import { isPicture, putPicture, requirePicture, type StoredPicture } from "./stored-picture.ts";

const MARK_BYTES = 8;

/** Changes one's own picture on all own devices; no bytes take it back. @throws CodedError BAD_REQUEST. */
export async function setOwnPicture(context: EngineContext, data: Uint8Array): Promise<void> {
  requirePicture(data);
  const { account, clock, random, store, writer } = context;
  const mark = await markOf(data);
  await writer.run(async () => {
    const change = new Change(context);
    const before = picturesOf(change.profile);
    // After a backup from a moment when it changed only the mark may be here: then it is taken again, and all get it.
    const stored = await store.readMeta<StoredPicture>(pictureKey(account.masterPub));
    if ((before.own?.mark ?? "") === mark && (stored?.mark ?? "") === mark) return;
    const picture: ChosenPicture = { mark, at: Math.max(clock.nowMs(), (before.own?.at ?? 0) + 1) };
    change.putProfile(withPictures(change.profile, withOwnPicture(before, picture)));
    putBytes(change, account.masterPub, mark, data);
    change.queue(account.masterPub, { kind: "profile", id: newId(random), ...change.profile.own, picture });
    await change.commit();
  });
}

/** Another own device has changed the own picture. */
export async function storeOwnPicture(change: Change, me: PublicKeyHex, picture: ProfilePicture): Promise<void> {
  const chosen = await chosenOf(picture);
  if (chosen === undefined || picture.data === undefined) return;
  const before = picturesOf(change.profile);
  const after = withOwnPicture(before, chosen);
  if (after === before) return;
  change.putProfile(withPictures(change.profile, after));
  putBytes(change, me, chosen.mark, picture.data);
}

/** The picture of a person. What is none that may be shown is not taken. */
export async function storePicture(change: Change, from: PublicKeyHex, picture: ProfilePicture): Promise<void> {
  const chosen = await chosenOf(picture);
  if (chosen === undefined || picture.data === undefined) return;
  const before = picturesOf(change.profile);
  const after = withPicture(before, from, { chosen, isStranger: (person) => change.isStranger(person) });
  if (after === before) return;
  change.putProfile(withPictures(change.profile, after));
  putBytes(change, from, chosen.mark, picture.data);
}

/** Bytes that came with a backup or from another own device, where the picture of that person is theirs. */
export async function restorePicture(change: Change, person: PublicKeyHex, me: PublicKeyHex, data: string): Promise<void> {
  const { own, of } = picturesOf(change.profile);
  const bytes = fromBase64(data);
  const mark = await markOf(bytes);
  if (isPicture(bytes) && (person === me ? own : of[person])?.mark === mark) putBytes(change, person, mark, bytes);
}

/** The bytes of the picture of a person, or of a group by its conversation; undefined where there is none. */
export async function readPicture({ store }: Pick<EngineContext, "store">, owner: PublicKeyHex): Promise<Uint8Array | undefined> {
  const stored = await store.readMeta<StoredPicture>(pictureKey(owner));
  return stored === undefined || stored.mark === "" ? undefined : fromBase64(stored.data);
}

function putBytes(change: Change, person: PublicKeyHex, mark: string, data: Uint8Array): void {
  putPicture(change, person, { mark, data: toBase64(data) });
}

async function chosenOf({ at, data }: ProfilePicture): Promise<ChosenPicture | undefined> {
  return data === undefined || (data.length > 0 && !isPicture(data)) ? undefined : { mark: await markOf(data), at };
}

async function markOf(data: Uint8Array): Promise<string> {
  if (data.length === 0) return "";
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(data)))).slice(0, 2 * MARK_BYTES);
}
