// Name and picture that the lock screen may show, as the person allowed it: a copy beside the vault, readable without the password. It is in
// localStorage only while that is allowed.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";

/** Name under which the copy is stored. */
export const LOCK_FACE_KEY = "parley.lockFace";
/** Longest name, characters: names in messages are shorter, published ones too. */
const MAX_NAME_CHARS = 128;
/** Longest picture: 8 kB in base64, with its type before. Larger ones are no profile pictures. */
const MAX_PICTURE_CHARS = 12_000;
const PICTURE = /^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/;

/** Whom the lock screen shows. */
export interface LockFace {
  readonly account: PublicKeyHex;
  /** Not empty. */
  readonly name: string;
  /** As an address; undefined where that of the key stands for it. */
  readonly picture: string | undefined;
}

/** Stores a face instead of an earlier one; undefined removes it. A browser without room shows none. */
export function storeLockFace(face: LockFace | undefined): void {
  try {
    if (face === undefined) removeFace();
    else localStorage.setItem(LOCK_FACE_KEY, JSON.stringify(face));
  } catch {
    removeFace();
  }
}

/** An older face would be of an earlier name. Where the browser lets no one store, there is none. */
function removeFace(): void {
  try {
    localStorage.removeItem(LOCK_FACE_KEY);
  } catch {
    // Nothing is stored there.
  }
}

/** The face of an account; undefined where none is stored, and for what is none: the storage is open to what runs on this computer. */
export function readLockFace(account: PublicKeyHex | undefined): LockFace | undefined {
  if (account === undefined) return undefined;
  try {
    return faceOf(JSON.parse(localStorage.getItem(LOCK_FACE_KEY) ?? "null"), account);
  } catch {
    return undefined;
  }
}

function faceOf(stored: unknown, account: PublicKeyHex): LockFace | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { account: theirs, name, picture } = stored as Readonly<Record<string, unknown>>;
  if (theirs !== account || typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS) return undefined;
  const isPicture = typeof picture === "string" && picture.length <= MAX_PICTURE_CHARS && PICTURE.test(picture);
  return { account, name: visibleText(name), picture: isPicture ? picture : undefined };
}
