// Broken and hostile bytes: modules are mutated, and whatever comes of it the validator neither fails nor accepts what the engine would
// refuse, and what it accepts ends within its gas.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { randomModule, randomNumbers } from "#test/support/vm/random-module.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";
import { VmWorld } from "#test/support/worlds/vm-world.ts";

const vault = new Uint8Array(readFileSync(fileURLToPath(new URL("../../../vectors/contracts/vault.wasm", import.meta.url))));
const SEEDS = [vault, ...Array.from({ length: 20 }, (_, seed) => buildModule(randomModule(seed)))];
const INTERESTING = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x1a, 0x20, 0x40, 0x41, 0x7c, 0x7d, 0x7e, 0x7f, 0x80, 0xfc,
  0xfd, 0xff,
];
const OUTCOMES = [undefined, "CONTRACT_ABORTED", "CONTRACT_OUT_OF_GAS", "CONTRACT_TRAPPED", "CONTRACT_STACK_OVERFLOW"];
const ROUNDS = extent(1_200, 4_000);

/** Modules of noise. */
const NOISE = extent(500, 2_000);

type Random = (below: number) => number;

/** One to three small changes. */
function mutate(source: Uint8Array, random: Random): Uint8Array {
  let bytes = [...source];
  for (let change = 1 + random(3); change > 0; change -= 1) {
    const at = 8 + random(Math.max(1, bytes.length - 8));
    const value = random(3) === 0 ? random(256) : (INTERESTING[random(INTERESTING.length)] ?? 0);
    const kind = random(10);
    if (kind < 6) bytes[at] = value;
    else if (kind === 6) bytes.splice(at, 0, value);
    else if (kind === 7) bytes.splice(at, 1 + random(3));
    else if (kind === 8) bytes = [...bytes.slice(0, at), ...bytes.slice(random(bytes.length), at + 8), ...bytes.slice(at)];
    else bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  }
  return Uint8Array.from(bytes);
}

describe("mutated modules", () => {
  it("are refused, or run within their gas; nothing else ever happens", () => {
    const random = randomNumbers(20_260_101);
    const world = new VmWorld();
    const seen = { valid: 0, run: 0, refused: new Set<string>() };
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = mutate(SEEDS[random(SEEDS.length)] ?? vault, random);
      const inspection = inspectModule(code);
      if (!inspection.isValid) {
        // The engine is asked last: it must never know better.
        expect([round, inspection.message]).not.toEqual([round, "the engine refuses it"]);
        seen.refused.add(inspection.reason);
        continue;
      }
      seen.valid += 1;
      expect([round, WebAssembly.validate(instrumentModule(code).code)]).toEqual([round, true]);
      const methods = [...inspection.entries].filter((entry) => /^[a-z_]+$/.test(entry));
      for (const method of methods.slice(0, 2)) {
        const id = world.install(code, [method]);
        const gas = world.loadingGas(id) + 60_000;
        const { failure, gasUsed } = world.call(id, method, { gas });
        expect(OUTCOMES).toContain(failure);
        expect(gasUsed).toBeLessThanOrEqual(gas);
        seen.run += 1;
      }
    }
    expect(seen.valid).toBeGreaterThan(ROUNDS / 40);
    expect(seen.run).toBeGreaterThan(ROUNDS / 60);
    for (const reason of ["malformed", "type", "feature", "float"]) expect([...seen.refused]).toContain(reason);
  });

  it("that are noise are refused", () => {
    const random = randomNumbers(7);
    for (let round = 0; round < NOISE; round += 1) {
      const noise = Uint8Array.from({ length: 8 + random(64) }, () => random(256));
      expect(inspectModule(noise).isValid).toBe(false);
      noise.set([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
      expect(inspectModule(noise).isValid).toBe(false);
    }
  });
});
