import type { MessageChannelMain } from "electron";
import { beforeEach, describe, expect, it } from "vitest";
import { KeyringApps, NOTHING_KNOWN } from "#electron/main/apps/keyring-apps.ts";
import type { ApprovalEvent, AppsOverview, WatchApi } from "#shared/apps/messages/approval-api.ts";
import type { JournalLineView } from "#shared/apps/messages/journal-lines.ts";
import { type MethodServer, serveMethods } from "#shared/apps/messages/method-port.ts";
import { WATCH_METHODS } from "#shared/apps/messages/port-shapes.ts";
import type { KeyringPort } from "#shared/keyring/port.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";
import { StandInPort } from "../../../electron/stand-in/ports.ts";

const LINES: readonly JournalLineView[] = Array.from({ length: 450 }, (_, index) => ({
  ...{ n: index + 1, prev: "", height: 1, atMs: 0, connection: "c1", action: "pay", subject: "", amountUt: 1 },
  ...{ outcome: "committed", keyHash: "", txId: "" },
}));

let time: ManualTime;
let overview: AppsOverview;
let reads: number;
let shown: AppsOverview[];
let server: MethodServer<ApprovalEvent> | undefined;
let isSilent: boolean;
let apps: KeyringApps;

const played: WatchApi = {
  overview: async () => {
    reads += 1;
    return overview;
  },
  end: async ({ connection }) => {
    overview = { ...overview, connections: overview.connections.filter(({ id }) => id !== connection) };
  },
  dismiss: async () => {
    overview = { ...overview, request: null, approvals: [] };
  },
  log: async ({ before = 1_000, limit }) => {
    const lines = LINES.filter(({ n }) => n < before);
    return { lines: lines.slice(-limit).reverse(), firstN: 1, hasMore: lines.length > limit };
  },
};

beforeEach(() => {
  time = new ManualTime(1_000_000);
  overview = { ...NOTHING_KNOWN, lock: "unlocked" };
  [reads, shown, server, isSilent] = [0, [], undefined, false];
  apps = new KeyringApps({
    createChannel: () => {
      const [port1, port2] = StandInPort.pair();
      return { port1, port2 } as unknown as MessageChannelMain;
    },
    startKeyring: () => queueMicrotask(() => apps.connect()),
    connectKeyring: (port) => {
      if (!isSilent) server = serveMethods<WatchApi, ApprovalEvent>(keyringPort(port as unknown as StandInPort), WATCH_METHODS, played);
    },
    onChange: (changed) => void shown.push(changed),
    clock: time,
    timers: time,
  });
});

function keyringPort(port: StandInPort): KeyringPort {
  port.start();
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      const onMessage = ({ data }: { readonly data: unknown }): void => listener(data);
      port.on("message", onMessage);
      return () => void port.off("message", onMessage);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("what the shell knows of programs", () => {
  it("starts the keyring for the first question, and reads everything again when its process is another one", async () => {
    expect(await apps.read()).toMatchObject({ lock: "unlocked" });
    apps.disconnect();
    expect(shown.at(-1)).toEqual(NOTHING_KNOWN);
    apps.connect();
    await settled();
    expect(shown.at(-1)).toMatchObject({ lock: "unlocked" });
  });

  it("reads no more often than twice a second, whatever programs do, and misses no change", async () => {
    await apps.read();
    await settled();
    time.advance(500);
    const before = reads;
    for (let request = 0; request < 100; request += 1) {
      server?.emit({ event: "changed" });
      await settled();
    }
    expect(reads).toBe(before + 1);
    overview = { ...overview, lock: "walletLocked" };
    time.advance(500);
    await settled();
    expect(reads).toBe(before + 2);
    expect(shown.at(-1)).toMatchObject({ lock: "walletLocked" });
    time.advance(500);
    await settled();
    expect(reads).toBe(before + 2);
  });

  it("sees that the time of a question is over, which no one reports", async () => {
    const request = { id: "r", name: "Till", reason: "", scopes: [], names: [], needsPassword: false, expiresAtMs: time.nowMs() + 600_000 };
    overview = { ...overview, request };
    await apps.read();
    await settled();
    time.advance(500);
    overview = { ...overview, request: null };
    time.advance(600_000);
    await settled();
    expect(shown.at(-1)?.request).toBeNull();
  });

  it("ends what waits, shows that at once, and starts no keyring for it", async () => {
    const waiting = { id: "r", name: "Till", reason: "", scopes: [], names: [], needsPassword: false, expiresAtMs: time.nowMs() + 600_000 };
    overview = { ...overview, request: waiting };
    await apps.dismiss();
    expect([reads, overview.request]).toEqual([0, waiting]);
    await apps.read();
    await apps.dismiss();
    expect(shown.at(-1)?.request).toBeNull();
  });

  it("gives the whole log, oldest line first, page by page", async () => {
    expect((await apps.wholeLog()).map(({ n }) => n)).toEqual(LINES.map(({ n }) => n));
  });

  it("waits for no keyring that does not answer, and asks none after the end", async () => {
    isSilent = true;
    const asked = apps.read();
    await settled();
    time.advance(15_000);
    await expect(asked).rejects.toMatchObject({ code: "UNAVAILABLE" });
    apps.close();
    await expect(apps.read()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
