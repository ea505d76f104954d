import { beforeEach, describe, expect, it } from "vitest";
import { enterLinkCode, type NewDeviceRun, type OldDeviceRun, showLinkCode } from "#shared/linking/begin-link.ts";
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { parseLinkCode } from "#shared/linking/link-code.ts";
import { rendezvousMailboxes } from "#shared/linking/link-keys.ts";
import { type LinkMessage, RENDEZVOUS_KINDS, SESSION_KINDS } from "#shared/linking/link-message.ts";
import { RESPONSE_TIMEOUT_MS } from "#shared/linking/new-device.ts";
import { CODE_LIFETIME_MS } from "#shared/linking/old-device.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { LINK_CHAIN, type LinkDevice, LinkMailboxNode, linkDevice } from "#test/support/worlds/link-world.ts";

const DEVICE = { devicePub: "0d".repeat(32), signingPub: "0e".repeat(32), name: "Chrome on Linux" };
const GRANT = { masterPub: "aa".repeat(32), certificate: "0c".repeat(64), profileName: "Ann", hasHistory: true };

let node: LinkMailboxNode;
let desk: LinkDevice;
let laptop: LinkDevice;
let code: string;
let old: OldDeviceRun;

beforeEach(() => {
  node = new LinkMailboxNode();
  desk = linkDevice(node);
  laptop = linkDevice(node);
  ({ code, run: old } = showLinkCode(desk));
  return (): void => old.stop();
});

function phaseOf(run: OldDeviceRun | NewDeviceRun): string {
  const { state } = run.getSnapshot();
  return state.phase === "ended" ? `ended: ${state.reason}` : state.phase;
}

/** Lets both devices look until something holds. */
async function until(condition: () => boolean, devices: readonly LinkDevice[] = [desk, laptop], stepMs = 500): Promise<void> {
  await pollUntil(() => {
    for (const { clock } of devices) clock.advance(stepMs);
    return condition();
  });
}

/** The same while nothing happens for minutes. */
async function untilExpired(run: OldDeviceRun | NewDeviceRun, devices?: readonly LinkDevice[]): Promise<void> {
  await until(() => phaseOf(run) === "ended: expired", devices, 20_000);
}

function hasDevice(): boolean {
  const { state } = old.getSnapshot();
  return state.phase === "checking" && state.device !== undefined;
}

async function agreed(): Promise<{ readonly fresh: NewDeviceRun; readonly digits: string }> {
  const fresh = enterLinkCode(laptop, code, DEVICE);
  await until(hasDevice);
  const { state } = fresh.getSnapshot();
  if (state.phase !== "showing") throw new Error(`The new device is ${state.phase}`);
  return { fresh, digits: state.session.digits };
}

