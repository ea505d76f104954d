// Calls between two people in two real browsers on a real node: sound and pictures go from one to the other. By roles and names only.
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONNECT_MS } from "#renderer/features/calls/model/call-machine.ts";
import { axeViolations } from "./support/axe.ts";
import type { BrowserProfile } from "./support/browser-profile.ts";
import { type BrowserWorld, startWorld } from "./support/browser-world.ts";
import { introduce, openView, write } from "./support/person.ts";
import { photograph } from "./support/pictures.ts";

const DEVICES = { hasMicrophone: true, hasCamera: true } as const;

describe("a call", () => {
  let world: BrowserWorld;
  let alice: BrowserProfile;
  let bob: BrowserProfile;

  beforeAll(async () => {
    world = await startWorld("calls", undefined, [
      "--dev",
      "--call-relay",
      ":0",
      "--call-relay-address",
      ownAddress(),
      "--call-relay-private",
      "on",
    ]);
    [alice, bob] = await Promise.all([world.enter("alice", DEVICES), world.enter("bob", DEVICES)]);
    for (const { context } of [alice, bob]) await context.addInitScript(collectPeers);
    await introduce(world.node.baseUrl, { Alice: alice.page, Bob: bob.page });
    await openChat(alice.page, "Bob");
    await write(alice.page, "Bob", "May I call?");
    await openChat(bob.page, "Alice");
    await bob.page.getByRole("article").filter({ hasText: "May I call?" }).waitFor();
  });

  afterAll(async () => {
    expect([...(alice?.errors ?? []), ...(bob?.errors ?? [])]).toEqual([]);
    await world?.[Symbol.asyncDispose]();
  });

  it("shows both to each other, goes on in other views, and leaves a line in both chats", async () => {
    const [a, b] = [alice.page, bob.page];
    const [atAlice, atBob] = [a.getByRole("region", { name: "Call with Bob" }), b.getByRole("region", { name: "Call with Alice" })];
    const card = b.getByRole("region", { name: "Video call from Alice" });

    await world.step("say what a call shows before the first one", async () => {
      await openView(b, "Wallet");
      await a.getByRole("button", { name: "Video call", exact: true }).click();
      await a
        .locator("[data-confirmation]")
        .getByText(/will see your IP address/)
        .waitFor();
      await a.locator("[data-confirmation]").getByRole("button", { name: "Call" }).click();
      await atAlice.getByText("Calling…").waitFor();
    });

    await world.step("ring above another view, with the focus, and whatever Escape does", async () => {
      await card.waitFor();
      await expect.poll(() => card.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      await b.keyboard.press("Escape");
      await card.getByText("Answering shows Alice your IP address.").waitFor();
      expect(await peersOf(b)).toBe(0);
      await photograph(b, "call-incoming");
      expect(await axeViolations(b)).toEqual([]);
    });

    await world.step("answer with video, and see each other move", async () => {
      await card.getByRole("button", { name: "Answer with video" }).click();
      for (const [page, view] of [
        [a, atAlice],
        [b, atBob],
      ] as const) {
        await view.getByText(/^0:\d\d$/).waitFor();
        await view.getByLabel(/^Camera of /).waitFor();
        const before = await framesOf(page);
        await expect.poll(() => framesOf(page), { timeout: 30_000 }).toBeGreaterThan(before);
      }
      await photograph(a, "call-window");
      expect(await axeViolations(a)).toEqual([]);
    });

    await world.step("mute, turn a camera off and on, and look at something else meanwhile", async () => {
      await atAlice.getByRole("button", { name: "Mute microphone", pressed: false }).click();
      await atAlice.getByRole("button", { name: "Mute microphone", pressed: true }).waitFor();
      expect(await sendsSound(a)).toBe(false);
      await atBob.getByRole("button", { name: "Camera", exact: true }).click();
      await atAlice.getByLabel("Camera of Bob").waitFor({ state: "detached" });
      await atBob.getByRole("button", { name: "Camera", exact: true }).click();
      await atAlice.getByLabel("Camera of Bob").waitFor();
      await openView(a, "Explorer");
      await atAlice.getByRole("button", { name: "Make smaller" }).click();
      await atAlice.getByText(/^\d:\d\d$/).waitFor();
      await photograph(a, "call-small");
    });

    await world.step("hang up, with nothing in use any more", async () => {
      await atBob.getByRole("button", { name: "Hang up" }).click();
      await atAlice.getByText("Call ended").waitFor();
      for (const page of [a, b]) await expect.poll(() => openDevices(page)).toBe(0);
      await openChat(a, "Bob");
      await openChat(b, "Alice");
      for (const page of [a, b]) await lineOf(page, /Video call · \d:\d\d/).waitFor();
      await photograph(a, "call-line");
    });
  });

  it("is declined, and missed, and says where no path is found", async () => {
    const [a, b] = [alice.page, bob.page];
    const [atAlice, atBob] = [a.getByRole("region", { name: "Call with Bob" }), b.getByRole("region", { name: "Call with Alice" })];
    await world.step("decline", async () => {
      await a.getByRole("button", { name: "Voice call", exact: true }).click();
      await b.getByRole("region", { name: "Voice call from Alice" }).getByRole("button", { name: "Decline" }).click();
      await a.getByRole("region", { name: "Call with Bob" }).getByText("Declined").waitFor();
      for (const page of [a, b]) await lineOf(page, /Voice call · Declined/).waitFor();
    });
    await world.step("give up", async () => {
      await b.getByRole("button", { name: "Voice call", exact: true }).click();
      await a.getByRole("region", { name: "Voice call from Bob" }).waitFor();
      await b.getByRole("region", { name: "Call with Alice" }).getByRole("button", { name: "Hang up" }).click();
      await lineOf(a, /Voice call · Missed/).waitFor();
      await lineOf(b, /Voice call · No answer/).waitFor();
    });
    await world.step("find no path, and say why on both sides and in both chats", async () => {
      for (const page of [a, b]) await watch(page, { isCutOff: true });
      await a.getByRole("button", { name: "Voice call", exact: true }).click();
      await b.getByRole("region", { name: "Voice call from Alice" }).getByRole("button", { name: "Answer", exact: true }).click();
      for (const view of [atAlice, atBob]) await view.getByText("Connecting…").waitFor();
      await watch(a, { aheadMs: CONNECT_MS });
      for (const view of [atAlice, atBob]) {
        await view.getByText("Couldn't connect", { exact: true }).waitFor();
        await view.getByText(/^Your devices couldn't reach each other directly, and there was no relay to use\./).waitFor();
      }
      await photograph(a, "call-no-path");
      expect(await axeViolations(a)).toEqual([]);
      for (const page of [a, b]) {
        await lineOf(page, /Voice call · Couldn't connect/).waitFor();
        await expect.poll(() => openDevices(page)).toBe(0);
        await watch(page, { isCutOff: false, aheadMs: 0 });
      }
      for (const view of [atAlice, atBob]) await view.getByRole("button", { name: "Close" }).click();
    });
  });

  it("goes through the relay of one side, which alone needs one, and ends with it", async () => {
    const [a, b] = [alice.page, bob.page];
    const [atAlice, atBob] = [a.getByRole("region", { name: "Call with Bob" }), b.getByRole("region", { name: "Call with Alice" })];
    await world.step("say that no relay is there for who does not own the node", async () => {
      await goToSettings(a);
      await a.getByText("Your node doesn't offer a relay").waitFor();
      await a.getByRole("switch", { name: "Always relay calls" }).click();
      await openChat(a, "Bob");
      await a.getByRole("button", { name: "Voice call", exact: true }).click();
      await atAlice.getByText("Your relay can't be reached").waitFor();
      await photograph(a, "call-no-relay");
      await atAlice.getByRole("button", { name: "Close" }).click();
    });
    await world.step("try the relay of the own node", async () => {
      await own(a, world.node.dataDir);
      await goToSettings(a);
      await a.getByText("Calls can use your node's relay.").waitFor();
      await a.getByRole("button", { name: "Test" }).click();
      await a.getByText("The relay responds to this device.").waitFor();
      await photograph(a, "settings-calls");
      expect(await axeViolations(a)).toEqual([]);
      // What was said of one relay is not said of another.
      for (const [name, text] of Object.entries({ Address: "turn.example.org", Username: "ann", Password: "walk home" }))
        await a.getByRole("textbox", { name, exact: true }).fill(text);
      await a.getByRole("button", { name: "Use this relay" }).click();
      await a.getByText("Calls can use your relay turn.example.org.").waitFor();
      expect(await a.getByText("The relay responds to this device.").count()).toBe(0);
      await a.getByRole("button", { name: "Remove", exact: true }).click();
      await a.getByText("Calls can use your node's relay.").waitFor();
    });
    await world.step("speak and see each other through it", async () => {
      await openChat(a, "Bob");
      await a.getByRole("button", { name: "Video call", exact: true }).click();
      await b.getByRole("region", { name: "Video call from Alice" }).getByRole("button", { name: "Answer with video" }).click();
      for (const [page, view] of [
        [a, atAlice],
        [b, atBob],
      ] as const) {
        await view.getByText("Through a relay").waitFor();
        await view.getByLabel(/^Camera of /).waitFor();
        const before = await framesOf(page);
        await expect.poll(() => framesOf(page), { timeout: 30_000 }).toBeGreaterThan(before);
        await expect.poll(() => soundOf(page), { timeout: 30_000 }).toBeGreaterThan(0);
      }
      expect(await endsOf(a)).toMatchObject({ local: "relay" });
      expect(await endsOf(b)).toMatchObject({ remote: "relay" });
      // Bob learns no address of Alice but that of the relay.
      expect(await remoteTypes(b)).toEqual(["relay"]);
      await photograph(a, "call-relayed");
      expect(await axeViolations(a)).toEqual([]);
    });
    await world.step("say that the way through the relay is lost", async () => {
      await world.node.kill();
      await atAlice.getByText("The connection through the relay was lost").waitFor();
      await atBob.getByText("The connection through the relay was lost").waitFor();
    });
  });
});

/** Address of this machine in its network: a relayed one of loopback is none that a call goes to. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((entries = []) => entries)
    .find(({ family, internal }) => family === "IPv4" && !internal);
  return found?.address ?? "127.0.0.1";
}

/** Lets the page use the relay of its node, as the desktop app does: by the secret of the node's owner. */
async function own(page: Page, dataDir: string): Promise<void> {
  const { node } = JSON.parse(readFileSync(`${dataDir}/endpoint.json`, "utf8")) as { readonly node: { readonly secret: string } };
  await page.route("**/api/calls/relay", (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${node.secret}` } }),
  );
}

async function goToSettings(page: Page): Promise<void> {
  await openView(page, "Settings");
  await page.getByRole("link", { name: "Calls", exact: true }).click();
}

async function openChat(page: Page, name: string): Promise<void> {
  await openView(page, "Inbox");
  await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
}

function lineOf(page: Page, text: RegExp): ReturnType<Page["getByRole"]> {
  return page.getByRole("article").filter({ hasText: text });
}

interface Watched {
  readonly peers: RTCPeerConnection[];
  readonly tracks: MediaStreamTrack[];
  /** The page learns no address of the other side, as behind two networks that let nothing in. */
  isCutOff: boolean;
  /** The clock of the page is ahead: what it waits for is over at once. */
  aheadMs: number;
}

async function watch(page: Page, change: Partial<Pick<Watched, "isCutOff" | "aheadMs">>): Promise<void> {
  await page.evaluate((values) => void Object.assign((window as unknown as { watched: Watched }).watched, values), change);
}

/** Connections and devices of the page, for the test alone. */
function collectPeers(): void {
  const watched: Watched = { peers: [], tracks: [], isCutOff: false, aheadMs: 0 };
  Object.assign(window, { watched });
  const now = Date.now.bind(Date);
  Date.now = (): number => now() + watched.aheadMs;
  const Peer = window.RTCPeerConnection;
  window.RTCPeerConnection = new Proxy(Peer, {
    construct: (target, args): RTCPeerConnection => {
      const peer = new target(...(args as [RTCConfiguration?]));
      watched.peers.push(peer);
      const setRemote = peer.setRemoteDescription.bind(peer);
      peer.setRemoteDescription = ({ type, sdp = "" }: RTCSessionDescriptionInit): Promise<void> =>
        setRemote({ type, sdp: watched.isCutOff ? sdp.replaceAll(/^a=candidate:.*\r\n/gm, "") : sdp });
      return peer;
    },
  });
  const { mediaDevices } = navigator;
  const getUserMedia = mediaDevices?.getUserMedia.bind(mediaDevices);
  if (mediaDevices !== undefined)
    mediaDevices.getUserMedia = async (constraints): Promise<MediaStream> => {
      const stream = await getUserMedia(constraints);
      watched.tracks.push(...stream.getTracks());
      return stream;
    };
}

function peersOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { watched: Watched }).watched.peers.length);
}

/** Frames of the other side that were decoded so far. */
function framesOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const peer = (window as unknown as { watched: Watched }).watched.peers.at(-1);
    const reports = [...((await peer?.getStats()) ?? new Map()).values()] as { type: string; kind?: string; framesDecoded?: number }[];
    return reports.find(({ type, kind }) => type === "inbound-rtp" && kind === "video")?.framesDecoded ?? 0;
  });
}

/** What is read of a session: its statistics, by id. */
type Reports = Record<string, Record<string, unknown>>;

function reportsOf(page: Page): Promise<Reports> {
  return page.evaluate(async () => {
    const peer = (window as unknown as { watched: Watched }).watched.peers.at(-1);
    return Object.fromEntries(((await peer?.getStats()) ?? new Map()).entries()) as Reports;
  });
}

/** Samples of the other side's sound that came so far. */
async function soundOf(page: Page): Promise<number> {
  const reports = Object.values(await reportsOf(page));
  return Number(reports.find(({ type, kind }) => type === "inbound-rtp" && kind === "audio")?.totalSamplesReceived ?? 0);
}

/** Types of the two addresses in use. */
async function endsOf(page: Page): Promise<{ readonly local: unknown; readonly remote: unknown }> {
  const reports = await reportsOf(page);
  const transport = Object.values(reports).find(({ type }) => type === "transport");
  const pair = reports[String(transport?.selectedCandidatePairId)];
  const typeOf = (id: unknown): unknown => reports[String(id)]?.candidateType;
  return { local: typeOf(pair?.localCandidateId), remote: typeOf(pair?.remoteCandidateId) };
}

/** Types of all addresses that the other side is known by. */
async function remoteTypes(page: Page): Promise<readonly unknown[]> {
  const reports = Object.values(await reportsOf(page)).filter(({ type }) => type === "remote-candidate");
  return [...new Set(reports.map(({ candidateType }) => candidateType))];
}

function sendsSound(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    (window as unknown as { watched: Watched }).watched.tracks.some(
      ({ kind, readyState, enabled }) => kind === "audio" && readyState === "live" && enabled,
    ),
  );
}

function openDevices(page: Page): Promise<number> {
  return page.evaluate(
    () => (window as unknown as { watched: Watched }).watched.tracks.filter(({ readyState }) => readyState === "live").length,
  );
}
