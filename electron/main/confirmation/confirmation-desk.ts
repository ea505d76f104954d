// Asks the person in a window of the shell. One window at a time; a page that asks again and again after a refusal waits ever longer, so
// that no one is worn down into agreeing.
import type { BrowserWindow, WebContents, WebFrameMain } from "electron";
import type { Clock } from "#shared/util/clock.ts";
import { isConfirmationUrl } from "./confirmation-page.ts";
import type { ConfirmationContent, Decision, WindowLanguage } from "./confirmation-types.ts";
import { confirmationContent } from "./confirmation-words.ts";

/** Refusals in a row that cost no pause. */
export const FREE_REFUSALS = 2;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 600_000;

export interface ConfirmationDeskDependencies {
  /** Makes the window and loads its document. */
  readonly openWindow: () => BrowserWindow;
  readonly language: () => WindowLanguage;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Who calls: the window's preload script, or something else. */
export interface ConfirmationCaller {
  readonly sender: WebContents;
  readonly senderFrame: WebFrameMain | null;
}

interface OpenConfirmation {
  readonly window: BrowserWindow;
  readonly content: ConfirmationContent;
  readonly resolve: (isAgreed: boolean) => void;
}

/** The only place where windows of this kind are opened and answered. */
export class ConfirmationDesk {
  readonly #dependencies: ConfirmationDeskDependencies;
  #open: OpenConfirmation | undefined;
  #refusals = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: ConfirmationDeskDependencies) {
    this.#dependencies = dependencies;
  }

  /** True when the person agreed to exactly this decision. */
  async ask(decision: Decision): Promise<boolean> {
    const { openWindow, language, clock } = this.#dependencies;
    if (this.#open !== undefined || clock.monotonicMs() < this.#pausedUntilMs) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const window = openWindow();
    this.#open = { window, content: confirmationContent(decision, language()), resolve };
    window.once("closed", () => resolve(false));
    const isAgreed = await promise;
    this.#open = undefined;
    if (!window.isDestroyed()) window.close();
    this.#count(isAgreed);
    return isAgreed;
  }

  /** What the window shows; nothing for any other caller. */
  content(caller: ConfirmationCaller): ConfirmationContent | null {
    return this.#isOwn(caller) ? (this.#open?.content ?? null) : null;
  }

  /** The person's answer, from the window alone. */
  answer(caller: ConfirmationCaller, isAgreed: unknown): void {
    if (this.#isOwn(caller)) this.#open?.resolve(isAgreed === true);
  }

  /** Ends what is open, unanswered: the app is closing. */
  close(): void {
    this.#open?.resolve(false);
  }

  #isOwn({ sender, senderFrame }: ConfirmationCaller): boolean {
    const isTop = senderFrame !== null && senderFrame.parent === null && isConfirmationUrl(senderFrame.url);
    return isTop && this.#open?.window.webContents === sender;
  }

  #count(isAgreed: boolean): void {
    this.#refusals = isAgreed ? 0 : this.#refusals + 1;
    if (this.#refusals <= FREE_REFUSALS) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (this.#refusals - FREE_REFUSALS - 1), MAX_PAUSE_MS);
    this.#pausedUntilMs = this.#dependencies.clock.monotonicMs() + pauseMs;
  }
}
