import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce, useAnnouncement } from "#renderer/lib/browser/announce.ts";

describe("words for screen readers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("leave the page once they were read, and stay their whole time behind others", () => {
    announce("Ada: Good morning.");
    vi.advanceTimersByTime(4_000);
    announce("Ada: Are you there?");
    vi.advanceTimersByTime(4_000);
    expect(useAnnouncement.getState().text).toBe("Ada: Are you there?");
    vi.advanceTimersByTime(1_000);
    expect(useAnnouncement.getState().text).toBe("");
  });

  it("are read again when they are the same", () => {
    announce("Copied");
    const { count } = useAnnouncement.getState();
    announce("Copied");
    expect(useAnnouncement.getState()).toEqual({ text: "Copied", count: count + 1 });
  });
});
