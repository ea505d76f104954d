// One notice of the system for what waits for the person, and one for a connection that ended because its token was copied. It names the
// program, opens the settings, and never the window by itself.
import type { AppsOverview } from "#shared/apps/messages/approval-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import { localAmount, type ShellLanguage } from "#shared/text/local-amount.ts";
import type { ShownNotification } from "../windows/notification-center.ts";

export interface AppNoticesOptions {
  /** Shows one; undefined where the system has none. */
  readonly show: (content: { readonly title: string; readonly body: string }) => ShownNotification | undefined;
  readonly preview: () => NotificationPreview;
  readonly language: () => ShellLanguage;
  /** Shows the settings of programs. */
  readonly open: () => void;
}

interface NoticeWords {
  readonly asks: (name: string) => string;
  readonly pays: (name: string, amount: string) => string;
  readonly waits: (name: string) => string;
  readonly copied: (name: string) => string;
  readonly hidden: string;
  readonly copiedHidden: string;
}

const WORDS: Readonly<Record<ShellLanguage, NoticeWords>> = {
  en: {
    asks: (name) => `“${name}” asks to connect.`,
    pays: (name, amount) => `“${name}” wants to spend ${amount}.`,
    waits: (name) => `“${name}” waits until you unlock the wallet.`,
    copied: (name) => `“${name}” was disconnected: its token was used in two places.`,
    hidden: "A program is waiting for you.",
    copiedHidden: "A program was disconnected.",
  },
  de: {
    asks: (name) => `„${name}“ will sich verbinden.`,
    pays: (name, amount) => `„${name}“ will ${amount} ausgeben.`,
    waits: (name) => `„${name}“ wartet, bis du die Wallet entsperrst.`,
    copied: (name) => `„${name}“ wurde getrennt: Sein Token wurde an zwei Stellen benutzt.`,
    hidden: "Ein Programm wartet auf dich.",
    copiedHidden: "Ein Programm wurde getrennt.",
  },
};

/** Shows a notice for each new thing that waits, and takes it away once nothing does. That of a copied token stays. */
export class AppNotices {
  readonly #options: AppNoticesOptions;
  #known: readonly string[] = [];
  /** Connections that were there when it was looked last. */
  #live: readonly string[] = [];
  #shown: ShownNotification | undefined;

  constructor(options: AppNoticesOptions) {
    this.#options = options;
  }

  /** What waits now. */
  update({ request, approvals, waiting: locked, connections, ended }: AppsOverview): void {
    const language = this.#options.language();
    const words = WORDS[language];
    for (const { id, name, wasCopied } of ended)
      if (wasCopied && this.#live.includes(id)) this.#notify(words.copied(name), words.copiedHidden);
    this.#live = connections.map(({ id }) => id);
    const waiting = [
      ...(request === null ? [] : [{ id: request.id, text: words.asks(request.name) }]),
      // One for all that waits for the wallet, of the program that came first.
      ...locked.slice(0, 1).map(({ name }) => ({ id: "wallet", text: words.waits(name) })),
      ...approvals.map(({ id, name, amountUt }) => ({ id, text: words.pays(name, localAmount(amountUt, language)) })),
    ];
    const fresh = waiting.findLast(({ id }) => !this.#known.includes(id));
    this.#known = waiting.map(({ id }) => id);
    if (fresh === undefined && waiting.length > 0) return;
    this.#shown?.close();
    this.#shown = undefined;
    if (fresh !== undefined) this.#shown = this.#notify(fresh.text, words.hidden);
  }

  #notify(text: string, hidden: string): ShownNotification | undefined {
    const preview = this.#options.preview();
    if (preview === "off") return undefined;
    const shown = this.#options.show({ title: "Parley", body: preview === "hidden" ? hidden : text });
    shown?.onClick(this.#options.open);
    return shown;
  }
}
