// Which note stands above a chat. Pure.
import type { ContactRelation } from "#renderer/lib/people/contacts/contact-directory.ts";

/** What a note is about. */
export type ChatNoticeKind = "unknown" | "blocked" | "refused" | "request" | "stranger" | "noKey" | "sent" | "notContact";

/** What decides. */
export interface NoticeFacts {
  readonly face: "person" | "self" | "unknown";
  /** Undefined while the contact lists are unread. */
  readonly standing: ContactRelation | undefined;
  /** They have written, and nothing was sent to them. */
  readonly isStranger: boolean;
  /** Undefined while it is unknown. */
  readonly hasKey: boolean | undefined;
}

/** The most important note; undefined between contacts and where too little is known to say anything. */
export function noticeOf({ face, standing, isStranger, hasKey }: NoticeFacts): ChatNoticeKind | undefined {
  if (face === "unknown") return "unknown";
  if (face === "self" || standing === undefined) return undefined;
  if (standing === "blocked" || standing === "refused") return standing;
  if (standing === "request" || standing === "declined") return "request";
  if (isStranger && standing !== "contact") return "stranger";
  if (hasKey === false) return "noKey";
  if (standing === "sent") return "sent";
  return standing === "none" ? "notContact" : undefined;
}
