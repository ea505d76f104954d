import { EventEmitter } from "node:events";
import type { BrowserWindow, MessageChannelMain } from "electron";
import { beforeEach, describe, expect, it } from "vitest";
import { type ApprovalCaller, ApprovalWindow } from "#electron/main/apps/approval-window.ts";
import { NOTHING_KNOWN } from "#electron/main/apps/keyring-apps.ts";
import { APPROVAL_ORIGIN, isApprovalUrl, serveApproval } from "#electron/main/confirmation/approval-page.ts";
import { FREE_REFUSALS } from "#electron/main/confirmation/question-pauses.ts";
import { isAppUrl } from "#electron/main/security/trusted-url.ts";
import type { AppsOverview, WaitingApproval } from "#shared/apps/messages/approval-api.ts";
import { APPROVAL_MOVED_CHANNEL } from "#shared/desktop/channels.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const REQUEST = { id: "r1", name: "Till", reason: "", scopes: ["read"], names: [], needsPassword: false, expiresAtMs: 600_000 };
const ORDER: WaitingApproval = {
  ...{ id: "o1", connection: "c1", name: "Till", action: "pay", subject: "pl1bob", recipientName: null, publicText: null },
  ...{ amountUt: 3_000_000, totalUt: 3_001_000, eachUt: 2_000_000, periodUt: 10_000_000, period: "day", leftUt: 4_000_000, expiresAtMs: 1 },
};

/** The parts of a window that are used here; its page is tried in test/electron. */
class TestWindow extends EventEmitter {
  readonly sent: string[] = [];
  readonly ports: unknown[] = [];
  readonly webContents = {
    send: (channel: string): void => void this.sent.push(channel),
    postMessage: (_: string, message: unknown, ports: readonly unknown[]): void => void this.ports.push(message, ...ports),
  };
  focused = 0;
  focus(): void {
    this.focused += 1;
  }
  close(): void {
    this.emit("closed");
  }
}

let time: ManualTime;
let windows: TestWindow[];
let overview: AppsOverview;
let keyringPorts: unknown[];
let approvals: ApprovalWindow;

beforeEach(() => {
  time = new ManualTime();
  windows = [];
  keyringPorts = [];
  overview = { ...NOTHING_KNOWN, lock: "unlocked", request: REQUEST };
  approvals = new ApprovalWindow({
    openWindow: (): BrowserWindow => {
      const window = new TestWindow();
      windows.push(window);
      return window as unknown as BrowserWindow;
    },
    createChannel: () => ({ port1: "keyring's", port2: "window's" }) as unknown as MessageChannelMain,
    connectKeyring: (port) => void keyringPorts.push(port),
    language: () => "de",
    read: async () => overview,
    last: () => overview,
    clock: time,
  });
});

function callerOf(window: TestWindow | undefined, url = `${APPROVAL_ORIGIN}/`, parent: unknown = null): ApprovalCaller {
  return { sender: window?.webContents, senderFrame: { url, parent } } as unknown as ApprovalCaller;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the approval window", () => {
  it("gives its port to its own document alone, and closes for no other", async () => {
    expect(await approvals.open([])).toBe(true);
    const [window] = windows;
    const strangers = [callerOf(new TestWindow()), callerOf(window, "app://parley/"), callerOf(window, `${APPROVAL_ORIGIN}/`, {})];
    for (const stranger of [...strangers, { ...callerOf(window), senderFrame: null }]) {
      approvals.ready(stranger);
      approvals.closedBy(stranger);
    }
    expect(keyringPorts).toEqual([]);
    approvals.ready(callerOf(window));
    expect(keyringPorts).toEqual(["keyring's"]);
    expect(window?.ports).toEqual([{ language: "de", people: [] }, "window's"]);
  });

  it("is one at a time, begins again when it moves, and does not open for nothing", async () => {
    await approvals.open([]);
    expect(await approvals.open([])).toBe(true);
    expect(windows).toHaveLength(1);
    expect(windows[0]?.focused).toBe(1);
    windows[0]?.emit("move");
    expect(windows[0]?.sent).toEqual([APPROVAL_MOVED_CHANNEL]);
    approvals.close();
    overview = { ...overview, request: null };
    expect(await approvals.open([])).toBe(false);
  });

  it("opens one window for two requests at once", async () => {
    await Promise.all([approvals.open([]), approvals.open([])]);
    expect(windows).toHaveLength(1);
  });

  it("pauses for a page that opens it again and again, and not after a decision", async () => {
    for (let closed = 0; closed <= FREE_REFUSALS; closed += 1) {
      await approvals.open([]);
      windows.at(-1)?.close();
      await settled();
    }
    await expect(approvals.open([])).rejects.toMatchObject({ code: "RATE_LIMITED" });
    time.advance(5_000);
    await approvals.open([]);
    overview = { ...overview, request: null, approvals: [ORDER] };
    windows.at(-1)?.close();
    await settled();
    expect(await approvals.open([])).toBe(true);
  });

  it("has a document of another origin than the interface, without scripts or network", async () => {
    expect(isApprovalUrl(`${APPROVAL_ORIGIN}/`)).toBe(true);
    expect(isAppUrl(`${APPROVAL_ORIGIN}/`)).toBe(false);
    const document = serveApproval(`${APPROVAL_ORIGIN}/`);
    expect(document.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'; base-uri 'none'/);
    expect(await document.text()).not.toContain("script");
    for (const url of [`${APPROVAL_ORIGIN}/index.html`, "app://parley/", "https://example.org/"])
      expect(serveApproval(url).status).toBe(404);
  });
});
