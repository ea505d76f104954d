import { describe, expect, it } from "vitest";
import { deviceProblemInWords, problemInWords } from "#renderer/features/inbox/messages/parts/message-problem.ts";
import { previewOf, textOfBody } from "#renderer/features/inbox/model/message-text.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import type { MessageBody } from "#shared/messenger/model/message.ts";

const t = createTranslate("en", en);

describe("text of a message", () => {
  it("is the text itself, with its lines", () => {
    expect(textOfBody(t, { kind: "text", text: "a\n b" })).toBe("a\n b");
  });

  it("is the fallback of an unknown kind, else its name", () => {
    expect(textOfBody(t, { kind: "unsupported", name: "poll", fallback: "A poll" })).toBe("A poll");
    expect(textOfBody(t, { kind: "unsupported", name: "poll", fallback: "" })).toContain("poll");
  });

  it("is the emoji of a sticker", () => {
    const body = { kind: "attachment", name: "sticker.webp", caption: "", image: null, sticker: "🦊" } as unknown as MessageBody;
    expect(textOfBody(t, body)).toBe("🦊 Sticker");
  });

  it("stands on one line in lists, cut between whole characters", () => {
    expect(previewOf(t, { kind: "text", text: " a\n\n\tb  c " })).toBe("a b c");
    const preview = previewOf(t, { kind: "text", text: "🦊".repeat(500) });
    expect([...preview]).toHaveLength(200);
    expect(preview.isWellFormed()).toBe(true);
  });

  it("shows no secret of an invite link in lists and notices", () => {
    const text = "Come: parley:group#hQFEAA_BB_CC-1 or https://node.example/inbox/join#hQFEAA_BB_CC-1!";
    expect(previewOf(t, { kind: "text", text })).toBe("Come: Group invite link or Group invite link!");
    expect(previewOf(t, { kind: "text", text: "parley:group and #words" })).toBe("parley:group and #words");
  });
});

describe("why a message is not on its way", () => {
  it("is said in own words where the reason is known, else in those of the node", () => {
    expect(problemInWords(t, { code: "NO_ENCRYPTION_KEY", message: "x" })).toBe("They haven't published an encryption key.");
    expect(problemInWords(t, { code: "UNAVAILABLE", message: "x" })).toBe("The node can't be reached.");
    expect(problemInWords(t, { code: "BAD_REQUEST", message: "too odd" })).toContain("too odd");
  });

  it("names the device that it waits for, once its name is known", () => {
    expect(problemInWords(t, { code: "DEVICE_WITHOUT_CARD", message: "x" })).toMatch(/^One of their devices was set up again/);
    expect(deviceProblemInWords(t, "Laptop")).toMatch(/^Their device Laptop was set up again/);
    expect(deviceProblemInWords(t, "")).not.toContain("weeks");
  });
});
