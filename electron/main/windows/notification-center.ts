// Notifications of messages: one for each conversation, replaced as it grows, gone once it is read anywhere.
import type { DesktopNotice } from "#shared/desktop/desktop-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";

/** A shown notification of the system. */
export interface ShownNotification {
  onClick(listener: () => void): void;
  close(): void;
}

export interface NotificationCenterOptions {
  /** Shows one; undefined where the system has none. Texts are shown as they are: no markup. */
  readonly show: (content: { readonly title: string; readonly body: string }) => ShownNotification | undefined;
  readonly preview: () => NotificationPreview;
  /** The person looks at the app right now. */
  readonly isWatched: () => boolean;
  /** Opens the conversation. */
  readonly open: (path: string) => void;
}

interface Shown {
  readonly notification: ShownNotification;
  readonly count: number;
}

/** Notifications that are known to be shown; the oldest goes for a newer one. */
export const MAX_SHOWN_NOTICES = 64;
const MAX_TITLE_CHARS = 80;
const MAX_BODY_CHARS = 200;

/** Keeps track of what is shown. */
export class NotificationCenter {
  readonly #options: NotificationCenterOptions;
  readonly #shown = new Map<string, Shown>();

  constructor(options: NotificationCenterOptions) {
    this.#options = options;
  }

  /** Shows new messages of a conversation, unless the person is looking or wants none. */
  notify(notice: DesktopNotice): void {
    const preview = this.#options.preview();
    if (preview === "off" || this.#options.isWatched()) return;
    const earlier = this.#shown.get(notice.conversation);
    const count = (earlier?.count ?? 0) + 1;
    earlier?.notification.close();
    const notification = this.#options.show(contentOf(notice, preview, count));
    if (notification === undefined) return;
    notification.onClick(() => {
      this.clear(notice.conversation);
      this.#options.open(notice.path);
    });
    this.#shown.delete(notice.conversation);
    this.#shown.set(notice.conversation, { notification, count });
    const [oldest] = this.#shown.keys();
    if (oldest !== undefined && this.#shown.size > MAX_SHOWN_NOTICES) this.clear(oldest);
  }

  /** Takes the notification of a conversation away: it was read, here or on another device. */
  clear(conversation: string): void {
    this.#shown.get(conversation)?.notification.close();
    this.#shown.delete(conversation);
  }

  /** Takes all away. */
  clearAll(): void {
    for (const conversation of [...this.#shown.keys()]) this.clear(conversation);
  }
}

function contentOf(notice: DesktopNotice, preview: NotificationPreview, count: number): { readonly title: string; readonly body: string } {
  const { kind = "message" } = notice;
  const more = count === 1 ? `New ${kind}` : `${count} new ${kind}s`;
  if (preview === "hidden") return { title: "Parley", body: more };
  const title = cut(notice.title, MAX_TITLE_CHARS);
  if (preview === "sender" || count > 1) return { title, body: more };
  return { title, body: cut(notice.body, MAX_BODY_CHARS) };
}

/** One line without control or direction characters, which could make a text look like another's. */
function cut(text: string, length: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join("")}…`;
}
