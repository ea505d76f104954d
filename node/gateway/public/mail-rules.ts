// The rules of mailboxes over a view of the database: the same code as over SQLite.
import type { Verify } from "#node/relay/intake/client-mail.ts";
import { MailIntake, type RefusalCode } from "#node/relay/intake/mail-intake.ts";
import type { MailboxLimits } from "#node/relay/mailbox-limits.ts";
import { MailboxRoom, type Postage } from "#node/relay/mailbox-room.ts";
import { MailDeletions } from "#node/relay/owners/mail-deletions.ts";
import { OpenedBoxes } from "#node/relay/owners/opened-boxes.ts";
import type { SignedByOwnersDependencies } from "#node/relay/owners/signed-by-owners.ts";
import type { MailStore } from "#node/storage/mailbox/sharing/mail-store.ts";
import { nothingLoaded } from "#node/storage/mailbox/sharing/postgres/view/loaded-mail.ts";
import { type DayLeases, MailView } from "#node/storage/mailbox/sharing/postgres/view/mail-view.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Clock } from "#shared/util/clock.ts";

export interface MailRulesDependencies {
  readonly chainId: string;
  readonly clock: Clock;
  readonly verify: Verify;
  readonly height: () => number | undefined;
  readonly limits: MailboxLimits;
  readonly postage: Postage | undefined;
  readonly onRefused: (code: RefusalCode) => void;
}

/** Rules over one view. */
export interface ViewRules {
  readonly boxes: OpenedBoxes;
  readonly deletions: MailDeletions;
  readonly intake: MailIntake;
}

const NO_LEASES: DayLeases = { covers: () => false, isUsedUp: () => false };

/** Makes rules. */
export class MailRules {
  readonly #dependencies: MailRulesDependencies;
  readonly #byView = new WeakMap<MailView, ViewRules>();

  constructor(dependencies: MailRulesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Rules over a view; the same for each piece of work in it. */
  of(view: MailView): ViewRules {
    const known = this.#byView.get(view);
    if (known !== undefined) return known;
    const { limits, postage, onRefused } = this.#dependencies;
    const boxes = new OpenedBoxes({ ...this.#owners(view), limits });
    const deletions = new MailDeletions(this.#owners(view));
    const room = new MailboxRoom({ store: view, limits, postage, onEvicted: ignore });
    const rules = { boxes, deletions, intake: new MailIntake({ store: view, room, boxes, deletions, onStored: ignore, onRefused }) };
    this.#byView.set(view, rules);
    return rules;
  }

  /** Judgements that need nothing but the opening of a mailbox. */
  over(opening: BoxOpening | undefined): Pick<ViewRules, "boxes" | "deletions"> {
    const loaded = nothingLoaded({ count: 0, bytes: 0, openBytes: 0 });
    if (opening !== undefined) loaded.openings.set(opening.mailbox, { opening, heldUntilSec: opening.untilSec });
    return this.of(new MailView(loaded, NO_LEASES));
  }

  #owners(store: MailStore): SignedByOwnersDependencies {
    const { chainId, clock, verify, height } = this.#dependencies;
    return { chainId, store, clock, verify, height, isEnabled: true, onChanged: ignore };
  }
}

function ignore(): void {
  // Lists are read anew each time.
}
