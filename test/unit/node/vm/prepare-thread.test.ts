import { describe, expect, it } from "vitest";
import { isBaselineCompilerAlone } from "#node/vm/baseline-compiler.ts";
import { isStackSufficient, wordsUntilFull } from "#node/vm/native-stack.ts";
import { prepareThread } from "#node/vm/prepare-thread.ts";
import { buildModule, call } from "#test/support/vm/wasm-builder.ts";

describe("a thread that is prepared for contracts", () => {
  it("has the baseline compiler alone, and stack for what the meter gives out", () => {
    prepareThread();
    expect([isBaselineCompilerAlone(), isStackSufficient()]).toEqual([true, true]);
  });

  it("is asked by a recursion without an end only", () => {
    const module = (code: number | readonly []): Uint8Array => buildModule({ functions: [{ code, export: "run" }] });
    expect(() => wordsUntilFull(module([]), "run")).toThrow("The recursion ends");
    expect(() => wordsUntilFull(buildModule({ functions: [{ code: call(0), export: "run" }] }), "other")).toThrow("no such entry");
  });
});
