// A chat with a long history in the real interface: restored from a backup, opened, scrolled up in turns with a page of rows that never
// change, and what the page keeps in memory then.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { passwordKey } from "#shared/keyring/vault/vault-cipher.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";
import { NO_PROFILE } from "#shared/messenger/state/profiles/profile-registry.ts";
import { sealBackup } from "#shared/messenger/transfer/backup.ts";
import type { HistoryPart } from "#shared/messenger/transfer/history-backup.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { startWorld } from "../../e2e/support/browser-world.ts";
import { acceptContact, createIdentity, openView, PASSWORD, requestContact } from "../../e2e/support/person.ts";
import { goTo } from "../../e2e/support/robin.ts";
import { memoryMiB } from "../measure/process-figures.ts";
import { descendants, listProcesses } from "../measure/process-tree.ts";
import { type ScrollTurns, scrollInTurns } from "./scroll-turns.ts";

/** What was measured. */
export interface LongChat {
  readonly restoredMs: number;
  /** From the press on the chat until its newest message is painted. */
  readonly openMs: number;
  /** Of the chat and of a page of rows that never change, half a screen a frame each, as a thumb of a scroll bar that is dragged. */
  readonly dragged: ScrollTurns;
  /** The same, {@link WHEEL_PX} a frame. */
  readonly wheeled: ScrollTurns;
  /**
   * Of the page's process, Workers included, PSS: before the backup, after all of the scrolling, and once what is no longer needed was
   * given back.
   */
  readonly memoryMiB: { readonly before: number; readonly after: number; readonly rested: number };
}

const PART = 500;
/** Ten seconds of 60 frames, in turns with the reference. */
const [TURNS, TURN_FRAMES] = [4, 150];
/** A notch of a wheel in each frame: 7,200 pixels a second, nine screens. */
export const WHEEL_PX = 120;
const RESTORE_MS = 900_000;
/** Seconds in which memory has not become less. */
const REST_CHECKS = 20;
const WORDS = "the harbour lunch friday tomorrow meeting bring clock game chess usual place coffee thanks see you soon ticket train".split(
  " ",
);

/** Restores a chat with so many messages, opens it and scrolls up in it. */
export async function measureLongChat(count: number): Promise<LongChat> {
  await buildStaleRenderer();
  await using world = await startWorld("long-chat");
  const ann = await world.enter("ann");
  const bob = await world.enter("bob");
  const own = await createIdentity(ann.page, world.node.baseUrl, "Ann");
  const other = await createIdentity(bob.page, world.node.baseUrl, "Bob");
  await requestContact(bob.page, own.address, "It is Bob.");
  await acceptContact(ann.page, "Bob");
  await bob.context.close();
  const { page } = ann;
  const { chain_id: chainId } = await world.node.client.getStatus({});
  const file = join(world.folder, "long.parleybackup");
  await writeFile(file, await backupOf({ owner: parseAccount(own.address), peer: parseAccount(other.address), chainId, count }));
  const before = pageMemory();
  const restoredMs = await restore(page, file);
  await openView(page, "Inbox");
  const openMs = await timeOf(page, async () => {
    await page.getByRole("link", { name: /^Bob/ }).first().click();
    await page
      .getByRole("article")
      .filter({ hasText: textOf(count - 1) })
      .waitFor();
  });
  const wheeled = await scrollInTurns(page, { turns: TURNS, frames: TURN_FRAMES, stepPx: WHEEL_PX });
  const dragged = await scrollInTurns(page, { turns: TURNS, frames: TURN_FRAMES });
  const after = pageMemory();
  return { restoredMs, openMs, wheeled, dragged, memoryMiB: { before, after, rested: await restedMemory(page) } };
}

export async function restore(page: Page, file: string): Promise<number> {
  await goTo(page, "/settings/backup");
  await page.getByRole("button", { name: "Restore a backup" }).click();
  await page.getByLabel("Backup file").setInputFiles(file);
  await page.getByRole("textbox", { name: /password/i }).fill(PASSWORD);
  return timeOf(page, async () => {
    await page.getByRole("dialog").getByRole("button", { name: "Restore a backup" }).click();
    await page.getByRole("dialog").filter({ hasText: "Restore a backup" }).waitFor({ state: "detached", timeout: RESTORE_MS });
  });
}

async function timeOf(page: Page, work: () => Promise<void>): Promise<number> {
  const started = await page.evaluate(() => performance.now());
  await work();
  return page.evaluate((from) => performance.now() - from, started);
}

/** What is left once nothing more is given back. */
async function restedMemory(page: Page): Promise<number> {
  await page.requestGC();
  let least = pageMemory();
  for (let checks = 0; checks < REST_CHECKS; ) {
    await setTimeout(1_000);
    const now = pageMemory();
    checks = now < least - 1 ? 0 : checks + 1;
    least = Math.min(least, now);
  }
  return least;
}

/** The largest of the processes that draw pages for this one. */
function pageMemory(): number {
  const pages = descendants(listProcesses(), process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer"),
  );
  return Math.max(...pages.map(memoryMiB));
}

interface History {
  readonly owner: string;
  readonly peer: string;
  readonly chainId: string;
  readonly count: number;
}

export function backupOf({ owner, peer, chainId, count }: History): Promise<Uint8Array> {
  return sealBackup(partsOf(peer, count), {
    ...{ owner, chainId, password: PASSWORD },
    deriveKey: ({ password, salt, ...cost }) => passwordKey(password, salt, cost),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
}

async function* partsOf(peer: string, count: number): AsyncGenerator<HistoryPart> {
  yield { app: {} };
  yield { profile: NO_PROFILE };
  yield { conversations: [{ id: peer }] };
  const now = Date.now();
  for (let from = 0; from < count; from += PART)
    yield {
      messages: Array.from({ length: Math.min(PART, count - from) }, (_, n) => record(peer, from + n, now - (count - from - n) * 60_000)),
    };
}

function record(conversation: string, index: number, at: number): MessageRecord {
  const isIn = index % 3 !== 0;
  return {
    conversation,
    id: index.toString(16).padStart(32, "0"),
    direction: isIn ? "in" : "out",
    at,
    body: { kind: "text", text: textOf(index) },
    state: isIn ? null : "read",
    problem: null,
    isUnread: false,
    hasReceipts: true,
    raw: null,
  };
}

export function textOf(index: number): string {
  const words = Array.from({ length: 4 + (index % 17) }, (_, word) => WORDS[(index * 7 + word * word) % WORDS.length]);
  return `no. ${index} ${words.join(" ")}`;
}
