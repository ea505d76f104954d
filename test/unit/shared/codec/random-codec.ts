// Codecs made at random, each with values for it and with what it must do said a second time: on the tree of an independent library.
import fc from "fast-check";
import type { Codec } from "#shared/codec/codec.ts";
import { array, embedded, fields, list, nullable, openArray, optional, record } from "#shared/codec/composites.ts";
import { absentAs, defaultsTo, keyed, map, omissible, unionMap } from "#shared/codec/maps.ts";
import { base64UpTo, boolean, bytesUpTo, encoded, hexUpTo, integer, numbered, textUpTo, word } from "#shared/codec/scalars.ts";
import { unionPair, unionRecord } from "#shared/codec/unions.ts";
import type { CborValue } from "#shared/protocol/primitives/cbor.ts";
import { toBase64, toHex, utf8Length } from "#shared/util/bytes.ts";
import { strictlyDecoded, strictlyEncoded } from "#test/support/codec/strict-cbor.ts";

/** A codec and what it is held to. */
export interface Sample {
  readonly codec: Codec<unknown>;
  /** A value and its tree. */
  readonly values: fc.Arbitrary<Pair>;
  /** The value of a tree. @throws on another tree. */
  readonly ofTree: (tree: CborValue | undefined) => unknown;
}

export interface Pair {
  readonly value: unknown;
  readonly tree: CborValue;
}

const WORDS = ["one", "two", "three"] as const;
const VERSION = 1;

const sample = <T>(codec: Codec<T>, values: fc.Arbitrary<Pair>, ofTree: Sample["ofTree"]): Sample => ({
  codec: codec as Codec<unknown>,
  values,
  ofTree,
});
const same = <T extends CborValue>(values: fc.Arbitrary<T>): fc.Arbitrary<Pair> => values.map((value) => ({ value, tree: value }));

function expectTree(condition: boolean): asserts condition {
  if (!condition) throw new TypeError("another tree");
}

function itemsOf(tree: CborValue | undefined, min: number, max: number): readonly CborValue[] {
  expectTree(Array.isArray(tree) && tree.length >= min && tree.length <= max);
  return tree as readonly CborValue[];
}

function entriesOf(tree: CborValue | undefined): Readonly<Record<string, CborValue>> {
  expectTree(typeof tree === "object" && tree !== null && !Array.isArray(tree) && !(tree instanceof Uint8Array));
  return tree as Readonly<Record<string, CborValue>>;
}

function bytesOf(tree: CborValue | undefined, min: number, max: number): Uint8Array {
  expectTree(tree instanceof Uint8Array && tree.length >= min && tree.length <= max);
  return tree;
}

const EDGES = [0, 1, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
const edge = fc.oneof(fc.constantFrom(...EDGES, ...EDGES.slice(1).map((value) => -value)), fc.maxSafeInteger());

const integers = fc.tuple(edge, edge).map(([a, b]) => {
  const [min, max] = [Math.min(a, b), Math.max(a, b)];
  return sample(
    integer(min, max),
    same(
      fc.oneof(
        fc.constantFrom(min, max),
        edge.map((n) => Math.min(max, Math.max(min, n))),
      ),
    ),
    (tree) => {
      expectTree(typeof tree === "number" && tree >= min && tree <= max);
      return tree;
    },
  );
});

const range = fc.tuple(fc.nat(3), fc.constantFrom(0, 3, 30, 300)).map(([min, more]) => [min, min + more] as const);

const strings = range.chain(([min, max]) => {
  const bytes = fc.uint8Array({ minLength: min, maxLength: max });
  const text = fc.string({
    unit: fc.constantFrom("a", "é", "€", "𝄞", "\u0000"),
    minLength: min,
    maxLength: Math.max(min, Math.floor(max / 4)),
  });
  return fc.constantFrom(
    sample(bytesUpTo(max, min), same(bytes), (tree) => bytesOf(tree, min, max)),
    sample(
      hexUpTo(max, min),
      bytes.map((tree) => ({ value: toHex(tree), tree })),
      (tree) => toHex(bytesOf(tree, min, max)),
    ),
    sample(
      base64UpTo(max, min),
      bytes.map((tree) => ({ value: toBase64(tree), tree })),
      (tree) => toBase64(bytesOf(tree, min, max)),
    ),
    sample(textUpTo(max, min), same(text.filter((it) => utf8Length(it) >= min && utf8Length(it) <= max)), (tree) => {
      expectTree(typeof tree === "string" && utf8Length(tree) >= min && utf8Length(tree) <= max);
      return tree;
    }),
  );
});

const known = <T>(value: T | undefined): T => {
  expectTree(value !== undefined);
  return value as T;
};

const words = fc.constantFrom(
  sample(boolean, same(fc.boolean()), (tree) => {
    expectTree(typeof tree === "boolean");
    return tree;
  }),
  sample(word(WORDS, "word"), same(fc.constantFrom(...WORDS)), (tree) => known(WORDS.find((it) => it === tree))),
  sample(
    numbered(WORDS, "word", 1),
    fc.nat(2).map((index) => ({ value: WORDS[index], tree: index + 1 })),
    (tree) => known(typeof tree === "number" ? WORDS[tree - 1] : undefined),
  ),
);

const anything = fc.letrec<{ node: CborValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    edge,
    fc.string(),
    fc.uint8Array({ maxLength: 30 }),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie("node"), { maxKeys: 4 }),
  ),
})).node;

