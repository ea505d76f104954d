// Messages of programs in the keyring's journal: the day's number, what was sent, and the room that they take.
import { beforeEach, describe, expect, it } from "vitest";
import { KEY_KEPT_MS, MESSAGE_KEPT_MS } from "#shared/apps/app-limits.ts";
import type { MessageClaim, MessageVerdict } from "#shared/apps/messages/apps-api.ts";
import { AppJournal, type NewLine } from "#shared/apps/storage/app-journal.ts";
import { AppWorld, BOB, DAY, EVE, HOUR, MemoryJournal } from "#test/support/worlds/app-world.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

let world: AppWorld;
let token: string;

beforeEach(async () => {
  world = await AppWorld.create();
  token = await world.connect("Till", ["messages.send:to=replies,rate=3/day", "invoices"]);
});

function claim(index: number, changes: Partial<MessageClaim> = {}): MessageClaim {
  const idempotencyKey = `message-${String(index).padStart(8, "0")}`;
  return { token, idempotencyKey, notAfterMs: world.blockTimeMs + HOUR, to: BOB, bodyHash: "ab".repeat(16), ...changes };
}

function order(index: number, changes: Partial<MessageClaim> = {}): Promise<MessageVerdict> {
  return world.apps.orderMessage(claim(index, changes));
}

function settle(index: number, isSent: boolean): Promise<void> {
  return world.apps.settleMessage({ token, idempotencyKey: claim(index).idempotencyKey, isSent });
}

