import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { untilLoaded } from "#renderer/lib/browser/window/until-loaded.ts";

it("loads a part once the node serves it again", async () => {
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError("away")).mockResolvedValue("part");
  const loaded = untilLoaded(load);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await loaded).toBe("part");
  expect(load).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it.each(["chat/chat.tsx", "messages/message-list.tsx", "messages/search/filter-button.tsx"])(
  "is how %s loads what opens in a chat, which a node that is away must not end",
  (path) => {
    const code = readFileSync(join(ROOT, "renderer/features/inbox", path), "utf8");
    const parts = code.match(/\bimport\(/g) ?? [];
    expect(parts.length).toBeGreaterThan(0);
    expect(code.match(/untilLoaded\(\(\) => import\(/g)).toHaveLength(parts.length);
  },
);
