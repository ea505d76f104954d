// Pictures of people and groups, as they are stored: which ones are taken, and where their bytes lie.
import { MAX_PROFILE_PICTURE_BYTES } from "#shared/content/chat/picture-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { shownProfilePicture } from "#shared/media/shown-image.ts";
import { pictureKey } from "../../state/profiles/picture-record.ts";
import type { Change } from "../change.ts";

/** The bytes of a picture, as they are stored and transferred. */
export interface StoredPicture {
  readonly mark: string;
  /** Base64. */
  readonly data: string;
}

/** True for what may be the picture of a person or a group. */
export function isPicture(data: Uint8Array): boolean {
  return data.length <= MAX_PROFILE_PICTURE_BYTES && shownProfilePicture(data) !== undefined;
}

/** @throws CodedError BAD_REQUEST for bytes that are no such picture; none take one back. */
export function requirePicture(data: Uint8Array): void {
  if (data.length > 0 && !isPicture(data))
    throw new CodedError("BAD_REQUEST", `A picture is a WebP of at most 128 pixels a side and ${MAX_PROFILE_PICTURE_BYTES} bytes`, {
      details: { field: "data" },
    });
}

/** Stores the picture of a person, or of a group by its conversation. */
export function putPicture(change: Change, owner: string, picture: StoredPicture): void {
  change.batch.putMeta(pictureKey(owner), picture);
}
