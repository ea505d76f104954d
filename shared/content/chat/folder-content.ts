// Folders of chats, which a person names and orders for themselves. Which chats are in one, the chats know. Pure.
import { utf8Length } from "#shared/util/bytes.ts";

/** Most folders. */
export const MAX_FOLDERS = 20;
/** Longest name of a folder, UTF-8 bytes. */
export const MAX_FOLDER_NAME_BYTES = 64;

/** Bytes of the id of a folder. */
export const FOLDER_ID_BYTES = 8;

/** A folder. */
export interface ChatFolder {
  /** Hex of 8 random bytes. */
  readonly id: string;
  readonly name: string;
}

/** To one's own other devices: all folders in their order. The latest counts. */
export interface SyncFoldersBody {
  readonly kind: "sync.folders";
  readonly folders: readonly ChatFolder[];
}

/** All folders, as they are stored. */
export interface FoldersRecord {
  readonly folders: readonly ChatFolder[];
  /** When they were changed, milliseconds since 1970: the latest holds, on all own devices. */
  readonly at: number;
}

/** Before any folder is made. */
export const NO_FOLDERS: FoldersRecord = { folders: [], at: 0 };

/** The later of two states; of one moment the greater one, so that all devices end with the same. */
export function laterFolders(known: FoldersRecord, next: FoldersRecord): FoldersRecord {
  if (next.at !== known.at) return next.at > known.at ? next : known;
  return JSON.stringify(next.folders) > JSON.stringify(known.folders) ? next : known;
}

/** True for a name that a folder can have. */
export function isFolderName(name: string): boolean {
  return name.trim() !== "" && utf8Length(name.trim()) <= MAX_FOLDER_NAME_BYTES;
}
