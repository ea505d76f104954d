import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement, Suspense } from "react";
import { prerender } from "react-dom/static";
import { afterEach, expect, it, vi } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { untilLoaded } from "#renderer/lib/browser/window/until-loaded.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("loads a part once the node serves it again", async () => {
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError("away")).mockResolvedValue("part");
  const loaded = untilLoaded(load);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await loaded).toBe("part");
  expect(load).toHaveBeenCalledTimes(2);
});

it("draws a part that could not be loaded at first once it is there, with its properties", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const Part = lazyPart(
    vi
      .fn<() => Promise<(props: { readonly who: string }) => string>>()
      .mockRejectedValueOnce(new TypeError("away"))
      .mockResolvedValue(({ who }) => `for ${who}`),
  );
  const drawn = prerender(createElement(Suspense, { fallback: "waits" }, createElement(Part, { who: "Ann" })));
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await new Response((await drawn).prelude).text()).toContain("for Ann");
});

it.each(["chat/chat.tsx", "messages/message-list.tsx", "messages/search/filter-button.tsx"])(
  "is how %s loads what opens in a chat, which a node that is away must not end",
  (path) => {
    const code = readFileSync(join(ROOT, "renderer/features/inbox", path), "utf8");
    const parts = code.match(/\bimport\(/g) ?? [];
    expect(parts.length).toBeGreaterThan(0);
    expect(code.match(/lazyPart\(async \(\) => \(await import\(/g)).toHaveLength(parts.length);
  },
);
