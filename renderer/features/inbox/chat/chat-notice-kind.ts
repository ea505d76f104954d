// Which note is shown above a chat. Pure.
import type { ContactRelation } from "#renderer/lib/people/contacts/contact-directory.ts";

/** What a note is about. */
export type ChatNoticeKind = "unknown" | "blocked" | "refused" | "request" | "stranger" | "noKey" | "sent" | "notContact";

/** What decides. */
export interface NoticeState {
  readonly header: "person" | "self" | "unknown";
  /** Undefined while the contact lists are unread. */
  readonly status: ContactRelation | undefined;
  /** They have written, and nothing was sent to them. */
  readonly isStranger: boolean;
  /** Undefined while it is unknown. */
  readonly hasKey: boolean | undefined;
}

/** The most important note; undefined between contacts and where too little is known to say anything. */
export function noticeOf({ header, status, isStranger, hasKey }: NoticeState): ChatNoticeKind | undefined {
  if (header === "unknown") return "unknown";
  if (header === "self" || status === undefined) return undefined;
  if (status === "blocked" || status === "refused") return status;
  if (status === "request" || status === "declined") return "request";
  if (isStranger && status !== "contact") return "stranger";
  if (hasKey === false) return "noKey";
  if (status === "sent") return "sent";
  return status === "none" ? "notContact" : undefined;
}
