import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";
import { filesByProcess } from "./own-process.ts";
import { WHOLE_TAG } from "./scripts/test/extent.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const PROCESSORS = availableParallelism();

/**
 * Vitest leaves one processor to itself and the machine, which on two would halve the speed: its own work is little. Four where there are
 * two, because browser tests wait for half of their time, and networks of nodes for two thirds; no more than eight for that, for what they
 * start has to fit into memory. One number for all projects: then they run together.
 */
const WORKERS = Math.max(4, PROCESSORS, Math.min(8, 2 * PROCESSORS));

/** How long `expect.poll` waits for what is to come: Vitest's own second is nothing on a machine under load. */
const POLL_MS = 45_000;

const unit = filesByProcess(["test/unit", "test/simulation"]);
const processes = filesByProcess(["test/integration", "test/e2e", "test/electron"]);
const isOfMail = (file: string): boolean => /^test\/unit\/(shared\/(messenger|apps|linking)|node\/gateway|agent)\//.test(file);
/** But `unit/node/crypto`, which compares what the runtime computes with the script. */
const isOfNode = (file: string): boolean => /^test\/(unit\/node\/(?!crypto\/)|simulation\/)/.test(file) && !isOfMail(file);

/**
 * Where much is signed, checked or exchanged, half of the time is Ed25519, X25519 and key derivation in script. There native libraries
 * compute them; test/unit/shared/native-primitives.test.ts compares both, vectors and browser tests run the script.
 */
const NATIVE_PRIMITIVES = [
  { find: /^tweetnacl$/, replacement: nativeFile("tweetnacl") },
  { find: /^@noble\/ed25519$/, replacement: nativeFile("noble-ed25519") },
  { find: /^@scure\/bip39$/, replacement: nativeFile("bip39") },
  { find: /^(#shared\/protocol|\.|\.\.)\/primitives\/signature\.ts$/, replacement: nativeFile("signature") },
  { find: /^\.\/guess-password\.ts$/, replacement: nativeFile("guess-password") },
];

function nativeFile(name: string): string {
  return fileURLToPath(new URL(`../test/support/native/${name}.ts`, import.meta.url));
}

const UNIT_TEST = {
  setupFiles: ["test/support/host/generator-sizes.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: WORKERS,
};

/** Tests that start processes and browsers, which take their time. */
const PROCESSES_TEST = {
  globalSetup: ["test/e2e/support/prepare.ts"],
  setupFiles: ["test/support/host/end-processes.ts"],
  testTimeout: 400_000,
  hookTimeout: 300_000,
  maxWorkers: WORKERS,
};

/** Unit tests compute; integration and browser tests start processes of their own, so they get time. */
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [{ name: WHOLE_TAG, description: "runs in a whole run, or where its file is named" }],
    expect: { poll: { timeout: POLL_MS, interval: 50 } },
    projects: [
      {
        extends: true,
        // A worker loads the modules once, for all files that it gets.
        test: { ...UNIT_TEST, name: "unit", include: unit.shared.filter((file) => !isOfNode(file) && !isOfMail(file)), isolate: false },
      },
      {
        extends: true,
        resolve: { alias: NATIVE_PRIMITIVES },
        test: { ...UNIT_TEST, name: "unit-mail", include: unit.shared.filter(isOfMail), isolate: false },
      },
      {
        extends: true,
        // The same in other processes: what a worker's files leave in memory adds up, and contracts set the compiler of their process.
        resolve: { alias: NATIVE_PRIMITIVES },
        test: { ...UNIT_TEST, name: "unit-node", include: unit.shared.filter(isOfNode), isolate: false },
      },
      {
        extends: true,
        test: { ...UNIT_TEST, name: "unit-alone", include: [...unit.alone] },
      },
      {
        extends: true,
        resolve: { alias: NATIVE_PRIMITIVES },
        // One project for both: a worker keeps its process only while the next file is of the same one.
        test: { ...PROCESSES_TEST, name: "processes", include: [...processes.shared], isolate: false },
      },
      {
        extends: true,
        resolve: { alias: NATIVE_PRIMITIVES },
        test: { ...PROCESSES_TEST, name: "processes-alone", include: [...processes.alone] },
      },
    ],
  },
});
