import { describe, expect, it } from "vitest";
import { parseWrk } from "../../bench/load/read-load.ts";

describe("parseWrk", () => {
  it("reads the line of the script", () => {
    const line = 'RESULT {"requests":4000,"durationUs":2000000,"failures":0,"p50Us":150,"p99Us":2400}';
    expect(parseWrk(`Running 2s test\n  1 threads\n${line}\n`)).toEqual({ perSecond: 2_000, p50: 0.15, p99: 2.4 });
  });

  it("does not take failures for an outcome", () => {
    expect(() => parseWrk('RESULT {"requests":9,"durationUs":1,"failures":2,"p50Us":1,"p99Us":1}')).toThrow("2 of 9");
    expect(() => parseWrk("unable to connect")).toThrow("no result");
  });
});
