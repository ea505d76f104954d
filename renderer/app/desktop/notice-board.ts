// Notices that a browser shows: one for each conversation, replaced as it grows, gone once it is read. Without words of its own.
import type { DesktopNotice } from "#shared/desktop/desktop-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import type { NoticePort } from "./notice-port.ts";

/** A shown notice. */
export interface ShownNotice {
  onClick(listener: () => void): void;
  close(): void;
}

/** What a notice says. */
export interface NoticeContent {
  readonly title: string;
  readonly body: string;
  /** Equal ones replace each other. */
  readonly tag: string;
}

export interface NoticeBoardOptions {
  readonly show: (content: NoticeContent) => ShownNotice | undefined;
  readonly preview: () => NotificationPreview;
  /** The person looks at the page right now. */
  readonly isWatched: () => boolean;
  /** Another tab of this browser runs the messenger, and shows what arrives. */
  readonly isElsewhere: () => boolean;
  readonly open: (path: string) => void;
  /** What is said instead of words that are not to be seen: so many of this kind. */
  readonly instead: (kind: NoticeKind, count: number) => string;
}

export type NoticeKind = NonNullable<DesktopNotice["kind"]>;

/** Notices that are known to be shown; the oldest goes for a newer one. */
export const MAX_SHOWN_NOTICES = 64;
const MAX_TITLE_CHARS = 80;
const MAX_BODY_CHARS = 200;

/** A board that is empty. */
export function createNoticeBoard({ show, preview, isWatched, isElsewhere, open, instead }: NoticeBoardOptions): NoticePort {
  const shown = new Map<string, { readonly notice: ShownNotice; readonly count: number }>();
  const clear = (conversation: string): void => {
    shown.get(conversation)?.notice.close();
    shown.delete(conversation);
  };
  return {
    clear,
    show: ({ conversation, path, title, body, kind = "message" }): void => {
      const chosen = preview();
      if (chosen === "off" || isWatched() || isElsewhere()) return;
      const count = (shown.get(conversation)?.count ?? 0) + 1;
      const isWhole = chosen === "message" && count === 1;
      const notice = show({
        tag: conversation,
        title: chosen === "hidden" ? "Parley" : cut(title, MAX_TITLE_CHARS),
        body: isWhole ? cut(body, MAX_BODY_CHARS) : instead(kind, count),
      });
      if (notice === undefined) return;
      notice.onClick(() => {
        clear(conversation);
        open(path);
      });
      shown.delete(conversation);
      shown.set(conversation, { notice, count });
      const [oldest] = shown.keys();
      if (oldest !== undefined && shown.size > MAX_SHOWN_NOTICES) clear(oldest);
    },
  };
}

/** One line without control or direction characters, which could make a text look like another's. */
function cut(text: string, length: number): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}
