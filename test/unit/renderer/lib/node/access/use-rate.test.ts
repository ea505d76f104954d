import { describe, expect, it } from "vitest";
import { rateQuery } from "#renderer/lib/node/access/use-rate.ts";

describe("the rate", () => {
  it("is asked of nothing while no source is named", () => {
    expect(rateQuery({ readRate: () => Promise.reject(new Error("asked")) }, null).enabled).toBe(false);
  });

  it("is asked of the source that is named, every five minutes", async () => {
    const asked: unknown[] = [];
    const { queryFn, enabled, refetchInterval, staleTime } = rateQuery(
      {
        readRate: (input) => {
          asked.push(input);
          return Promise.resolve({ rate: 2.5, at: "2027-01-15T08:00:00.000Z" });
        },
      },
      { url: "https://rates.example/", path: "rates.EUR", currency: "EUR" },
    );
    if (typeof queryFn !== "function") throw new Error("no function");
    const context = { signal: new AbortController().signal } as unknown as Parameters<typeof queryFn>[0];
    expect(await queryFn(context)).toEqual({ rate: 2.5, atMs: 1_800_000_000_000 });
    expect(asked).toEqual([{ body: { url: "https://rates.example/", path: "rates.EUR" } }]);
    expect([enabled, refetchInterval, staleTime]).toEqual([true, 300_000, 300_000]);
  });
});
