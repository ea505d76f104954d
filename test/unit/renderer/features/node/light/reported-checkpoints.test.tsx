// Checkpoints that a light node is offered from people one knows.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { ReportedCheckpoints } from "#renderer/features/node/light/reported-checkpoints.tsx";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { type BlockReport, IDLE_SNAPSHOT } from "#shared/messenger/model/conversation.ts";

const known = vi.hoisted((): { reports: readonly BlockReport[]; verified: readonly string[] } => ({ reports: [], verified: [] }));
vi.mock("#renderer/lib/messenger/messenger-context.tsx", () => ({
  useMessengerValue: (select: (messenger: typeof IDLE_SNAPSHOT) => unknown): unknown =>
    select({ ...IDLE_SNAPSHOT, blockReports: known.reports }),
}));
vi.mock("#renderer/lib/people/contacts/people-notes.ts", () => ({
  usePeopleNotes: (select: (store: object) => unknown): unknown =>
    select({ notes: Object.fromEntries(known.verified.map((person) => [person.repeat(64), { isVerified: true }])) }),
}));

function report(person: string, height: number): BlockReport {
  return { person: person.repeat(64), height, hash: "0a".repeat(32), at: 1_800_000_000_000, ownHash: null };
}

function shown(verified: readonly string[]): string {
  known.verified = verified;
  return renderToStaticMarkup(
    <MessagesProvider locale="en" catalogue={en}>
      <ReportedCheckpoints onChoose={(): void => undefined} />
    </MessagesProvider>,
  );
}

describe("checkpoints of contacts", () => {
  it("are those of verified ones, the newest first and at most three", () => {
    known.reports = [report("1", 10), report("2", 40), report("3", 30), report("4", 20), report("5", 99)];
    const html = shown(["1", "2", "3", "4"]);
    expect([...html.matchAll(/Block ([\d,]+)/g)].map(([, height]) => height)).toEqual(["40", "30", "20"]);
    // Each button says whose block it takes over.
    expect(new Set([...html.matchAll(/Use the block of ([^<]+)/g)].map(([, name]) => name)).size).toBe(3);
  });

  it("are none without verified contacts", () => {
    known.reports = [report("5", 99)];
    expect(shown([])).toBe("");
  });
});