describe("linking", () => {
  it("lets a device in with the code, the digits and the person's consent", async () => {
    const { fresh, digits } = await agreed();
    expect(digits).toMatch(/^\d\d$/);
    expect(old.getSnapshot().state).toMatchObject({ phase: "checking", device: DEVICE });
    old.input({ kind: "digits", digits });
    const accepted = old.getSnapshot().state;
    expect(accepted).toMatchObject({ phase: "accepted", device: DEVICE });
    await old.send({ kind: "grant", ...GRANT });
    old.input({ kind: "granted" });
    await until(() => phaseOf(fresh) === "granted");
    old.input({ kind: "cancel" });
    expect(phaseOf(old)).toBe("ended: done");
    const granted = fresh.getSnapshot().state;
    expect(granted).toMatchObject({ grant: GRANT });
    expect("session" in granted && "session" in accepted && granted.session.key).toEqual("session" in accepted && accepted.session.key);
    await until(() => node.stored.length === 0);
    fresh.stop();
  });

  it("is over with wrong digits, and the code of no use any more", async () => {
    const { fresh, digits } = await agreed();
    old.input({ kind: "digits", digits: digits === "00" ? "01" : "00" });
    expect(phaseOf(old)).toBe("ended: wrongDigits");
    await until(() => phaseOf(fresh) === "ended: wrongDigits");
    old.input({ kind: "digits", digits });
    expect(phaseOf(old)).toBe("ended: wrongDigits");
    const again = enterLinkCode(laptop, code, DEVICE);
    await until(() => phaseOf(again).startsWith("ended"));
    expect(phaseOf(again)).toBe("ended: used");
    again.stop();
    fresh.stop();
  });

  it("is over when a second device uses the code", async () => {
    const { fresh } = await agreed();
    fresh.stop();
    const second = enterLinkCode(laptop, code, DEVICE);
    await until(() => phaseOf(old) === "ended: used" && phaseOf(second) === "ended: used");
    second.stop();
  });

  it("is over after five minutes, before or after the device has answered", async () => {
    const { digits, fresh } = await agreed();
    desk.clock.advance(CODE_LIFETIME_MS);
    old.input({ kind: "digits", digits });
    expect(phaseOf(old)).toBe("ended: expired");
    await untilExpired(fresh);
    const other = showLinkCode(desk);
    await untilExpired(other.run, [desk]);
    const late = enterLinkCode(laptop, other.code, DEVICE);
    await untilExpired(late);
    for (const run of [other.run, late, fresh]) run.stop();
  });

  it("tells the new device when no device responds", async () => {
    old.stop();
    const fresh = enterLinkCode(laptop, code, DEVICE);
    await until(() => phaseOf(fresh) !== "asking", [laptop]);
    expect(phaseOf(fresh)).toBe("ended: silent");
    expect(RESPONSE_TIMEOUT_MS).toBeLessThan(CODE_LIFETIME_MS);
    fresh.stop();
  });

  it("can be cancelled on either side, and the other one is notified", async () => {
    const { fresh } = await agreed();
    old.input({ kind: "cancel" });
    await until(() => phaseOf(fresh) === "ended: cancelled");
    const other = showLinkCode(desk);
    const back = enterLinkCode(laptop, other.code, DEVICE);
    await until(() => phaseOf(back) === "showing");
    back.input({ kind: "cancel" });
    await until(() => phaseOf(other.run) === "ended: cancelled");
    for (const run of [fresh, other.run, back]) run.stop();
  });

  it("tells the old device of a new one that was left, by a word that was sealed while the keys were there", async () => {
    expect(old.sealEnd("interrupted")).toBeUndefined();
    const { fresh } = await agreed();
    const end = fresh.sealEnd("interrupted");
    fresh.stop();
    expect(phaseOf(old)).toBe("checking");
    if (end !== undefined) await node.broadcast(end);
    await until(() => phaseOf(old) === "ended: interrupted", [desk]);
  });

  it("waits while the node is away, says so, and continues", async () => {
    node.isAway = true;
    const fresh = enterLinkCode(laptop, code, DEVICE);
    await pollUntil(() => {
      desk.clock.advance(500);
      return fresh.getSnapshot().problem?.code === "UNAVAILABLE" && old.getSnapshot().problem?.code === "UNAVAILABLE";
    });
    node.isAway = false;
    await until(() => phaseOf(fresh) === "showing" && phaseOf(old) === "checking");
    expect(fresh.getSnapshot().problem).toBeNull();
    fresh.stop();
  });
});

describe("a person who has seen the code", () => {
  const rendezvous = (side: "old" | "fresh", kinds: ReadonlySet<LinkMessage["kind"]>): LinkChannel =>
    new LinkChannel(linkDevice(node), { mailboxes: rendezvousMailboxes(LINK_CHAIN, parseLinkCode(code, LINK_CHAIN)), side, kinds });

  it("cannot grant anything, or name a device: that needs the keys of both", async () => {
    const fresh = enterLinkCode(laptop, code, DEVICE);
    await until(() => phaseOf(fresh) === "showing");
    await rendezvous("old", SESSION_KINDS).send({ kind: "grant", ...GRANT });
    await rendezvous("fresh", SESSION_KINDS).send({ kind: "device", ...DEVICE, name: "Thief" });
    await until(() => hasDevice() && node.stored.length === 0);
    expect(old.getSnapshot().state).toMatchObject({ device: DEVICE });
    expect(phaseOf(fresh)).toBe("showing");
    fresh.stop();
  });

  it("cannot show a key other than the one it was bound to", async () => {
    const thief = rendezvous("fresh", RENDEZVOUS_KINDS);
    await thief.send({ kind: "hello", commitment: new Uint8Array(32).fill(7) });
    await until(() => phaseOf(old) === "answered", [desk]);
    await thief.send({ kind: "reveal", key: new Uint8Array(32).fill(9), nonce: new Uint8Array(16) });
    await until(() => phaseOf(old) === "ended: broken", [desk]);
  });
});

describe("a person who has not seen the code", () => {
  it("sees nothing of the person in the mailboxes, and what they put there is thrown away", async () => {
    const { fresh } = await agreed();
    const seen = JSON.stringify(node.history);
    for (const secret of [DEVICE.devicePub, DEVICE.signingPub, code]) expect(seen).not.toContain(secret);
    const [example] = node.history;
    if (example === undefined) throw new Error("nothing was sent");
    node.stored.push({ ...example, id: "forged", ciphertext: example.nonce });
    await until(() => node.stored.length === 0);
    expect(phaseOf(old)).toBe("checking");
    fresh.stop();
  });
});
