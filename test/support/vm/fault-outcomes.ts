// Prints what comes of calls that use the host ever closer to the end of the native stack, for each function of the host that reads something.
// To be run with a stack so small that it ends before the meter does; with "spare" for a machine that interprets then.
import { setBaselineCompiler } from "#node/vm/baseline-compiler.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { fromHex, utf8 } from "#shared/util/bytes.ts";
import { alice } from "../worlds/ledger-world.ts";
import { inShort, VmWorld } from "../worlds/vm-world.ts";
import { type Code, call, data, get, i32c, type ModuleSpec, W, when } from "./wasm-builder.ts";

const { i32, i64 } = W;
/** A point that is no key of anyone here, so that the host looks at its encoding. */
const STRANGER = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const MESSAGE = "a message";
/** Frames from the last one that fits up to what is tried. */
const BEYOND = 300;
const ROUNDS = 3;
const TOO_DEEP = 2_500;

interface HostUse {
  readonly name: string;
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly args: Code;
  readonly data: readonly Code[];
}

const USES: readonly HostUse[] = [
  { name: "log", params: [i32, i32], results: [], args: [i32c(0), i32c(400)], data: [data(0, "é".repeat(200))] },
  { name: "key_usable", params: [i32, i32], results: [i32], args: [i32c(0), i32c(64)], data: [data(0, STRANGER)] },
  {
    name: "sig_verify",
    params: [i32, i32, i32, i32],
    results: [i32],
    args: [i32c(0), i32c(MESSAGE.length), i32c(64), i32c(128)],
    data: [data(0, MESSAGE), bytesAt(64, signEd25519(utf8(MESSAGE), alice.seed)), bytesAt(128, fromHex(alice.pub))],
  },
  {
    name: "call",
    params: [i32, i32, i32, i32, i32, i32, i64, i32],
    results: [i32],
    args: [i32c(0), i32c(16), i32c(16), i32c(3), i32c(32), i32c(2), [0x42, 0], i32c(0)],
    data: [data(0, `${"1".padStart(16, "c")}${"run".padEnd(16)}[]`)],
  },
];

function bytesAt(offset: number, bytes: Uint8Array): Code {
  return [0, i32c(offset), W.end, [0x80 | (bytes.length & 0x7f), bytes.length >> 7], [...bytes]];
}

/** Goes down as many frames as its argument says, and uses the host there: it traps unless a result is what it is at the top. */
function moduleOf({ name, params, results, args, data: segments }: HostUse): ModuleSpec {
  const expected = name === "call" ? 0 : 1;
  const check: Code = results.length === 0 ? [] : [i32c(expected), 0x47, when(W.void, W.unreachable)];
  return {
    imports: [
      { name, params, results },
      { name: "arg_u64", params: [i32], results: [i64] },
    ],
    functions: [
      { export: "run", code: [i32c(0), call(1), 0xa7, call(3)] },
      { params: [i32], code: [get(0), when(W.void, [get(0), i32c(1), 0x6b, call(3)], [args, call(0), check])] },
    ],
    data: segments,
  };
}

function outcomesOf(use: HostUse): ReadonlySet<string> {
  const world = new VmWorld({ compiler: "any", hasSpare: process.argv[2] === "spare" });
  world.install({ functions: [{ export: "run", code: [] }] });
  const id = world.install(moduleOf(use), [{ name: "run", args: [{ name: "depth", type: "u64" }] }]);
  const at = (depth: number): string => {
    try {
      return inShort(world.call(id, "run", { args: [depth], gas: 10_000_000 }));
    } catch {
      return "the machine fails";
    }
  };
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    let [fits, fails] = [0, TOO_DEEP];
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      if (at(middle) === "ok") fits = middle;
      else fails = middle;
    }
    for (let depth = fits; depth < Math.min(fits + BEYOND, TOO_DEEP); depth += 1) outcomes.add(at(depth));
  }
  return outcomes;
}

// The machine itself would refuse a stack like this.
setBaselineCompiler();
process.stdout.write(JSON.stringify(USES.map((use) => [use.name, [...outcomesOf(use)].sort()])));
