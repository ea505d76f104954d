import { expect, it, vi } from "vitest";
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