const raw = fc.constant(
  sample(
    encoded,
    anything.map((tree) => ({ value: strictlyEncoded(tree), tree })),
    (tree) => strictlyEncoded(known(tree)),
  ),
);

const both = (a: fc.Arbitrary<Pair>, b: fc.Arbitrary<Pair>): fc.Arbitrary<readonly [Pair, Pair]> => fc.tuple(a, b);

function records(a: Sample, b: Sample): readonly Sample[] {
  const definition = { a: a.codec, b: b.codec };
  const pairs = (...front: readonly CborValue[]): fc.Arbitrary<Pair> =>
    both(a.values, b.values).map(([x, y]) => ({ value: { a: x.value, b: y.value }, tree: [...front, x.tree, y.tree] }));
  const read = ([x, y]: readonly CborValue[]): unknown => ({ a: a.ofTree(x), b: b.ofTree(y) });
  const readVersioned = ([version, ...items]: readonly CborValue[]): unknown => {
    expectTree(version === VERSION);
    return read(items);
  };
  return [
    sample(record(definition), pairs(), (tree) => read(itemsOf(tree, 2, 2))),
    sample(record(definition, VERSION), pairs(VERSION), (tree) => readVersioned(itemsOf(tree, 3, 3))),
    sample(openArray(fields(definition)), pairs(), (tree) => read(itemsOf(tree, 2, Number.POSITIVE_INFINITY))),
  ];
}

function wrappers(of: Sample, [min, max]: readonly [number, number]): readonly Sample[] {
  const lists = fc.array(of.values, { minLength: min, maxLength: max });
  // A value that is null itself cannot be distinguished from none.
  const some = of.values.filter(({ value, tree }) => tree !== null && value !== null && value !== undefined);
  const none: Pair = { value: null, tree: null };
  return [
    sample(
      list(of.codec, max, min),
      lists.map((pairs) => ({ value: pairs.map(({ value }) => value), tree: pairs.map(({ tree }) => tree) })),
      (tree) => itemsOf(tree, min, max).map(of.ofTree),
    ),
    sample(nullable(of.codec), fc.oneof(fc.constant(none), some), (tree) => (tree === null ? null : of.ofTree(tree))),
    sample(optional(of.codec), fc.oneof(fc.constant({ ...none, value: undefined }), some), (tree) =>
      tree === null ? undefined : of.ofTree(tree),
    ),
    sample(
      embedded(of.codec),
      of.values.map(({ value, tree }) => ({ value, tree: strictlyEncoded(tree) })),
      (tree) => of.ofTree(strictlyDecoded(bytesOf(tree, 0, Number.POSITIVE_INFINITY))),
    ),
  ];
}

