import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ASKING_MS,
  type AskedLink,
  isAsking,
  joinAsked,
  MAX_ASKED_LINKS,
  nextRequestAt,
  viewOfAsked,
  withAsked,
  withoutAsked,
  withoutOldSecrets,
  withRefusal,
  withRequestSent,
} from "#shared/messenger/model/asked-links.ts";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function asked(group: string, fields: Partial<AskedLink> = {}): AskedLink {
  const link = { group, key: "aa".repeat(32), secret: "01".repeat(16), name: "Hikes", admins: ["bb".repeat(32)] };
  return { ...link, askedAt: NOW, sentAt: 0, times: 0, ...fields };
}

describe("a request by a link", () => {
  it("is sent at once, after ten minutes, an hour, every six hours, and no more after seven days", () => {
    let links: readonly AskedLink[] = [asked("a")];
    const sent: number[] = [];
    for (let at: number | undefined = NOW; at !== undefined; ) {
      const [link] = links as [AskedLink];
      const next = nextRequestAt(link, at);
      if (next !== undefined && next > at) {
        at = next;
        continue;
      }
      if (next === undefined) break;
      sent.push((at - NOW) / MINUTE);
      links = withRequestSent(links, "a", at);
    }
    expect(sent.slice(0, 5)).toEqual([0, 10, 70, 430, 790]);
    expect(sent.at(-1)).toBeLessThan(ASKING_MS / MINUTE);
    expect(sent).toHaveLength(30);
  });

  it("is sent at once again where the clock was set back, and never without the secret or once refused", () => {
    expect(nextRequestAt(asked("a", { sentAt: NOW + HOUR, times: 3 }), NOW)).toBe(NOW);
    expect(nextRequestAt(asked("a", { secret: "" }), NOW)).toBeUndefined();
    expect(nextRequestAt(asked("a", { refusal: "used" }), NOW)).toBeUndefined();
  });
});

describe("links by which was asked", () => {
  it("read as asking, refused with the reason, or silent, and never show the secret", () => {
    expect(viewOfAsked(asked("a"), NOW)).toEqual({
      group: "a",
      key: "aa".repeat(32),
      name: "Hikes",
      admins: ["bb".repeat(32)],
      askedAt: NOW,
      state: "asking",
      refusal: null,
    });
    expect(viewOfAsked(asked("a"), NOW + ASKING_MS)).toMatchObject({ state: "silent", refusal: null });
    expect(viewOfAsked(asked("a", { refusal: "full" }), NOW + ASKING_MS)).toMatchObject({ state: "refused", refusal: "full" });
  });

  it("are of a group the latest, and those that are over make room for another one, the oldest first", () => {
    const full = Array.from({ length: MAX_ASKED_LINKS }, (_, index) => asked(`g${index}`));
    expect(withAsked(full, asked("new"), NOW)).toBeUndefined();
    expect(withAsked(full, asked("g3", { name: "Other" }), NOW)?.filter(({ group }) => group === "g3")).toEqual([
      asked("g3", { name: "Other" }),
    ]);
    const some = full.map((link, index) =>
      index === 5 || index === 7 ? { ...link, refusal: "used" as const, askedAt: NOW - index } : link,
    );
    expect(withAsked(some, asked("new"), NOW)?.map(({ group }) => group)).toEqual([
      ...some.map(({ group }) => group).filter((group) => group !== "g7"),
      "new",
    ]);
  });

  it("are refused by those who were asked alone, about that very link, once; the secret is forgotten", () => {
    const links = [asked("a")];
    const refusal = { group: "a", key: "aa".repeat(32), from: "bb".repeat(32), reason: "withdrawn" } as const;
    expect(withRefusal(links, { ...refusal, from: "cc".repeat(32) })).toBe(links);
    expect(withRefusal(links, { ...refusal, key: "dd".repeat(32) })).toBe(links);
    expect(withRefusal(links, { ...refusal, group: "b" })).toBe(links);
    const refused = withRefusal(links, refusal);
    expect(refused).toEqual([asked("a", { secret: "", refusal: "withdrawn" })]);
    expect(withRefusal(refused, { ...refusal, reason: "full" })).toBe(refused);
  });

  it("lose their secrets once no one is asked any more", () => {
    const links = [asked("a"), asked("b", { askedAt: NOW - ASKING_MS })];
    expect(withoutOldSecrets(links, NOW).map(({ secret }) => secret)).toEqual(["01".repeat(16), ""]);
    expect(withoutOldSecrets([asked("a")], NOW)).toEqual([asked("a")]);
    expect(withoutAsked(links, "a").map(({ group }) => group)).toEqual(["b"]);
    expect(withoutAsked(links, "c")).toBe(links);
  });

  it("of a backup are added as far as there is room, and change nothing that is known here", () => {
    const groups = fc.uniqueArray(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), { maxLength: MAX_ASKED_LINKS });
    fc.assert(
      fc.property(groups, groups, (here, there) => {
        const known = here.map((group) => asked(group, { name: "here" }));
        const joined = joinAsked(
          known,
          there.map((group) => asked(group)),
          NOW,
        );
        expect(joined.length).toBeLessThanOrEqual(MAX_ASKED_LINKS);
        expect(joined.slice(0, known.length)).toEqual(known);
        expect(joined.every((link) => isAsking(link, NOW))).toBe(true);
        expect(joined.length).toBe(Math.min(MAX_ASKED_LINKS, new Set([...here, ...there]).size));
      }),
    );
  });
});
