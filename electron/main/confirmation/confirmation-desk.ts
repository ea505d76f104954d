// Asks the person in a window of the shell. One window at a time; a page that asks again and again after a refusal waits ever longer, so
// that no one is worn down into agreeing.
import type { BrowserWindow, WebContents, WebFrameMain } from "electron";
import type { Clock } from "#shared/util/clock.ts";
import { isConfirmationUrl } from "./confirmation-page.ts";
import type { ConfirmationContent, Decision, WindowLanguage } from "./confirmation-types.ts";
import { confirmationContent } from "./confirmation-words.ts";
import { QuestionPauses } from "./question-pauses.ts";

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
  readonly #pauses: QuestionPauses;
  #open: OpenConfirmation | undefined;

  constructor(dependencies: ConfirmationDeskDependencies) {
    this.#dependencies = dependencies;
    this.#pauses = new QuestionPauses(dependencies.clock);
  }

  /** True when the person agreed to exactly this decision. */
  async ask(decision: Decision): Promise<boolean> {
    const { openWindow, language } = this.#dependencies;
    if (this.#open !== undefined || this.#pauses.waitMs > 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const window = openWindow();
    this.#open = { window, content: confirmationContent(decision, language()), resolve };
    window.once("closed", () => resolve(false));
    const isAgreed = await promise;
    this.#open = undefined;
    if (!window.isDestroyed()) window.close();
    this.#pauses.count(isAgreed);
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
}
