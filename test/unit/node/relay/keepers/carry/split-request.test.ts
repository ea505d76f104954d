// A request in parts of one box each, and what comes of them as one response.
import { describe, expect, it } from "vitest";
import { askParts, type CarriedMailRequest, isCarried, type RequestPart, splitRequest } from "#node/relay/keepers/carry/split-request.ts";
import type { MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const [A, B, C] = ["aa", "bb", "cc"].map((two) => two.repeat(32)) as [string, string, string];
const LIMITS = { partsAtOnce: 2, mergedBytes: 4_194_304 };
const item = (box: string): { envelope: ReturnType<typeof unsealedEnvelope>; admit: null } => ({
  envelope: unsealedEnvelope(box),
  admit: null,
});
const opening = (mailbox: string): Extract<CarriedMailRequest, { type: "open" }>["openings"][number] => ({
  ...{ mailbox, writeKey: B, read: "anyone", untilSec: 1, height: 1, signature: "" },
});
const asked = (...boxes: readonly string[]): Extract<CarriedMailRequest, { type: "get" }> => ({
  ...{ type: "get", scope: "11".repeat(16), hasContent: true },
  boxes: boxes.map((box) => ({ box, after: 5, afterDeletion: 2 })),
});
const page = (box: string, scope = "11".repeat(16)): MailResponse => ({
  ...{ type: "page", scope, items: [item(box)] },
  boxes: [{ box, ids: [], lastSeq: 9, opening: null, deletions: [], lastDeletion: 3, hasMore: false }],
});
const receipts = (...marks: readonly string[]): MailResponse => ({
  type: "receipts",
  receipts: [{ from: A, marks, untilSec: 1, signature: "" }],
});
const answering =
  (of: Readonly<Record<string, MailResponse>>) =>
  ({ box }: RequestPart): Promise<MailResponse> => {
    const response = of[box];
    return response === undefined ? Promise.reject(new Error(`none for ${box}`)) : Promise.resolve(response);
  };

describe("parts of a request", () => {
  it("are of one box each, with what belongs to it", () => {
    const put = splitRequest({ type: "put", items: [item(A), item(B), item(A)], openings: [opening(B), opening(C)], passOn: [C] });
    const kinds = put.map(({ box, request }) => [
      box,
      request.type === "put" && [request.items.length, request.openings.length, request.passOn],
    ]);
    expect(kinds).toEqual([
      [A, [2, 0, [C]]],
      [B, [1, 1, [C]]],
    ]);
    const notice = { mailbox: A, ids: [], proof: null };
    const others: readonly CarriedMailRequest[] = [
      { type: "open", openings: [opening(A), opening(B)] },
      asked(A, B),
      { type: "delete", notices: [notice, { ...notice, mailbox: B }, notice] },
      { type: "fetch", places: [A, B, A].map((box) => ({ box, id: "00" })) },
      { type: "watch", boxes: [A, B], isMore: true },
    ];
    for (const request of others) expect([request.type, splitRequest(request).map(({ box }) => box)]).toEqual([request.type, [A, B]]);
    expect(splitRequest({ type: "card", device: C, person: A, card: null })).toMatchObject([{ box: C }]);
    expect(splitRequest({ type: "typing", to: C, from: A, isNews: false })).toMatchObject([{ box: C }]);
  });

  it("are none of what keepers ask each other, and of news", () => {
    const typing = { type: "typing", to: A, from: B } as const;
    const some = [
      { type: "news", boxes: [A] },
      { type: "digest", slots: [1] },
      { type: "ranges", slot: 1, ranges: [""] },
    ] as const;
    expect([...some.map(isCarried), isCarried({ ...typing, isNews: true }), isCarried({ ...typing, isNews: false })]).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

describe("one response of all", () => {
  it("has all pages; of boxes that failed, or of another run, more follows from where it counts", async () => {
    const other = page(C, "22".repeat(16));
    const merged = await askParts(asked(A, B, C), answering({ [A]: page(A), [C]: other }), LIMITS);
    if (merged.type !== "page") throw new Error("No page");
    expect(merged.boxes.map(({ box, lastSeq, lastDeletion, hasMore }) => [box, lastSeq, lastDeletion, hasMore])).toEqual([
      [A, 9, 3, false],
      [B, 5, 2, true],
      [C, 5, 2, true],
    ]);
    expect(merged.items.map(({ envelope }) => envelope.recipient_pub)).toEqual([A]);
    // After a restart of the keeper positions of before are worth nothing.
    const again = await askParts(asked(B, C), answering({ [C]: other }), LIMITS);
    expect(again).toMatchObject({
      scope: "22".repeat(16),
      boxes: [
        { box: B, lastSeq: 0, lastDeletion: 0, hasMore: true },
        { box: C, lastSeq: 9 },
      ],
    });
    // What is not the keeper's to keep is left out.
    const kept = await askParts(asked(A, B), answering({ [A]: page(A), [B]: { type: "wrongKeeper", epoch: 1 } }), LIMITS);
    expect(kept.type === "page" && kept.boxes.map(({ box }) => box)).toEqual([A]);
  });

  it("stops where it has as much as one response may be, and leaves the rest for later", async () => {
    const boxes = [A, B, C, "dd".repeat(32)];
    const seen: string[] = [];
    const ask = (part: RequestPart): Promise<MailResponse> => {
      seen.push(part.box);
      return Promise.resolve(page(part.box));
    };
    const merged = await askParts(asked(...boxes), ask, { partsAtOnce: 2, mergedBytes: 10 });
    expect(merged.type === "page" && merged.boxes.map(({ hasMore }) => hasMore)).toEqual([false, false, true, true]);
    expect(seen).toEqual([A, B]);
  });

  it("has all receipts and all mail that came, and fails where all failed, or what is to be whole failed in part", async () => {
    const put: CarriedMailRequest = { type: "put", items: [item(A), item(B)], openings: [], passOn: [] };
    expect(await askParts(put, answering({ [A]: receipts("01"), [B]: receipts("02") }), LIMITS)).toMatchObject({
      receipts: [{ marks: ["01"] }, { marks: ["02"] }],
    });
    expect(await askParts(put, answering({ [B]: receipts("02") }), LIMITS)).toMatchObject({ receipts: [{ marks: ["02"] }] });
    await expect(askParts(put, answering({}), LIMITS)).rejects.toThrow(`none for ${A}`);
    const mail = (box: string): MailResponse => ({ type: "mail", items: [item(box)], openings: [opening(box)], deletions: [] });
    const fetch: CarriedMailRequest = { type: "fetch", places: [A, B].map((box) => ({ box, id: "00" })) };
    expect(await askParts(fetch, answering({ [A]: mail(A), [B]: mail(B) }), LIMITS)).toMatchObject({
      openings: [{ mailbox: A }, { mailbox: B }],
    });
    const watch: CarriedMailRequest = { type: "watch", boxes: [A, B], isMore: false };
    await expect(askParts(watch, answering({ [A]: { type: "done" } }), LIMITS)).rejects.toThrow(`none for ${B}`);
    expect(await askParts(watch, answering({ [A]: { type: "done" }, [B]: { type: "busy" } }), LIMITS)).toEqual({ type: "busy" });
    const wrong: MailResponse = { type: "wrongKeeper", epoch: 3 };
    expect(await askParts(watch, answering({ [A]: wrong, [B]: wrong }), LIMITS)).toEqual(wrong);
  });
});
