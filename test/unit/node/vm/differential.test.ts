// Metering must not change what a module computes: random programs run raw and metered, and agree on memory, globals, results and traps.
import { describe, expect, it } from "vitest";
import { ENTRY_PREFIX, instrumentModule, METERED } from "#node/vm/module/instrument-module.ts";
import { STACK_WORDS } from "#node/vm/module/module-limits.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { PlainMachine } from "#test/support/vm/plain/plain-machine.ts";
import { randomModule } from "#test/support/vm/random-module.ts";
import { buildModule, name } from "#test/support/vm/wasm-builder.ts";

import { VmWorld } from "#test/support/worlds/vm-world.ts";

const GAS = 2_000_000_000;
const SEEDS = extent(80, 200);
const PLAIN_SEEDS = extent(60, 150);

interface Run {
  readonly hasTrapped: boolean;
  readonly memory: WebAssembly.Memory;
  /** Used; 0 for a raw module. */
  readonly gas: number;
  /** Words left; undefined for a raw module. */
  readonly stack: number | undefined;
}

function hashOf(buffer: ArrayBufferLike): string {
  let hash = 0;
  const words = new Int32Array(buffer);
  for (const word of words) hash = (Math.imul(hash, 31) + word) | 0;
  return `${words.length} ${hash}`;
}

/** Runs an entry on the engine; a raw module exports its memory as the metered one does. */
function run(code: Uint8Array<ArrayBuffer>, entry: string): Run {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { log: (): undefined => undefined } });
  const meter = (meterName: string, value: number): WebAssembly.Global<"i32"> | undefined => {
    const global = exports[meterName] as WebAssembly.Global<"i32"> | undefined;
    if (global !== undefined) global.value = value;
    return global;
  };
  const [gas, stack] = [meter(METERED.gas, GAS), meter(METERED.stack, STACK_WORDS)];
  let hasTrapped = false;
  try {
    (exports[entry] as () => void)();
  } catch (error) {
    expect(error).toBeInstanceOf(WebAssembly.RuntimeError);
    hasTrapped = true;
  }
  const memory = exports[METERED.memory] as WebAssembly.Memory;
  return { hasTrapped, memory, gas: gas === undefined ? 0 : GAS - gas.value, stack: stack?.value };
}

describe("a random program", () => {
  it("does the same raw and metered, and gives its stack back", () => {
    let trapped = 0;
    let heavy = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const spec = randomModule(seed);
      const raw = buildModule({ ...spec, exports: [[name(METERED.memory), 2, 0]] }) as Uint8Array<ArrayBuffer>;
      const first = run(raw, "run");
      const second = run(instrumentModule(buildModule(spec)).code, `${ENTRY_PREFIX}run`);
      expect([seed, second.hasTrapped, hashOf(second.memory.buffer)]).toEqual([seed, first.hasTrapped, hashOf(first.memory.buffer)]);
      if (!second.hasTrapped) expect(second.stack).toBe(STACK_WORDS);
      trapped += Number(second.hasTrapped);
      heavy += Number(second.gas > 1_000);
    }
    // The programs must be worth it: most do much, and some trap.
    expect(trapped).toBeGreaterThan(SEEDS / 20);
    expect(trapped).toBeLessThan((SEEDS * 3) / 4);
    expect(heavy).toBeGreaterThan(SEEDS * 0.4);
  });

  it("does the same in a plain interpreter, and costs what its instructions cost one by one", () => {
    let compared = 0;
    for (let seed = 1; seed <= PLAIN_SEEDS; seed += 1) {
      const code = buildModule(randomModule(seed));
      const metered = run(instrumentModule(code).code, `${ENTRY_PREFIX}run`);
      const machine = new PlainMachine(code);
      const plain = machine.run("run");
      const hasTrapped = plain.end === "trap";
      expect([seed, hasTrapped, hashOf(machine.memory.bytes.buffer)]).toEqual([seed, metered.hasTrapped, hashOf(metered.memory.buffer)]);
      // A stretch that traps in its middle is paid whole.
      if (hasTrapped) expect(metered.gas).toBeGreaterThanOrEqual(plain.gas);
      else expect([seed, metered.gas]).toEqual([seed, plain.gas]);
      compared += Number(!hasTrapped);
    }
    expect(compared).toBeGreaterThan(PLAIN_SEEDS / 4);
  });
});

describe("a random contract", () => {
  it("comes to the same outcome in new instances, in ones that are used again, and twice", () => {
    const worlds = [new VmWorld({ idleInstances: 0 }), new VmWorld(), new VmWorld({ cacheBytes: 1 })];
    for (let seed = 1; seed <= extent(20, 40); seed += 1) {
      const code = buildModule(randomModule(seed));
      const outcomes = worlds.flatMap((world) => {
        const id = world.install(code);
        return [10_000, 150_000, 1_000_000, 1_000_000].map((gas) => {
          const { failure, gasUsed, logs } = world.call(id, "run", { gas: world.loadingGas(id) + gas });
          return JSON.stringify([gas, failure, gasUsed, logs.map(({ message }) => message)]);
        });
      });
      expect([seed, new Set(outcomes).size]).toEqual([seed, 3]);
    }
  });
});
