import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LinkPreview } from "#shared/content/chat/link-preview.ts";
import { type Amendment, amendMessage, CHANGE_MS } from "#shared/messenger/model/amend-message.ts";
import { chatMessageOf, type MessageRecord } from "#shared/messenger/model/records.ts";
import { MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";

const ANN = "aa".repeat(32);
const BOB = "bb".repeat(32);
const ID = "01".repeat(16);
const RECORD: MessageRecord = {
  conversation: ANN,
  id: ID,
  direction: "in",
  at: 1_000,
  body: { kind: "text", text: "first" },
  state: null,
  problem: null,
  isUnread: false,
  hasReceipts: true,
  raw: null,
};
const edit = (text: string, revision: number, at = 2_000, from = ANN): Amendment => ({
  from,
  at,
  body: { kind: "edit", id: ID, text, revision },
});
const react = (emoji: string, at: number, from = BOB): Amendment => ({
  from,
  at,
  body: { kind: "reaction", to: { author: ANN, id: ID }, emoji },
});
const remove = (from = ANN, at = 2_000): Amendment => ({ from, at, body: { kind: "delete", id: ID } });
const all = (record: MessageRecord, ...amendments: readonly Amendment[]): MessageRecord =>
  amendments.reduce((current, amendment) => amendMessage(current, ANN, amendment) ?? current, record);

describe("changes of a message", () => {
  it("take the highest revision of the author", () => {
    expect(all(RECORD, edit("third", 2), edit("second", 1))).toMatchObject({ body: { text: "third" }, revision: 2 });
  });

  it("name the people of the wording that is shown, in any order of arrival", () => {
    const named = { start: 0, length: 4, person: BOB };
    const naming = edit("@Bob comes", 1);
    const edits = [{ ...naming, body: { ...naming.body, mentions: [named] } } as Amendment, edit("@Bob comes", 1), edit("Nobody comes", 2)];
    for (const order of [edits, edits.toReversed()]) {
      expect(all(RECORD, ...order.slice(0, 3)).body).toEqual({ kind: "text", text: "Nobody comes" });
      expect(all(RECORD, ...order.filter(({ body }) => "revision" in body && body.revision === 1)).body).toEqual({
        kind: "text",
        text: "@Bob comes",
        mentions: [named],
      });
    }
  });

  it("show the preview of the link of the wording that is shown, in any order of arrival, and keep no other", () => {
    const preview = (title: string): LinkPreview => ({ link: "https://a.example/", title, description: "", picture: "" });
    const linking = (title: string, revision: number): Amendment =>
      ({
        ...edit("https://a.example/", revision),
        body: { ...edit("https://a.example/", revision).body, preview: preview(title) },
      }) as Amendment;
    const linked = { ...RECORD, body: { kind: "text", text: "https://a.example/", preview: preview("first") } } as const;
    const shown = { kind: "text", text: "https://a.example/", preview: preview("third b") };
    const edits = [linking("second", 1), linking("third a", 2), linking("third b", 2), edit("https://a.example/", 2)];
    for (const order of [edits, edits.toReversed()]) {
      const record = all(linked, ...order);
      expect(record.body).toEqual(shown);
      expect(JSON.stringify(record.earlier)).not.toContain("title");
    }
    expect(all(linked, edit("No link", 1)).body).toEqual({ kind: "text", text: "No link" });
    expect(all(linked, edit("https://a.example/ again", 1)).body).not.toHaveProperty("preview");
  });

  it("keep what a reply answers", () => {
    const reply = { ...RECORD, body: { kind: "reply", text: "x", to: { author: BOB, id: ID }, quote: "q" } } as const;
    expect(all(reply, edit("y", 1)).body).toEqual({ ...reply.body, text: "y" });
  });

  it.each<[string, Amendment]>([
    ["an edit by another person", edit("x", 1, 2_000, BOB)],
    ["a deletion by another person", remove(BOB)],
    ["an edit after 24 hours", edit("x", 1, 1_001 + CHANGE_MS)],
    ["a deletion after 24 hours", remove(ANN, 1_001 + CHANGE_MS)],
  ])("refuse %s", (_, amendment) => {
    expect(amendMessage(RECORD, ANN, amendment)).toBeUndefined();
  });

  it("leave nothing of a deleted message, and nothing changes it again", () => {
    const gone = all(RECORD, react("👍", 1), edit("x", 1), remove());
    expect(gone).toEqual({ ...RECORD, body: { kind: "deleted" } });
    expect(amendMessage(gone, ANN, edit("y", 2))).toBeUndefined();
    expect(amendMessage(gone, ANN, react("👍", 9))).toBeUndefined();
  });

  it("take the latest reaction of each person", () => {
    const message = all(RECORD, react("👍", 5), react("👎", 3), react("👍", 1, ANN));
    expect(chatMessageOf({ key: "k", record: message }, ANN).reactions).toEqual([{ emoji: "👍", count: 2, isMine: true }]);
    expect(chatMessageOf({ key: "k", record: all(message, react("", 6)) }, ANN).reactions).toEqual([
      { emoji: "👍", count: 1, isMine: true },
    ]);
  });

  it("take a reaction of everyone in the largest group, and of no more people than there is room for", () => {
    const people = (count: number): readonly Amendment[] =>
      Array.from({ length: count }, (_, index) => react("👍", 5, index.toString(16).padStart(64, "0")));
    const countOf = (message: MessageRecord): number => Object.keys(message.reactions ?? {}).length;
    expect(countOf(all(RECORD, ...people(MAX_GROUP_MEMBERS)))).toBe(MAX_GROUP_MEMBERS);
    expect(countOf(all(RECORD, ...people(200)))).toBe(128);
  });

  it("keep the first wording and the latest others, within bounds and in any order", () => {
    const edits = Array.from({ length: 60 }, (_, index) => edit(`wording ${index}`, index + 1));
    const expected = all(RECORD, ...edits);
    expect(expected.earlier?.map(({ revision }) => revision)).toEqual([0, ...Array.from({ length: 15 }, (_, index) => 45 + index)]);
    expect(expected.earlier?.[0]).toEqual({ text: "first", revision: 0, at: RECORD.at });
    fc.assert(
      fc.property(fc.shuffledSubarray([...edits, ...edits], { minLength: 120 }), (order) => {
        expect(all(RECORD, ...order)).toEqual(expected);
      }),
      { seed: 32, numRuns: 50 },
    );
  });

  it.each([
    ["an edit", edit("x", 1)],
    ["a deletion", remove()],
  ])("refuse %s that cannot have come within 24 hours after the message did", (_, amendment) => {
    const arrived = { ...RECORD, arrivedAt: 5_000 };
    const at = (earliestMs: number): Amendment => ({ ...amendment, arrival: { earliestMs, nowMs: earliestMs + 1 } });
    expect(amendMessage(arrived, ANN, at(5_001 + CHANGE_MS))).toBeUndefined();
    expect(amendMessage(arrived, ANN, at(5_000 + CHANGE_MS))).toBeDefined();
    expect(amendMessage(RECORD, ANN, at(RECORD.at + 1 + CHANGE_MS))).toBeUndefined();
  });

  it("come to the same in any order, however often they arrive", () => {
    const changes = [
      react("👍", 5),
      react("❤️", 5),
      react("", 4),
      react("🎉", 2, ANN),
      edit("b", 1),
      edit("c", 2),
      edit("d", 3),
      edit("e", 3),
    ];
    const expected = all(RECORD, ...changes);
    fc.assert(
      fc.property(fc.shuffledSubarray([...changes, ...changes], { minLength: 16 }), (order) => {
        expect(all(RECORD, ...order)).toEqual(expected);
      }),
      { seed: 31, numRuns: 200 },
    );
  });
});

describe("a poll", () => {
  const POLL: MessageRecord = { ...RECORD, body: { kind: "poll", question: "When?", answers: ["Sat", "Sun", "Mon"], isMultiple: false } };
  const TO = { author: ANN, id: ID };
  const vote = (choices: readonly number[], at: number, from = BOB): Amendment => ({
    from,
    at,
    body: { kind: "poll.vote", to: TO, choices },
  });
  const close = (at: number, from = ANN): Amendment => ({ from, at, body: { kind: "poll.close", to: TO } });
  const shown = (record: MessageRecord): unknown => chatMessageOf({ key: "k", record }, ANN).poll;

  it("counts the last vote of each person, which can be changed and taken back", () => {
    expect(shown(all(POLL, vote([0], 1), vote([1], 2), vote([2], 1, ANN)))).toEqual({
      choices: { [BOB]: [1], [ANN]: [2] },
      isClosed: false,
    });
    expect(shown(all(POLL, vote([0], 1), vote([], 2)))).toEqual({ choices: {}, isClosed: false });
  });

  it("takes only what can be chosen, and only of a poll", () => {
    for (const choices of [[3], [0, 1], [1, 1]]) expect(amendMessage(POLL, ANN, vote(choices, 1))).toBeUndefined();
    const several = { ...POLL, body: { ...POLL.body, isMultiple: true } } as MessageRecord;
    expect(shown(all(several, vote([0, 2], 1)))).toMatchObject({ choices: { [BOB]: [0, 2] } });
    expect(amendMessage(several, ANN, vote([2, 0], 1))).toBeUndefined();
    expect(amendMessage(RECORD, ANN, vote([0], 1))).toBeUndefined();
    expect(amendMessage(RECORD, ANN, close(1))).toBeUndefined();
  });

  it("is closed by its author alone, long after, and counts what was cast before", () => {
    expect(amendMessage(POLL, ANN, close(5, BOB))).toBeUndefined();
    const late = close(9 * CHANGE_MS);
    expect(shown(all(POLL, vote([0], 1), late))).toEqual({ choices: { [BOB]: [0] }, isClosed: true });
    expect(shown(all(POLL, close(5), vote([1], 6)))).toEqual({ choices: {}, isClosed: true });
  });

  it("comes to the same in whatever order votes and closings arrive, each once or twice", () => {
    const events = [vote([0], 1), vote([1], 3), vote([2], 7), vote([0], 3, ANN), vote([1], 3, ANN), close(5), close(6)];
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length }), (order) => {
        expect(shown(all(POLL, ...order))).toEqual({ choices: { [BOB]: [1], [ANN]: [1] }, isClosed: true });
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("stores a bounded number of votes of each person, and of people", () => {
    const many = all(POLL, ...Array.from({ length: 40 }, (_, index) => vote([index % 3], index)));
    expect(many.poll?.votes[BOB]).toHaveLength(8);
    const people = (count: number): readonly Amendment[] =>
      Array.from({ length: count }, (_, index) => vote([0], 1, index.toString(16).padStart(64, "0")));
    expect(Object.keys(all(POLL, ...people(MAX_GROUP_MEMBERS)).poll?.votes ?? {})).toHaveLength(MAX_GROUP_MEMBERS);
    expect(Object.keys(all(POLL, ...people(200)).poll?.votes ?? {})).toHaveLength(128);
  });

  it("leaves nothing of its votes when it is deleted", () => {
    expect(all(POLL, vote([0], 1), remove())).toEqual({ ...RECORD, body: { kind: "deleted" } });
  });
});

it("of pins of a message the latest counts, in whatever order they come, and being pinned at the same moment", () => {
  const pin = (isPinned: boolean, at: number, from = BOB): Amendment => ({
    from,
    at,
    body: { kind: "pin", to: { author: ANN, id: ID }, isPinned },
  });
  const events = [pin(true, 1), pin(false, 3, ANN), pin(true, 3), pin(false, 2)];
  fc.assert(
    fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length }), (order) => {
      expect(all(RECORD, ...order).pin).toEqual({ isPinned: true, at: 3 });
    }),
    { seed: 3, numRuns: 100 },
  );
  const hostile: Amendment = { ...pin(true, Number.MAX_SAFE_INTEGER), arrival: { earliestMs: 0, nowMs: 50 } };
  expect(all(RECORD, hostile, pin(false, 600_051, ANN)).pin?.isPinned).toBe(false);
  expect(amendMessage({ ...RECORD, body: { kind: "timer", seconds: 1 } }, ANN, pin(true, 1))).toBeUndefined();
  expect(all(RECORD, pin(true, 1), remove())).toEqual({ ...RECORD, body: { kind: "deleted" } });
});
