// One notice of the system for what waits for the person. It names the program, opens the settings, and never the window by itself.
import type { AppsOverview } from "#shared/apps/messages/approval-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { ShownNotification } from "../windows/notification-center.ts";

export interface AppNoticesOptions {
  /** Shows one; undefined where the system has none. */
  readonly show: (content: { readonly title: string; readonly body: string }) => ShownNotification | undefined;
  readonly preview: () => NotificationPreview;
  readonly language: () => "en" | "de";
  /** Shows the settings of programs. */
  readonly open: () => void;
}

interface NoticeWords {
  readonly asks: (name: string) => string;
  readonly pays: (name: string, amount: string) => string;
  readonly hidden: string;
}

const WORDS: Readonly<Record<"en" | "de", NoticeWords>> = {
  en: {
    asks: (name) => `“${name}” asks to connect.`,
    pays: (name, amount) => `“${name}” wants to spend ${amount}.`,
    hidden: "A program waits for you.",
  },
  de: {
    asks: (name) => `„${name}“ will sich verbinden.`,
    pays: (name, amount) => `„${name}“ will ${amount} ausgeben.`,
    hidden: "Ein Programm wartet auf dich.",
  },
};

/** Shows a notice for each new thing that waits, and takes it away once nothing does. */
export class AppNotices {
  readonly #options: AppNoticesOptions;
  #known: readonly string[] = [];
  #shown: ShownNotification | undefined;

  constructor(options: AppNoticesOptions) {
    this.#options = options;
  }

  /** What waits now. */
  update({ request, approvals }: AppsOverview): void {
    const words = WORDS[this.#options.language()];
    const waiting = [
      ...(request === null ? [] : [{ id: request.id, text: words.asks(request.name) }]),
      ...approvals.map(({ id, name, amountUt }) => ({ id, text: words.pays(name, formatAmount(amountUt)) })),
    ];
    const fresh = waiting.findLast(({ id }) => !this.#known.includes(id));
    this.#known = waiting.map(({ id }) => id);
    if (fresh === undefined && waiting.length > 0) return;
    this.#shown?.close();
    this.#shown = undefined;
    if (fresh !== undefined) this.#show(fresh.text, words);
  }

  #show(text: string, words: NoticeWords): void {
    const preview = this.#options.preview();
    if (preview === "off") return;
    this.#shown = this.#options.show({ title: "Parley", body: preview === "hidden" ? words.hidden : text });
    this.#shown?.onClick(this.#options.open);
  }
}
