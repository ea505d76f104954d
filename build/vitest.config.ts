import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Vitest leaves one processor to itself and the machine, which on two would halve the speed: its own work is little. */
const UNIT_WORKERS = Math.max(2, availableParallelism());

/** How long `expect.poll` waits for what is to come: Vitest's own second is nothing on a machine under load. */
const POLL_MS = 45_000;

/** Unit tests share workers; integration and browser tests start processes of their own, so they get time and little company. */
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: POLL_MS, interval: 50 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/unit/**/*.test.tsx", "test/simulation/**/*.test.ts"],
          setupFiles: ["test/support/host/generator-sizes.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: UNIT_WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "test/electron/**/*.test.ts"],
          globalSetup: ["test/e2e/support/prepare.ts"],
          testTimeout: 300_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
