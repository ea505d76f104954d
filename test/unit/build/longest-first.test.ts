import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LONGEST, sideBySide } from "#build/longest-first.ts";
import { ROOT } from "#build/scripts/process.ts";

it("names test files that are there, each once", () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});

it("runs files that wait and files that compute side by side, each kind in its order", () => {
  const file = (name: string, isComputing: boolean, isLong = false): { file: string; isComputing: boolean; isLong: boolean } => ({
    file: name,
    isComputing,
    isLong,
  });
  const waiting = Array.from({ length: 30 }, (_, n) => file(`w${n}`, false, n < 10));
  const computing = Array.from({ length: 300 }, (_, n) => file(`c${n}`, true));
  const order = sideBySide([...waiting, ...computing]);
  expect(order.filter((name) => name.startsWith("w"))).toEqual(waiting.map(({ file: name }) => name));
  expect(order.filter((name) => name.startsWith("c"))).toEqual(computing.map(({ file: name }) => name));
  expect(order.slice(0, 4)).toEqual(["w0", "c0", "c1", "c2"]);
  // While the long ones run, the others do not come to an end.
  const middle = order.indexOf("w10");
  expect(order.slice(middle).filter((name) => name.startsWith("c")).length).toBeGreaterThan(80);
  expect(sideBySide(waiting)).toEqual(waiting.map(({ file: name }) => name));
});
