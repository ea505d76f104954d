// The window in which a person lets programs in and agrees to what is above a limit: one at a time, opened by a click, for what waits. The
// keyring gives it a port of its own; the shell sees nothing of what passes there.
import type { BrowserWindow, MessageChannelMain, MessagePortMain, WebContents, WebFrameMain } from "electron";
import type { AppsOverview } from "#shared/apps/messages/approval-api.ts";
import { APPROVAL_MOVED_CHANNEL, APPROVAL_PORT_CHANNEL } from "#shared/desktop/channels.ts";
import type { OfferedPerson } from "#shared/desktop/desktop-apps.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { isApprovalUrl } from "../confirmation/approval-page.ts";
import { QuestionPauses } from "../confirmation/question-pauses.ts";

export interface ApprovalWindowDependencies {
  /** Makes the window and loads its document. */
  readonly openWindow: () => BrowserWindow;
  readonly createChannel: () => MessageChannelMain;
  /** Gives the keyring its end of the window's port. */
  readonly connectKeyring: (port: MessagePortMain) => void;
  readonly language: () => "en" | "de";
  /** What the keyring says now, and what it said last. */
  readonly read: () => Promise<AppsOverview>;
  readonly last: () => AppsOverview;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Who calls: the window's preload script, or something else. */
export interface ApprovalCaller {
  readonly sender: WebContents;
  readonly senderFrame: WebFrameMain | null;
}

interface Open {
  readonly window: BrowserWindow;
  readonly people: readonly OfferedPerson[];
}

/** The only place where the window is opened. */
export class ApprovalWindow {
  readonly #dependencies: ApprovalWindowDependencies;
  readonly #pauses: QuestionPauses;
  #open: Open | undefined;

  constructor(dependencies: ApprovalWindowDependencies) {
    this.#dependencies = dependencies;
    this.#pauses = new QuestionPauses(dependencies.clock);
  }

  /** Shows the window; false when nothing waits. @throws CodedError RATE_LIMITED after it was closed too often without a decision. */
  async open(people: readonly OfferedPerson[]): Promise<boolean> {
    const before = await this.#dependencies.read();
    if (this.#open !== undefined) {
      this.#open.window.focus();
      return true;
    }
    if (keysOf(before).length === 0) return false;
    const { waitMs } = this.#pauses;
    if (waitMs > 0) throw new CodedError("RATE_LIMITED", `This window was closed again and again: wait ${Math.ceil(waitMs / 1_000)} s`);
    const window = this.#dependencies.openWindow();
    this.#open = { window, people };
    window.on("move", () => window.webContents.send(APPROVAL_MOVED_CHANNEL));
    window.once("closed", () => {
      this.#open = undefined;
      void this.#count(before);
    });
    return true;
  }

  /** The window's document is there: it gets its port. */
  ready(caller: ApprovalCaller): void {
    if (this.#open === undefined || !this.#isOwn(caller)) return;
    const { createChannel, connectKeyring, language } = this.#dependencies;
    const { port1, port2 } = createChannel();
    connectKeyring(port1);
    caller.sender.postMessage(APPROVAL_PORT_CHANNEL, { language: language(), people: this.#open.people }, [port2]);
  }

  /** The window has nothing more to show, or the person closes it by a key. */
  closedBy(caller: ApprovalCaller): void {
    if (this.#isOwn(caller)) this.close();
  }

  /** Closes it, undecided: the keyring has started again, or the app ends. */
  close(): void {
    this.#open?.window.close();
  }

  #isOwn({ sender, senderFrame }: ApprovalCaller): boolean {
    const isTop = senderFrame !== null && senderFrame.parent === null && isApprovalUrl(senderFrame.url);
    return isTop && this.#open?.window.webContents === sender;
  }

  /** Something was decided when it no longer waits. */
  async #count(before: AppsOverview): Promise<void> {
    const { read, last } = this.#dependencies;
    const after = keysOf(await read().catch(last));
    this.#pauses.count(keysOf(before).some((key) => !after.includes(key)));
  }
}

/** What stands for each thing that waits. */
function keysOf({ request, approvals, connections }: AppsOverview): readonly string[] {
  return [
    ...(request === null ? [] : [request.id]),
    ...approvals.map(({ id }) => id),
    ...connections.filter(({ isResting }) => isResting).map(({ id }) => id),
  ];
}
