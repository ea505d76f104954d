// One notice of the system for what waits for the person, and one for a copied token.
import { describe, expect, it } from "vitest";
import { AppNotices, type AppNoticesOptions } from "#electron/main/apps/app-notices.ts";
import { NOTHING_KNOWN } from "#electron/main/apps/keyring-apps.ts";
import type { AppsOverview, WaitingApproval } from "#shared/apps/messages/approval-api.ts";
import type { NotificationPreview } from "#shared/desktop/desktop-settings.ts";
import type { ShellLanguage } from "#shared/text/local-amount.ts";

const REQUEST = { id: "r1", name: "Till", reason: "", scopes: ["read"], names: [], needsPassword: false, expiresAtMs: 600_000 };
const ORDER: WaitingApproval = {
  ...{ id: "o1", connection: "c1", name: "Till", action: "pay", subject: "pl1bob", recipientName: null, publicText: null },
  ...{ amountUt: 3_500_000, totalUt: 3_501_000, eachUt: 2_000_000, periodUt: 10_000_000, period: "day", leftUt: 4_000_000, expiresAtMs: 1 },
};
const OPEN: AppsOverview = { ...NOTHING_KNOWN, lock: "unlocked" };
const LOCKED: AppsOverview = { ...NOTHING_KNOWN, lock: "walletLocked" };
const ASKED: AppsOverview = { ...OPEN, request: REQUEST };
const LIVE: AppsOverview = {
  ...OPEN,
  connections: [
    {
      ...{ id: "c1", name: "Till", scopes: [], chosen: [], left: [], createdAtMs: 0, expiresAtMs: 1, isResting: false },
      ...{ lastUsedMs: null, silencedUntilMs: null },
    },
  ],
};
const ended = (wasCopied: boolean): AppsOverview => ({ ...OPEN, ended: [{ id: "c1", name: "Till", endedAtMs: 1, wasCopied }] });

interface Notices {
  readonly center: AppNotices;
  /** Words of those that are shown now. */
  readonly shown: string[];
  /** Presses on each that was ever shown. */
  readonly press: (() => void)[];
  /** How often the settings were opened. */
  opened: number;
}

function notices(preview: NotificationPreview = "message", language: ShellLanguage = "en"): Notices {
  const shown: string[] = [];
  const press: (() => void)[] = [];
  const made: Omit<Notices, "center"> = { shown, press, opened: 0 };
  const show: AppNoticesOptions["show"] = ({ body }) => {
    shown.push(body);
    return {
      onClick: (listener): void => void press.push(listener),
      close: (): void => void shown.splice(shown.indexOf(body), 1),
    };
  };
  const open = (): void => {
    made.opened += 1;
  };
  const center = new AppNotices({ show, open, preview: (): NotificationPreview => preview, language: (): ShellLanguage => language });
  return Object.assign(made, { center });
}

describe("the notice of what waits", () => {
  it("is one, of what came last, and goes when nothing waits", () => {
    const { shown, center } = notices();
    center.update(ASKED);
    expect(shown).toEqual(["“Till” asks to connect."]);
    center.update(ASKED);
    expect(shown).toHaveLength(1);
    center.update({ ...ASKED, approvals: [ORDER] });
    expect(shown).toEqual(["“Till” wants to spend 3.5 T."]);
    center.update({ ...ASKED, approvals: [ORDER, { ...ORDER, id: "o2", name: "Robot" }, { ...ORDER, id: "o3", name: "Meter" }] });
    expect(shown).toEqual(["“Meter” wants to spend 3.5 T."]);
    center.update(OPEN);
    expect(shown).toEqual([]);
  });

  it("is shown again for what comes again, and not for what goes while others wait", () => {
    const { shown, press, center } = notices();
    center.update({ ...ASKED, approvals: [ORDER] });
    center.update(ASKED);
    expect(press).toHaveLength(1);
    center.update({ ...ASKED, approvals: [ORDER] });
    expect([press.length, shown.length]).toEqual([2, 1]);
  });

  it("is one for all that waits for the wallet, of the program that came first, until it is unlocked", () => {
    const till = { connection: "c1", name: "Till", expiresAtMs: 1 };
    const robot = { ...till, connection: "c2", name: "Robot" };
    const { shown, press, center } = notices();
    center.update({ ...LOCKED, waiting: [till, robot] });
    expect(shown).toEqual(["“Till” waits until you unlock the wallet."]);
    center.update({ ...LOCKED, waiting: [robot] });
    expect(press).toHaveLength(1);
    center.update(OPEN);
    expect(shown).toEqual([]);
  });

  it("leads to the settings of programs", () => {
    const made = notices();
    made.center.update(ASKED);
    expect(made.opened).toBe(0);
    made.press[0]?.();
    expect(made.opened).toBe(1);
  });

  it("has the words and the comma of German where that is the language", () => {
    const { shown, center } = notices("message", "de");
    center.update({ ...OPEN, approvals: [ORDER] });
    expect(shown).toEqual(["„Till“ will 3,5 T ausgeben."]);
  });

  it.each([
    ["hidden", ["A program is waiting for you."]],
    ["off", []],
  ] as const)("says as much as is wanted: %s", (preview, expected) => {
    const { shown, center } = notices(preview);
    center.update(ASKED);
    expect(shown).toEqual(expected);
  });
});

describe("the notice of a copied token", () => {
  it("comes when its connection ends by that, once, and stays", () => {
    const { shown, center } = notices();
    // What ended before the app started is not new.
    center.update(ended(true));
    expect(shown).toEqual([]);
    center.update(LIVE);
    center.update(ended(true));
    center.update(ended(true));
    expect(shown).toEqual(["“Till” was disconnected: its token was used in two places."]);
    center.update(LIVE);
    center.update(ended(false));
    expect(shown).toHaveLength(1);
  });

  it.each([
    ["hidden", ["A program was disconnected."]],
    ["off", []],
  ] as const)("names no program where none is wanted, and does not say that one waits: %s", (preview, expected) => {
    const { shown, center } = notices(preview);
    center.update(LIVE);
    center.update(ended(true));
    expect(shown).toEqual(expected);
  });
});
