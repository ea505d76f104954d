// The update check: releases of every known form are read, the source is asked seldom, and its failures are reported as such.
import { describe, expect, it } from "vitest";
import { compareVersions } from "#node/observability/update/compare-versions.ts";
import { readRelease } from "#node/observability/update/read-release.ts";
import { createUpdateCheck } from "#node/observability/update/update-check.ts";

const CURRENT = { tag: "v1.2.0", commit: "abcdef1", date: "2026-01-01", dirty: "false" };
const URL_OF_SOURCE = "https://releases.example/latest?key=secret";

class Source {
  asked = 0;
  nowMs = 1_800_000_000_000;
  answer: () => Response | Promise<Response>;

  constructor(answer: () => Response | Promise<Response>) {
    this.answer = answer;
  }

  readonly check = createUpdateCheck({
    url: URL_OF_SOURCE,
    current: CURRENT,
    clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs },
    fetch: async (url) => {
      expect(url).toBe(URL_OF_SOURCE);
      this.asked += 1;
      return await this.answer();
    },
  });
}

const json = (value: unknown, status = 200): Response => new Response(JSON.stringify(value), { status });

describe("versions", () => {
  it("are in the order of the standard", () => {
    const ordered = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
    ];
    const versions = [...ordered, "v1.0.1", "1.2.0", "v1.10.0", "2.0.0"];
    for (const [i, a] of versions.entries())
      for (const [j, b] of versions.entries())
        expect([a, b, Math.sign(compareVersions(a, b) ?? Number.NaN)]).toEqual([a, b, Math.sign(i - j)]);
  });

  it.each([
    ["v1.0.0", "1.0.0+build.5", 0],
    ["nightly", "1.0.0", undefined],
    ["1.0", "1.0.0", undefined],
  ])("%s beside %s gives %s", (a, b, order) => expect(compareVersions(a, b)).toBe(order));
});

describe("a release", () => {
  it.each<[string, unknown, object]>([
    [
      "GitHub's form",
      { tag_name: "v2", html_url: "https://x.example/r", url: "https://api.x.example/1", target_commitish: "main", published_at: "t" },
      { tag: "v2", commit: "", url: "https://x.example/r", published_at: "t" },
    ],
    [
      "GitLab's form",
      { tag_name: "v2", commit: { id: "abcdef0123" }, released_at: "t" },
      { tag: "v2", commit: "abcdef0123", url: "", published_at: "t" },
    ],
    [
      "this node's form",
      { tag: "v2", commit: "abcdef0", url: "https://x.example/", published_at: "t" },
      { tag: "v2", commit: "abcdef0", url: "https://x.example/", published_at: "t" },
    ],
    [
      "a list",
      [{ tag: "v4", draft: true }, { tag: "v3-rc", prerelease: true }, { tag: "v2" }],
      { tag: "v2", commit: "", url: "", published_at: "" },
    ],
    ["an address that runs script", { tag: "v2", url: "javascript:alert(1)" }, { tag: "v2", commit: "", url: "", published_at: "" }],
  ])("of %s is read", (_form, value, release) => expect(readRelease(value)).toEqual(release));

  it.each([null, 5, "v2", {}, [], [{ tag: "v2", draft: true }], { tag: "" }, { tag: 5 }, { tag: "x".repeat(501) }])(
    "is not in %j",
    (value) => {
      expect(readRelease(value)).toBeUndefined();
    },
  );
});

describe("the check", () => {
  it("compares this build with the release and keeps the source's query to itself", async () => {
    const source = new Source(() =>
      json({ tag: "v1.10.0", commit: "1234567", url: "https://x.example/r", published_at: "2026-02-01T00:00:00Z" }),
    );
    expect(await source.check()).toEqual({
      current: CURRENT,
      latest: { tag: "v1.10.0", commit: "1234567", url: "https://x.example/r", published_at: "2026-02-01T00:00:00Z" },
      update_available: true,
      checked_at: "2027-01-15T08:00:00.000Z",
      source: "https://releases.example/latest",
    });
  });

  it.each([
    [{ tag: "v1.2.0" }, false],
    [{ tag: "1.1.9" }, false],
    [{ tag: "v1.2.1-rc.1" }, true],
    [{ tag: "nightly" }, true],
    [{ tag: "nightly", commit: "abcdef1" }, false],
    [{ tag: "nightly", commit: "abcdef2" }, true],
  ])("finds for %j: update %s", async (release, isAvailable) => {
    expect((await new Source(() => json(release)).check()).update_available).toBe(isAvailable);
  });

  it("asks once for many, and again after ten minutes", async () => {
    const source = new Source(() => json({ tag: "v2.0.0" }));
    await Promise.all([source.check(), source.check(), source.check()]);
    source.nowMs += 599_999;
    await source.check();
    expect(source.asked).toBe(1);
    source.nowMs += 1;
    await source.check();
    expect(source.asked).toBe(2);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    [
      "is away",
      (): never => {
        throw new TypeError("fetch failed");
      },
    ],
    ["answers 404", (): Response => json({ tag: "v2" }, 404)],
    ["answers in HTML", (): Response => new Response("<html>")],
    ["names no release", (): Response => json({ message: "none" })],
    ["does not stop", (): Response => new Response("x".repeat(1_048_577))],
  ])("fails when the source %s, and tries again after a minute", async (_what, answer) => {
    const source = new Source(answer);
    for (const _ of [1, 2])
      await expect(source.check()).rejects.toMatchObject({
        code: "UPSTREAM_FAILED",
        status: 502,
        message: expect.not.stringContaining("secret"),
      });
    expect(source.asked).toBe(1);
    source.nowMs += 60_000;
    source.answer = (): Response => json({ tag: "v2.0.0" });
    expect((await source.check()).update_available).toBe(true);
  });
});
