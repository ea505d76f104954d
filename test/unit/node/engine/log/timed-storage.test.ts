import { expect, it } from "vitest";
import { timedStorage } from "#node/engine/log/timed-storage.ts";
import { SimulatedDisk } from "#test/support/host/simulated-disk.ts";

it("reports each sync of the log, after it is done, to those who listen then", () => {
  const storage = timedStorage(new SimulatedDisk());
  const seconds: number[] = [];
  const stop = storage.onLogSync((took) => seconds.push(took));
  const log = storage.openLog();
  log.append(Uint8Array.of(1));
  expect(seconds).toEqual([]);
  log.sync();
  expect(seconds).toHaveLength(1);
  expect(seconds[0]).toBeGreaterThanOrEqual(0);
  stop();
  log.sync();
  expect(seconds).toHaveLength(1);
  expect([...log.read()]).toEqual([1]);
});