describe("a message of a program", () => {
  it("is open until the engine has it, and sent from then on, over another start and where its recipient's name moved", async () => {
    expect(await order(1)).toEqual({ mode: "open", to: BOB });
    await world.restart();
    expect(await order(1, { to: EVE })).toEqual({ mode: "open", to: BOB });
    await settle(1, true);
    await world.restart();
    expect(await order(1)).toEqual({ mode: "sent", to: BOB });
    await settle(1, false);
    expect(await order(1)).toEqual({ mode: "sent", to: BOB });
  });

  it("is answered where it could not be given now, and a new one is not taken", async () => {
    await order(1);
    expect(await order(1, { to: null })).toEqual({ mode: "open", to: BOB });
    await settle(1, true);
    expect(await order(1, { to: null })).toEqual({ mode: "sent", to: BOB });
    await expect(order(2, { to: null })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await order(2)).toMatchObject({ mode: "open" });
  });

  it("is written down before its verdict: a torn write takes none", async () => {
    world.journal.tearAfter = 20;
    await expect(order(1)).rejects.toThrow("power cut");
    await world.restart();
    expect(await order(1, { bodyHash: "cd".repeat(16) })).toMatchObject({ mode: "open" });
  });

  it("is one of the day's number until a whole day has passed, whatever came of asking again", async () => {
    for (const index of [1, 2, 3]) await order(index);
    await order(2);
    await settle(2, true);
    await expect(order(4)).rejects.toMatchObject({ code: "RATE_LIMITED", details: { retryAfterMs: HOUR } });
    await world.restart();
    // Neither clock alone brings the next day.
    await world.block(2 * DAY);
    await expect(order(4)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await world.pass(DAY + HOUR);
    expect(await order(4)).toMatchObject({ mode: "open" });
  });

  it("that the engine refused counts for nothing, and its key can be used again", async () => {
    for (const index of [1, 2, 3]) await order(index);
    await settle(3, false);
    expect(await order(3, { bodyHash: "cd".repeat(16) })).toMatchObject({ mode: "open" });
    await expect(order(4)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("that the engine may have had before keeps its key and counts, whatever the engine says of it later", async () => {
    for (const index of [1, 2, 3]) await order(index);
    await order(2);
    await settle(2, false);
    await world.restart();
    await settle(3, false);
    for (const index of [2, 3]) await expect(order(index, { bodyHash: "cd".repeat(16) })).rejects.toMatchObject({ code: "APP_KEY_REUSED" });
    await expect(order(4)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await order(3)).toEqual({ mode: "open", to: BOB });
    await settle(3, true);
    expect(await order(3)).toEqual({ mode: "sent", to: BOB });
  });

  it("is late behind its time, known or not, and not for longer than a day ahead", async () => {
    await order(1);
    const late = { notAfterMs: world.blockTimeMs - 1 };
    expect(await order(1, late)).toEqual({ mode: "late", to: BOB });
    expect(await order(2, late)).toEqual({ mode: "late", to: BOB });
    expect(await order(2)).toMatchObject({ mode: "open" });
    await expect(order(3, { notAfterMs: world.blockTimeMs + 25 * HOUR })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("has a key that is no other order's", async () => {
    await order(1);
    await expect(order(1, { bodyHash: "cd".repeat(16) })).rejects.toMatchObject({ code: "APP_KEY_REUSED" });
    const invoice = { token, amountUt: 1, expiresAtMs: world.blockTimeMs + HOUR };
    await expect(world.apps.createInvoice({ ...invoice, idempotencyKey: claim(1).idempotencyKey })).rejects.toMatchObject({
      code: "APP_KEY_REUSED",
    });
    await world.apps.createInvoice({ ...invoice, idempotencyKey: claim(2).idempotencyKey });
    await expect(order(2)).rejects.toMatchObject({ code: "APP_KEY_REUSED" });
    const payer = await world.connect("Payer", ["pay:each=2T,total=3T/day,to=any", "messages.send:to=replies,rate=3/day"]);
    await world.apps.orderMessage(claim(3, { token: payer }));
    const payment = world.payment(payer, { idempotencyKey: claim(3).idempotencyKey });
    await expect(world.apps.pay(payment)).rejects.toMatchObject({ code: "APP_KEY_REUSED" });
  });

  it("is for whom the scope names alone", async () => {
    token = await world.connect("Chosen", ["messages.send:to=chosen,rate=3/day"]);
    await expect(order(1)).rejects.toMatchObject({ code: "APP_SCOPE" });
    token = await world.connect("Reader", ["read"]);
    await expect(order(1)).rejects.toMatchObject({ code: "APP_SCOPE" });
  });
});

describe("lines of messages", () => {
  const NOW = 100 * DAY;
  const line = (action: "message" | "pay", ageMs: number): NewLine => ({
    ...{ height: 1, atMs: NOW - ageMs, blockMs: 0, budgetMs: NOW - ageMs, connection: 1, action, subject: BOB, amountUt: 1 },
    ...{ outcome: "reserved", keyHash: systemRandom(16), bodyHash: systemRandom(16), txId: new Uint8Array(), order: 0, timeMs: 0 },
  });

  async function journalOf(lines: readonly NewLine[]): Promise<AppJournal> {
    const storage = new MemoryJournal();
    const journal = await AppJournal.open({ storage, key: systemRandom(32), random: systemRandom, maxBytes: 20_000 });
    await journal.append(lines);
    return journal;
  }

  it("go from half of the journal on, once their day and their program's time are over", async () => {
    const old = Array.from({ length: 40 }, () => line("message", MESSAGE_KEPT_MS + 1));
    const journal = await journalOf([...old, ...Array.from({ length: 20 }, () => line("message", MESSAGE_KEPT_MS))]);
    expect(journal.isHalfFull).toBe(true);
    expect(journal.countDroppable(NOW)).toBe(0);
    expect(journal.countDroppable(NOW, 1 / 2)).toBeGreaterThan(5);
    await journal.dropOldest(NOW, 1 / 2);
    expect(journal.isHalfFull).toBe(false);
  });

  it("stay while they are young, or behind a line that has to", async () => {
    const young = await journalOf(Array.from({ length: 60 }, () => line("message", MESSAGE_KEPT_MS)));
    expect([young.isHalfFull, young.countDroppable(NOW, 1 / 2)]).toEqual([true, 0]);
    const old = Array.from({ length: 60 }, () => line("message", KEY_KEPT_MS));
    const behind = await journalOf([line("pay", KEY_KEPT_MS), ...old]);
    expect([behind.isHalfFull, behind.countDroppable(NOW, 1 / 2)]).toEqual([true, 0]);
  });
});