function unions(a: Sample, b: Sample): readonly Sample[] {
  const forms = { one: fields({ a: a.codec, b: b.codec }), two: fields({ b: b.codec }) };
  const one = both(a.values, b.values).map(([x, y]) => ({ value: { kind: "one", a: x.value, b: y.value }, trees: [x.tree, y.tree] }));
  const two = b.values.map((y) => ({ value: { kind: "two", b: y.value }, trees: [y.tree] }));
  const either = fc.oneof<fc.Arbitrary<{ readonly value: object; readonly trees: readonly CborValue[] }>[]>(one, two);
  const read = (kind: CborValue | undefined, items: readonly CborValue[]): unknown => {
    expectTree(items.length === (kind === "one" ? 2 : 1));
    if (kind === "one") return { kind, a: a.ofTree(items[0]), b: b.ofTree(items[1]) };
    expectTree(kind === "two");
    return { kind, b: b.ofTree(items[0]) };
  };
  const tagOf = (value: object): string => (value as { readonly kind: string }).kind;
  return [
    sample(
      unionRecord("kind", "words", forms, VERSION),
      either.map(({ value, trees }) => ({ value, tree: [VERSION, tagOf(value), ...trees] })),
      (tree) => {
        const [version, kind, ...items] = itemsOf(tree, 2, 4);
        expectTree(version === VERSION);
        return read(kind, items);
      },
    ),
    sample(
      unionPair("kind", "numbers", { one: array(forms.one), two: array(forms.two) }),
      either.map(({ value, trees }) => ({ value, tree: [tagOf(value) === "one" ? 0 : 1, trees] })),
      (tree) => {
        const [kind, items] = itemsOf(tree, 2, 2);
        expectTree(kind === 0 || kind === 1);
        return read(kind === 0 ? "one" : "two", itemsOf(items, 0, 2));
      },
    ),
    sample(
      unionMap("kind", { one: { a: a.codec, b: b.codec }, two: { b: keyed("c", b.codec) } }),
      either.map(({ value, trees: [x, y] }) => ({
        value,
        tree: tagOf(value) === "one" ? { a: known(x), b: known(y), kind: "one" } : { kind: "two", c: known(x) },
      })),
      (tree) => {
        const { a: x, b: y, c, kind } = entriesOf(tree);
        return kind === "one" ? read(kind, [known(x), known(y)]) : read(kind, [known(c)]);
      },
    ),
  ];
}

function maps(a: Sample, b: Sample): readonly Sample[] {
  const present = fc.record({
    a: a.values,
    b: b.values,
    c: fc.option(b.values.filter(({ value }) => value !== undefined)),
    d: fc.constantFrom(0, 7),
    e: fc.constantFrom("", "e"),
  });
  const codec = map({
    first: keyed("zz", a.codec),
    b: b.codec,
    c: omissible(b.codec),
    long: keyed("a key that is longer than the short ones", absentAs(integer(), null)),
    e: defaultsTo(textUpTo(3), ""),
  });
  return [
    sample(
      codec,
      present.map((it) => ({
        value: { first: it.a.value, b: it.b.value, ...(it.c && { c: it.c.value }), long: it.d === 0 ? null : it.d, e: it.e },
        tree: {
          zz: it.a.tree,
          b: it.b.tree,
          ...(it.c && { c: it.c.tree }),
          ...(it.d === 0 ? {} : { "a key that is longer than the short ones": it.d }),
          e: it.e,
        },
      })),
      (tree) => {
        const { zz, b: second, c, e = "", ...others } = entriesOf(tree);
        const long = others["a key that is longer than the short ones"];
        expectTree(typeof e === "string" && utf8Length(e) <= 3);
        expectTree(long === undefined || (typeof long === "number" && long >= 0));
        const read = { first: a.ofTree(zz), b: b.ofTree(second), long: long ?? null, e };
        return c === undefined ? read : { ...read, c: b.ofTree(c) };
      },
    ),
  ];
}

/** Codecs of every kind, one inside the other. */
export const samples: fc.Arbitrary<Sample> = fc.letrec<{ node: Sample }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    integers,
    strings,
    words,
    raw,
    fc.tuple(tie("node"), range).chain(([of, [min]]) => fc.constantFrom(...wrappers(of, [min, min + 3]))),
    fc.tuple(tie("node"), tie("node")).chain(([a, b]) => fc.constantFrom(...records(a, b), ...unions(a, b), ...maps(a, b))),
  ),
})).node;
