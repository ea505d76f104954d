import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MailboxRepository, openMailbox, type StoredEnvelope } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { ROOMS, type Room, usageOf } from "#node/storage/mailbox/waiting-envelopes.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { envelopeId } from "#shared/protocol/mail/envelope-id.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const RECIPIENT = "aa".repeat(32);
const OTHER = "bb".repeat(32);

function envelope(n: number, over: Partial<Envelope> = {}): Envelope {
  const nonce = new Uint8Array(24).fill(n);
  const ciphertext = new Uint8Array(40 + n).fill(n);
  return {
    id: envelopeId(nonce, ciphertext),
    recipient_pub: RECIPIENT,
    sender_pub: "cc".repeat(32),
    sender_ed25519_pub: "",
    fee_ut: 0,
    fee_sig: null,
    nonce: toBase64(nonce),
    ciphertext: toBase64(ciphertext),
    sent_at: 1_000 - n,
    ...over,
  };
}

async function withMailbox(work: (mailbox: MailboxRepository, directory: string) => void): Promise<void> {
  await using folder = await createTemporaryFolder();
  const mailbox = openMailbox(folder.path);
  try {
    work(mailbox, folder.path);
  } finally {
    mailbox.close();
  }
}

const idsOf = (mailbox: MailboxRepository, sinceSec?: number): readonly string[] =>
  mailbox
    .list({ recipientPub: RECIPIENT, limit: 100, ...(sinceSec === undefined ? {} : { sinceSec }) })
    .items.map((item) => item.envelope.id);

/** An envelope as the interface lists it. */
function itemOf({ envelope: { fee_sig: _, ...fields }, seq }: StoredEnvelope): object {
  return { ...fields, seq, sent_at_human: formatTimestamp(Math.min(fields.sent_at, 253_402_300_799) * 1_000) };
}

type Step = readonly ["put" | "delete" | "prune", number, string];

/** Does the same to the mailbox and to its model; an envelope's number is its time of arrival. */
function take(mailbox: MailboxRepository, model: Map<string, Envelope>, [kind, n, recipient]: Step): void {
  const item = envelope(n, { recipient_pub: recipient });
  const name = `${recipient}${item.id}`;
  if (kind === "put") {
    mailbox.put(item, n);
    model.set(name, item);
  } else if (kind === "delete") {
    expect(mailbox.delete(recipient, item.id, 1_000)).toBe(model.delete(name));
  } else {
    mailbox.prune(n);
    for (const [key, other] of [...model]) if (1_000 - other.sent_at < n) model.delete(key);
  }
}

function bytesOf(envelopes: readonly Envelope[]): number {
  return envelopes.reduce((sum, item) => sum + envelopeBytes(item), 0);
}

