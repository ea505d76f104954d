// Codecs of one of several forms, distinguished by a word under a key of the object. With the type of the union, a definition that
// forgets a form does not compile:
//
//   type Shape = { kind: "circle"; radius: number } | { kind: "box"; width: number; height: number };
//   const shape: Codec<Shape> = unionRecord("kind", "words", { circle: fields({ radius: integer() }), box: fields({ … }) });
import { type AnyCodec, type Codec, codec, type TypeOf } from "./codec.ts";
import { array } from "./composites.ts";
import { numbered, word } from "./scalars.ts";

/** Codecs by the words that tell which of them it is. */
export type Alternatives = Readonly<Record<string, AnyCodec>>;

/** The values of all alternatives, each with its word under the key. */
export type UnionOf<Key extends string, A extends Alternatives> = {
  [Word in keyof A & string]: { readonly [K in Key]: Word } & TypeOf<A[Word]>;
}[keyof A & string];

/** How a form is named in the bytes: by its word, or by its number in the order of the definition. */
export type Tags = "words" | "numbers";

interface Union {
  readonly tag: Codec<string>;
  readonly of: (word: string) => AnyCodec;
}

/** Two items: the tag, and the form as one item. `first` is the number of the first form. */
export function union<K extends string, A extends Alternatives>(key: K, tags: Tags, alternatives: A, first = 0): Codec<UnionOf<K, A>> {
  const { tag, of } = prepare(key, tags, alternatives, first);
  return codec(
    (reader) => {
      const found = tag.read(reader);
      return tagged(key, found, of(found).read(reader));
    },
    (writer, value) => {
      tag.write(writer, value[key]);
      of(value[key]).write(writer, value as never);
    },
    2,
  );
}

/** An array of the tag and the items of the form, after the version of the format when one is given. */
export function unionRecord<K extends string, A extends Alternatives>(
  key: K,
  tags: Tags,
  alternatives: A,
  version?: number,
): Codec<UnionOf<K, A>> {
  const { tag, of } = prepare(key, tags, alternatives);
  const front = version === undefined ? 1 : 2;
  return codec(
    (reader) => {
      const count = reader.array();
      if (version !== undefined && reader.integer() !== version) throw new TypeError("Another version");
      const found = tag.read(reader);
      const { width, read } = of(found);
      if (count !== front + width) throw new TypeError(`Expected ${width} fields`);
      return tagged(key, found, read(reader));
    },
    (writer, value) => {
      const { width, write } = of(value[key]);
      writer.array(front + width);
      if (version !== undefined) writer.integer(version);
      tag.write(writer, value[key]);
      write(writer, value as never);
    },
  );
}

/** [tag, form], the form as one item. `first` is the number of the first form. */
export function unionPair<K extends string, A extends Alternatives>(key: K, tags: Tags, alternatives: A, first = 0): Codec<UnionOf<K, A>> {
  return array(union(key, tags, alternatives, first));
}

function prepare(key: string, tags: Tags, alternatives: Alternatives, first = 0): Union {
  const words = Object.keys(alternatives);
  return {
    tag: tags === "words" ? word(words, key) : numbered(words, key, first),
    of: (name) => alternatives[name] as AnyCodec,
  };
}

function tagged<K extends string, A extends Alternatives>(key: K, name: string, form: unknown): UnionOf<K, A> {
  return { [key]: name, ...(form as object) } as UnionOf<K, A>;
}
