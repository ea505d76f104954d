// Two people in two Chromiums: from pressing Enter to the message on one's own screen, and on the other's.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { acceptContact, createIdentity, openView, requestContact, write } from "../../e2e/support/person.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { ProcessNetwork } from "../../support/nodes/process-network.ts";

/** Milliseconds of each message. */
interface Samples {
  readonly echo: number[];
  readonly shown: number[];
}

/** Messages of a person who types them, and of one that sends the next as soon as one is shown: receipts of those before are under way. */
export interface ChatLatency {
  readonly typed: Samples;
  readonly hurried: Samples;
}

/** What the page keeps: when each numbered message was sent and drawn, milliseconds since 1970. */
interface Marks {
  sent: number;
  readonly seen: Map<string, number>;
}

declare global {
  interface Window {
    marks: Marks;
  }
}

const WARM_UP = 5;
/** Between messages that a person types. */
const TYPING_MS = 2_000;

/** Writes so many messages of each kind, each once the one before it is shown. Both people use one node, or each one of two that are peers. */
export async function measureChat(nodes: 1 | 2, count: number): Promise<ChatLatency> {
  await buildStaleRenderer();
  await using network = await ProcessNetwork.create({ validators: 1, nodes: nodes - 1, isDirect: true });
  const faucetKey = (index: number): string => join(network.node(index).dataDir, "keys", "faucet-key.json");
  if (nodes === 2) copyFileSync(faucetKey(0), faucetKey(1));
  await network.start();
  await using ann = await openProfile();
  await using bob = await openProfile();
  const { address } = await createIdentity(ann.page, network.node(0).baseUrl, "Ann");
  const bobs = await createIdentity(bob.page, network.node(nodes - 1).baseUrl, "Bob");
  for (const [index, account] of [
    [0, address],
    [nodes - 1, bobs.address],
  ] as const)
    await pollUntil(async () => (await network.node(index).client.getAddress({ addr: account })).balance_ut > 0, { timeoutMs: 60_000 });
  await requestContact(bob.page, address, "It is Bob.");
  await acceptContact(ann.page, "Bob");
  await ann.page.getByRole("link", { name: "Message" }).click();
  await openView(bob.page, "Inbox");
  await bob.page.getByRole("link", { name: /^Ann/ }).click();
  await write(bob.page, "Ann", "Hello");
  await ann.page.getByRole("article").filter({ hasText: "Hello" }).waitFor();
  await watch(ann.page);
  await watch(bob.page);
  const latency: ChatLatency = { typed: { echo: [], shown: [] }, hurried: { echo: [], shown: [] } };
  for (let index = 0; index < WARM_UP + 2 * count; index += 1) {
    const samples = index < WARM_UP + count ? latency.hurried : latency.typed;
    const text = `mark-${index}-`;
    await ann.page.getByRole("textbox", { name: "Message to Bob" }).fill(text);
    if (samples === latency.typed) await delay(TYPING_MS);
    await ann.page.keyboard.press("Enter");
    const [own, theirs] = [await seenAt(ann.page, text), await seenAt(bob.page, text)];
    const sent = await ann.page.evaluate(() => window.marks.sent);
    if (index < WARM_UP) continue;
    samples.echo.push(own - sent);
    samples.shown.push(theirs - sent);
  }
  return latency;
}

/** Notes when Enter is pressed and when a numbered message is drawn for the first time. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const now = (): number => performance.timeOrigin + performance.now();
    const marks: Marks = { sent: 0, seen: new Map() };
    window.marks = marks;
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Enter") marks.sent = performance.timeOrigin + event.timeStamp;
      },
      { capture: true },
    );
    const check = (): void => {
      for (const article of document.querySelectorAll("article")) {
        const [text] = /mark-\d+-/.exec(article.textContent) ?? [];
        if (text === undefined || marks.seen.has(text)) continue;
        marks.seen.set(text, Number.POSITIVE_INFINITY);
        requestAnimationFrame(() => marks.seen.set(text, now()));
      }
    };
    new MutationObserver(check).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

async function seenAt(page: Page, text: string): Promise<number> {
  const handle = await page.waitForFunction((wanted) => {
    const at = window.marks.seen.get(wanted) ?? Number.POSITIVE_INFINITY;
    return Number.isFinite(at) ? at : false;
  }, text);
  return Number(await handle.jsonValue());
}
