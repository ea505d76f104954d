// What the section says of each step of a node that joins, in every language.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { joinLeftMs, joinWords } from "#renderer/features/node/status/join-words.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { Language } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

type Snapshot = NonNullable<NodeStatus["sync"]["snapshot"]>;
type Step = NonNullable<Snapshot["step"]>;

const ENGLISH: Language = { locale: "en", t: createTranslate("en", en) };
const GERMAN: Language = { locale: "de", t: createTranslate("de", { ...en, ...de }) };

function wordsOf(stage: Snapshot["stage"], step?: Step, language = ENGLISH, heights = { height: 9_000, target_height: 9_000 }): string {
  const snapshot = { stage, height: 8_000, bytes: 2_000_000, share: 0.42, ...(step && { step }) };
  return renderToStaticMarkup(<p>{joinWords(language, heights, snapshot)}</p>).replaceAll(/<[^>]+>/g, "");
}

describe("the words of a node that joins", () => {
  it("say the amounts of each step", () => {
    expect(wordsOf("headers", { name: "peers", done: 1, total: 4 })).toContain("1 of 4 connected nodes");
    const behind = { height: 5_000, target_height: 9_000 };
    expect(wordsOf("headers", { name: "peers", done: 1, total: 4 }, ENGLISH, behind)).toBe("Verifying headers: block 5,000 of 9,000.");
    expect(wordsOf("headers", { name: "header" })).toContain("header of block 8,000");
    expect(wordsOf("state", { name: "records", bytes: 2_000_000 })).toMatch(/^State of block 8,000: .*MB · 42%\.$/);
    expect(wordsOf("state", { name: "sort", done: 16, total: 64 })).toContain("part 16 of 64");
    expect(wordsOf("history", { name: "headers", done: 1_024, total: 10_000, bytes: 358_400 })).toMatch(/1,024 of about 10,000 · .*kB/);
    expect(wordsOf("history", { name: "receipts", done: 7, total: 7_200, bytes: 0 })).toContain("7 of 7,200 blocks");
    expect(wordsOf("history", { name: "block" })).toContain("block 8,000");
    expect(wordsOf("history", { name: "validators", done: 1, total: 3 })).toContain("1 of 3 sets");
    expect(wordsOf("history", { name: "store" })).toContain("disk");
    expect(wordsOf("history", { name: "headers", done: 1_024, total: 10_000, bytes: 9 }, GERMAN)).toContain("1.024 von etwa 10.000");
  });

  it("are those of the stage where an older node names no step", () => {
    expect(wordsOf("headers")).toBe(en["node.sync.headers"]);
    expect(wordsOf("history")).toBe(en["node.sync.history"]);
    expect(wordsOf("state")).toMatch(/^State of block 8,000: .*MB · 42%\.$/);
  });

  it("have the time of the step, or none", () => {
    const snapshot = { stage: "history", bytes: 9, share: 1 } as const;
    expect(joinLeftMs({ ...snapshot, eta_seconds: 7 })).toBe(7_000);
    expect(joinLeftMs({ ...snapshot, eta_seconds: 7, step: { name: "headers", eta_seconds: 0 } })).toBe(0);
    expect(joinLeftMs({ ...snapshot, eta_seconds: 7, step: { name: "headers" } })).toBeUndefined();
  });
});
