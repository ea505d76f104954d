import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Vitest leaves one processor to itself and the machine, which on two would halve the speed: its own work is little. Three where there are
 * two, because tests that start processes and browsers wait for much of their time. One number for all projects: then they run together.
 */
const WORKERS = Math.max(3, availableParallelism());

/** How long `expect.poll` waits for what is to come: Vitest's own second is nothing on a machine under load. */
const POLL_MS = 45_000;

/** Unit tests compute; integration and browser tests start processes of their own, so they get time. */
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
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "test/electron/**/*.test.ts"],
          globalSetup: ["test/e2e/support/prepare.ts"],
          testTimeout: 400_000,
          hookTimeout: 300_000,
          maxWorkers: WORKERS,
        },
      },
    ],
  },
});
