// How long a transfer still takes.
import { expect, it } from "vitest";
import { TransferSpeed } from "#shared/messenger/transfer/transfer-speed.ts";

const total = 1_000;

it("is said by what came in the last minute, once there were five seconds", () => {
  const speed = new TransferSpeed();
  expect(speed.leftMs({ done: 0, total }, 0)).toBeNull();
  expect(speed.leftMs({ done: 10, total }, 4_900)).toBeNull();
  expect(speed.leftMs({ done: 20, total }, 10_000)).toBe(490_000);
  // Ten times as fast since: after a minute only that counts.
  for (let second = 11; second <= 71; second += 1) speed.leftMs({ done: 20 + (second - 10) * 10, total }, second * 1_000);
  expect(speed.leftMs({ done: 640, total }, 72_000)).toBe(36_000);
});

it("is not known while nothing comes, after a step back, and at the end", () => {
  const speed = new TransferSpeed();
  speed.leftMs({ done: 5, total }, 0);
  expect(speed.leftMs({ done: 5, total }, 20_000)).toBeNull();
  expect(speed.leftMs({ done: 1, total }, 21_000)).toBeNull();
  expect(speed.leftMs({ done: total, total }, 40_000)).toBeNull();
  expect(speed.leftMs({ done: 3, total: 0 }, 50_000)).toBeNull();
});
