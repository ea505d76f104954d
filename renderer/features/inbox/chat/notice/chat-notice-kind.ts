// Which note is shown above a chat. Pure.
import type { ContactRelation } from "#renderer/lib/people/contacts/contact-directory.ts";

/** What a note is about. */
export type ChatNoticeKind =
  | "unknown"
  | "blocked"
  | "refused"
  | "devices"
  | "request"
  | "stranger"
  | "noKey"
  | "sent"
  | "added"
  | "notContact";

/** What decides. */
export interface NoticeState {
  readonly header: "person" | "self" | "unknown";
  /** Undefined while the contact lists are unread. */
  readonly status: ContactRelation | undefined;
  /** They have written, nothing was sent to them, and they were not added privately. */
  readonly isStranger: boolean;
  /** Nothing was written yet. */
  readonly isEmpty: boolean;
  /** Undefined while it is unknown. */
  readonly hasKey: boolean | undefined;
  /** Their devices changed after the safety number was compared, and that was not seen to. */
  readonly hasNewDevices: boolean;
}

/** The most important note; undefined between contacts whose devices are the same and where too little is known to say anything. */
export function noticeOf({ header, status, isStranger, isEmpty, hasKey, hasNewDevices }: NoticeState): ChatNoticeKind | undefined {
  if (header === "unknown") return "unknown";
  if (header === "self" || status === undefined) return undefined;
  if (status === "blocked" || status === "refused") return status;
  if (hasNewDevices) return "devices";
  if (status === "request" || status === "declined") return "request";
  if (isStranger && status !== "contact") return "stranger";
  if (hasKey === false) return "noKey";
  return beforeTheyAnswer(status, isEmpty);
}

/** What becomes of a message to someone for whom one may be a stranger. */
function beforeTheyAnswer(status: ContactRelation, isEmpty: boolean): ChatNoticeKind | undefined {
  if (status === "sent") return "sent";
  if (status === "added") return isEmpty ? "added" : undefined;
  return status === "none" ? "notContact" : undefined;
}
