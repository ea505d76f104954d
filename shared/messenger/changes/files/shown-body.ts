// What came as a message, as it is stored.
import type { BodyOf, MessageRole, SyncSentBody, UnknownBody } from "#shared/content/content.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { MessageBody } from "../../model/message.ts";
import { storedAttachment, storedLargeFile } from "./files.ts";

/** What a message says, as it comes. */
export type MessageSource = BodyOf<MessageRole> | UnknownBody;

/** True for a file whose chunks the device that sent it is asked for: a large one, or one that may not be where it is stored once. */
export function isHeld(body: MessageSource | SyncSentBody["body"]): boolean {
  return body.kind === "file" || (body.kind === "attachment" && body.boxes !== undefined);
}

/** A body as it is stored. */
export function shownBody(body: MessageSource): { readonly body: MessageBody; readonly raw: string | null } {
  if (body.kind === "attachment") return { body: storedAttachment(body), raw: null };
  if (body.kind === "file") return { body: storedLargeFile(body), raw: null };
  if (body.kind !== "unknown") return { body, raw: null };
  return { body: { kind: "unsupported", name: body.name, fallback: body.fallback }, raw: toHex(body.raw) };
}
