// The own builders against TypeBox's, and the own check against TypeBox's.
import fc from "fast-check";
import TypeBox, { type TSchema } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { AuthFrame, ClientFrame, PingFrame, SubmitTxFrame, SubscribeFrame } from "#shared/api/frames.ts";
import { findMismatch, fits } from "#shared/schema/check.ts";
import { Type } from "#shared/schema/type.ts";

/** The same schemas by any builder. */
function schemasOf(type: typeof Type): readonly TSchema[] {
  const limited = type.Optional(type.Integer({ minimum: 1, maximum: 5, default: 2, "x-clamp": 5 }));
  const choice = type.Union([type.Literal("a"), type.Literal(1), type.Literal(true)], { description: "d" });
  return [
    type.String({ title: "T", minLength: 1, maxLength: 3 }),
    type.Boolean({ description: "b" }),
    type.Number(),
    type.Null(),
    type.Undefined(),
    type.Unknown(),
    choice,
    type.Optional(choice),
    type.Enum(["x", "y"], { default: "x" }),
    type.Array(type.Object({ a: limited, b: type.String() }, { title: "Item" }), { maxItems: 2 }),
    type.Record(type.String(), type.Array(type.String()), { description: "r" }),
    type.Object({}),
    type.Object({ a: limited, b: type.Optional(type.Null()) }, { additionalProperties: false }),
    type.Object({ a: type.Object({ b: choice }), c: type.Optional(type.Array(type.Boolean())) }),
  ];
}

/** All properties, those included that do not show. */
function unhidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unhidden);
  if (typeof value !== "object" || value === null) return value;
  return Object.getOwnPropertyNames(value)
    .sort()
    .map((name) => [name, Object.getOwnPropertyDescriptor(value, name)?.enumerable, unhidden(value[name as never])]);
}

describe("schema builders", () => {
  it("build what TypeBox builds", () => {
    const [own, reference] = [schemasOf(Type), schemasOf(TypeBox)];
    expect(own.map(unhidden)).toEqual(reference.map(unhidden));
    expect(JSON.stringify(own)).toBe(JSON.stringify(reference));
  });
});

const name = fc.constantFrom("type", "a", "b", "c", "req", "topic", "tx", "pub", "sig", "other", "__proto__");
const atom = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "a",
    "y",
    "",
    "subscribe",
    "submit_tx",
    "auth",
    "ping",
    0,
    1,
    5,
    6,
    1.5,
    -1,
    "😀😀😀",
    "abcd",
    "x".repeat(65),
  ),
  fc.constantFrom<unknown>("x".repeat(200), "x".repeat(201), [], {}),
);
const anything = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, atom, fc.array(tie("node"), { maxLength: 3 }), fc.dictionary(name, tie("node"))),
})).node;

describe("schema check", () => {
  const checked = [
    ...schemasOf(Type).filter((schema) => !/patternProperties|x-clamp|maxItems/.test(JSON.stringify(schema))),
    ...[ClientFrame, SubmitTxFrame, SubscribeFrame, PingFrame, AuthFrame],
    Type.Object(
      { n: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })), list: Type.Array(Type.Integer()) },
      { additionalProperties: false },
    ),
  ];

  it("takes what TypeBox takes", () => {
    const taken = new Set<number>();
    const frame = fc.record({
      type: fc.constantFrom("subscribe", "submit_tx", "auth", "ping"),
      topic: atom,
      tx: atom,
      pub: atom,
      sig: atom,
      req: atom,
    });
    const limits = fc.record({ n: fc.nat(6), list: fc.array(fc.oneof(fc.nat(9), atom), { maxLength: 2 }) }, { requiredKeys: ["list"] });
    const nested = fc.record({ a: fc.record({ b: atom }), c: fc.array(fc.boolean()) }, { requiredKeys: ["a"] });
    fc.assert(
      fc.property(fc.oneof(anything, frame, limits, nested), fc.nat(checked.length - 1), (value, index) => {
        const schema = checked[index] as TSchema;
        const isFitting = Value.Check(schema, value);
        expect(fits(schema, value)).toBe(isFitting);
        if (isFitting) taken.add(index);
      }),
      { seed: 1, numRuns: 20_000 },
    );
    expect(checked.filter((_, index) => !taken.has(index)).map((schema) => JSON.stringify(schema))).toEqual(['{"type":"undefined"}']);
    expect(fits(Type.Undefined(), undefined)).toBe(true);
  });

  it.each<[unknown, readonly string[], string]>([
    [[], [], "must be object"],
    [{ type: "subscribe" }, ["topic"], "is required"],
    [{ type: "subscribe", topic: 1 }, ["topic"], "must be string"],
    [{ type: "subscribe", topic: "x".repeat(201) }, ["topic"], "must not have more than 200 characters"],
    [{ type: "subscribe", topic: "t", req: {} }, ["req"], "must match one of its forms"],
    [{ type: "other", topic: "t" }, ["type"], 'must be "subscribe"'],
  ])("says what is wrong with %j", (value, path, message) => {
    expect(findMismatch(SubscribeFrame, value)).toEqual({ path, message });
  });

  it("names the place in a list and a property that is not known", () => {
    const schema = Type.Object({ list: Type.Array(Type.Integer({ minimum: 2, maximum: 3 })) }, { additionalProperties: false });
    expect(findMismatch(schema, { list: [2, 4] })).toEqual({ path: ["list", "1"], message: "must be at most 3" });
    expect(findMismatch(schema, { list: [1] })).toEqual({ path: ["list", "0"], message: "must be at least 2" });
    expect(findMismatch(schema, { list: [], more: 1 })).toEqual({ path: ["more"], message: "is not known" });
  });

  it("refuses to check by a keyword that it does not know", () => {
    expect(() => fits(Type.String({ pattern: "^a$" }), "a")).toThrow(TypeError);
  });
});