describe("mailbox", () => {
  it("gives back every field, and keeps it over a restart", async () => {
    await using folder = await createTemporaryFolder();
    const stored = envelope(1, { fee_ut: 9_007_199_254_740_991, fee_sig: toBase64(new Uint8Array(64)), sender_ed25519_pub: OTHER });
    const first = openMailbox(folder.path);
    expect(first.put(stored, 500)).toBe("stored");
    first.close();
    const second = openMailbox(folder.path);
    expect(second.get(RECIPIENT, stored.id)).toEqual({ envelope: stored, seq: 1, receivedAtSec: 500 });
    second.close();
  });

  it("lists in order of arrival, whatever the senders' clocks say", () =>
    withMailbox((mailbox) => {
      for (const n of [3, 1, 2]) mailbox.put(envelope(n), 100);
      expect(idsOf(mailbox)).toEqual([3, 1, 2].map((n) => envelope(n).id));
    }));

  it("lists only what arrived later than `since`", () =>
    withMailbox((mailbox) => {
      for (const n of [1, 2, 3]) mailbox.put(envelope(n), 100 + n);
      expect(idsOf(mailbox, 101)).toEqual([envelope(2).id, envelope(3).id]);
      expect(idsOf(mailbox, 103)).toEqual([]);
    }));

  it("pages by `seq` and says whether more follow", () =>
    withMailbox((mailbox) => {
      for (const n of [1, 2, 3, 4]) mailbox.put(envelope(n), 100);
      const first = mailbox.list({ recipientPub: RECIPIENT, limit: 2 });
      const second = mailbox.list({ recipientPub: RECIPIENT, limit: 2, afterSeq: first.items.at(-1)?.seq ?? 0 });
      expect([first.hasMore, second.hasMore]).toEqual([true, false]);
      expect([...first.items, ...second.items].map((item) => item.envelope.id)).toEqual([1, 2, 3, 4].map((n) => envelope(n).id));
    }));

  it("keeps recipients apart", () =>
    withMailbox((mailbox) => {
      mailbox.put(envelope(1), 1);
      mailbox.put(envelope(1, { recipient_pub: OTHER }), 1);
      expect(mailbox.delete(OTHER, envelope(1).id, 1_000)).toBe(true);
      expect([mailbox.count(RECIPIENT), mailbox.count(OTHER)]).toEqual([1, 0]);
    }));

  it("keeps the first of two with one id", () =>
    withMailbox((mailbox) => {
      const forged = envelope(2, { id: envelope(1).id });
      expect([mailbox.put(envelope(1), 1), mailbox.put(forged, 2), mailbox.put(envelope(1), 3)]).toEqual([
        "stored",
        "duplicate",
        "duplicate",
      ]);
      expect(mailbox.get(RECIPIENT, forged.id)?.envelope).toEqual(envelope(1));
    }));

  it("lets the envelope to which an id belongs replace a squatter, and arrive again", () =>
    withMailbox((mailbox) => {
      const squatter = envelope(2, { id: envelope(1).id });
      expect([mailbox.put(squatter, 1), mailbox.put({ ...squatter, sent_at: 5 }, 1), mailbox.put(envelope(3), 2)]).toEqual([
        "stored",
        "duplicate",
        "stored",
      ]);
      expect(mailbox.put(envelope(1), 3)).toBe("stored");
      expect(idsOf(mailbox)).toEqual([envelope(3).id, envelope(1).id]);
      expect(mailbox.get(RECIPIENT, envelope(1).id)?.envelope).toEqual(envelope(1));
    }));

  it("removes what arrived before a time", () =>
    withMailbox((mailbox) => {
      for (const n of [1, 2, 3]) mailbox.put(envelope(n), 100 + n);
      expect(mailbox.prune(103)).toBe(2);
      expect(idsOf(mailbox)).toEqual([envelope(3).id]);
    }));

  it("counts envelopes and bytes as a list of them would", () =>
    withMailbox((mailbox) => {
      const model = new Map<string, Envelope>();
      const step = fc.tuple(fc.constantFrom<Step[0]>("put", "delete", "prune"), fc.nat({ max: 12 }), fc.constantFrom(RECIPIENT, OTHER));
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
          for (const one of steps) take(mailbox, model, one);
          const all = [...model.values()];
          for (const recipient of [RECIPIENT, OTHER]) {
            const own = all.filter((item) => item.recipient_pub === recipient);
            expect(mailbox.count(recipient)).toBe(own.length);
            expect(mailbox.usage(recipient)).toEqual({ count: own.length, bytes: bytesOf(own) });
            for (const item of own) expect(mailbox.sizeOf(recipient, item.id)).toBe(envelopeBytes(item));
            const page = { recipientPub: recipient, limit: 4, sinceSec: 2 };
            const { items, hasMore } = mailbox.list(page);
            const text = mailbox.listText(page);
            expect([JSON.parse(`[${text.items}]`), text.count, text.hasMore]).toEqual([items.map(itemOf), items.length, hasMore]);
          }
          expect([mailbox.totalCount(), mailbox.totalBytes()]).toEqual([all.length, bytesOf(all)]);
        }),
        { seed: 11, numRuns: 60 },
      );
    }));

  it("commits a group at once, or nothing of it", () =>
    withMailbox((mailbox) => {
      const bytes = envelopeBytes(envelope(7));
      mailbox.put(envelope(7), 1);
      expect(() =>
        mailbox.inTransaction(() => {
          mailbox.put(envelope(1), 1);
          mailbox.put(envelope(1, { recipient_pub: OTHER }), 1);
          mailbox.delete(RECIPIENT, envelope(7).id, 1);
          throw new Error("of the group");
        }),
      ).toThrow("of the group");
      expect([mailbox.usage(RECIPIENT), mailbox.usage(OTHER)]).toEqual([
        { count: 1, bytes },
        { count: 0, bytes: 0 },
      ]);
      expect([mailbox.totalCount(), mailbox.totalBytes(), idsOf(mailbox)]).toEqual([1, bytes, [envelope(7).id]]);
      expect(mailbox.inTransaction(() => [1, 2, 1].map((n) => mailbox.put(envelope(n), 1)))).toEqual(["stored", "stored", "duplicate"]);
    }));

  it("asks for room before anything is written, and only for what comes on top", () =>
    withMailbox((mailbox) => {
      const asked: object[] = [];
      const squatter = envelope(2, { id: envelope(1).id });
      const ask = (added: object): Room => {
        asked.push(added);
        return ROOMS.free;
      };
      const put = (item: Envelope): string => mailbox.put(item, 1, { findRoom: ask });
      expect([put(squatter), put(squatter), put(envelope(1)), put(envelope(1))]).toEqual(["stored", "duplicate", "stored", "duplicate"]);
      const sizes = [squatter, envelope(1)].map(envelopeBytes) as [number, number];
      expect(asked).toEqual([
        { count: 1, bytes: sizes[0] },
        { count: 0, bytes: sizes[1] - sizes[0] },
      ]);
      const refuse = (): never => {
        throw new Error("no room");
      };
      mailbox.inTransaction(() => expect(() => mailbox.put(envelope(3), 1, { findRoom: refuse })).toThrow("no room"));
      expect([mailbox.count(RECIPIENT), mailbox.totalBytes()]).toEqual([1, sizes[1]]);
    }));

  it.each(["delete", "prune"] as const)("gives no seq twice, whatever is lost by %s and whenever it starts again", async (kind) => {
    await using folder = await createTemporaryFolder();
    const seqs: (number | undefined)[] = [];
    for (let n = 1; n <= 3; n += 1) {
      const mailbox = openMailbox(folder.path);
      mailbox.put(envelope(n), n);
      seqs.push(mailbox.get(RECIPIENT, envelope(n).id)?.seq);
      if (kind === "delete") mailbox.delete(RECIPIENT, envelope(n).id, n);
      else mailbox.prune(n + 1);
      mailbox.close();
    }
    expect(seqs).toEqual([1, 2, 3]);
  });

  it("takes over the mailboxes of a version before, and how far it counted", async () => {
    await using folder = await createTemporaryFolder();
    const before = new Database(join(folder.path, "mailbox.db"));
    before.exec(MAILBOX_DATABASE.initialSchema);
    before.pragma(`application_id = ${MAILBOX_DATABASE.applicationId}`);
    const insert = before.prepare(
      `INSERT INTO envelopes (recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at, received_at, bytes, is_authentic)
        VALUES (@recipient_pub, @id, @sender_pub, @sender_ed25519_pub, @fee_ut, @fee_sig, @nonce, @ciphertext, @sent_at, @received_at, @bytes, 1)`,
    );
    const kept = [envelope(1), envelope(2, { recipient_pub: OTHER }), envelope(3)];
    for (const [n, item] of [...kept, envelope(4)].entries()) insert.run({ ...item, bytes: envelopeBytes(item), received_at: 50 + n });
    before.prepare("DELETE FROM envelopes WHERE id = ?").run(envelope(4).id);
    before.close();
    const mailbox = openMailbox(folder.path);
    expect(mailbox.list({ recipientPub: RECIPIENT, limit: 9 }).items).toEqual([
      { envelope: envelope(1), seq: 1, receivedAtSec: 50 },
      { envelope: envelope(3), seq: 3, receivedAtSec: 52 },
    ]);
    expect(mailbox.get(OTHER, envelope(2).id)?.envelope).toEqual(kept[1]);
    expect([mailbox.usage(RECIPIENT).count, mailbox.totalCount(), mailbox.totalBytes()]).toEqual([2, 3, bytesOf(kept)]);
    // All of it waits; who brought it is not known.
    expect(usageOf(mailbox.waitingOf(RECIPIENT).values())).toEqual(mailbox.usage(RECIPIENT));
    expect(mailbox.waiting.sources.bytesOf("")).toBe(bytesOf(kept));
    mailbox.put(envelope(5), 60);
    expect(mailbox.get(RECIPIENT, envelope(5).id)?.seq).toBe(5);
    mailbox.close();
  });

  it("writes the times of senders with wrong clocks, at both ends", () =>
    withMailbox((mailbox) => {
      for (const [n, sentAt] of [1, 1_767_225_600, 253_402_300_799, 253_402_300_800, Number.MAX_SAFE_INTEGER].entries())
        mailbox.put(envelope(n, { sent_at: sentAt }), 5);
      const { items } = mailbox.listText({ recipientPub: RECIPIENT, limit: 9 });
      const texts = JSON.parse(`[${items}]`) as readonly { readonly sent_at_human: string }[];
      expect(texts.map(({ sent_at_human }) => sent_at_human)).toEqual([
        "1970-01-01T00:00:01Z",
        "2026-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
      ]);
    }));
});
