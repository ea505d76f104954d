// The picture of a group: its log names it by hash, its bytes travel and are stored beside that. Loaded with the first group.
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { GroupRecord } from "../../model/group-state.ts";
import type { ConversationId } from "../../model/message.ts";
import type { Change } from "../change.ts";
import { isPicture, putPicture, requirePicture } from "./stored-picture.ts";

/** What comes to a group that is about to be stored. */
export interface PicturedGroup {
  /** As it was; undefined for one that was not known. */
  readonly before: GroupRecord | undefined;
  readonly group: GroupRecord;
  /** Base64 of what may be its picture. */
  readonly data: string | undefined;
}

/** Hex of SHA-256 of a picture; "" for no bytes. @throws CodedError BAD_REQUEST for what is no picture of a group. */
export function hashOfPicture(data: Uint8Array): string {
  requirePicture(data);
  return data.length === 0 ? "" : toHex(sha256(data));
}

/** The group as it is to be stored: with its picture, where the bytes are that one. Bytes of a picture that was removed go. */
export function takePicture(change: Change, conversation: ConversationId, { before, group, data }: PicturedGroup): GroupRecord {
  const { picture } = group;
  if (picture === undefined) {
    if (before?.picture !== undefined) putPicture(change, conversation, { mark: "", data: "" });
    return group;
  }
  const bytes = picture.isHere || data === undefined ? undefined : tryFromBase64(data);
  if (data === undefined || bytes === undefined || !isPicture(bytes) || toHex(sha256(bytes)) !== picture.hash) return group;
  putPicture(change, conversation, { mark: picture.hash, data });
  return { ...group, picture: { ...picture, isHere: true } };
}

/** The picture that goes along with the log, as a field of a task: none where its bytes are not here. */
export function pictureToSend({ picture }: GroupRecord): { readonly picture?: string } {
  return picture?.isHere === true ? { picture: picture.hash } : {};
}

/** Bytes that came with a backup or from another own device, where they are the picture of that group. */
export function restoreGroupPicture(change: Change, conversation: ConversationId, data: string): void {
  const { group } = change.conversation(conversation);
  if (group === undefined) return;
  const pictured = takePicture(change, conversation, { before: group, group, data });
  if (pictured !== group) change.updateConversation(conversation, { group: pictured });
}

/** A group of another device: the bytes of its picture are not here yet. */
export function withoutPictureBytes(group: GroupRecord): GroupRecord {
  const { picture } = group;
  return picture === undefined ? group : { ...group, picture: { hash: picture.hash, isHere: false, askedOf: [] } };
}
