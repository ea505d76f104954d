// Names that look alike (UTS 39). The skeleton follows its definition with a documented subset of its table: the letters of Cyrillic,
// Greek, Armenian, Cherokee, Lisu, Coptic and of Latin itself that look like plain Latin letters or digits in common fonts. What
// compatibility decomposition knows (full-width, mathematical, circled letters, ligatures) needs no entry.
import { visibleText } from "./visible-text.ts";

/** Each letter with those that look like it; upper case is folded before. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: "аαɑаꭺаӑ4@ⲁ",
  b: "ƅьЬβвꮟ8ɓ",
  c: "сϲᴄⅽꮯⲥ",
  d: "ԁɗꭰժ",
  e: "еєҽεꭼ3ɛⲉѐёэ",
  f: "ſƒғϝẝ",
  g: "ɡԍցɢ9",
  h: "һհнꮋⲏ",
  i: "іιıɩꭵ1lіïї|!ǀاӏⅼ",
  j: "јϳյʝ",
  k: "кκĸқⲕ",
  m: "мϻⅿꮇⲙ",
  n: "ոռпηɴⲛ",
  o: "оοσօ0ᴏዐӧөⲟ௦०",
  p: "рρⲣþꮲ",
  q: "ԛզգ",
  r: "гᴦꭇꮁɼ",
  s: "ѕꜱꮪ5ʂ$",
  t: "тτꭲ7ƭⲧ",
  u: "υսʋᴜцμ",
  v: "ѵνᴠⅴⱱ",
  w: "ѡԝաɯωш",
  x: "хχⅹ×ⲭ",
  y: "уүγʏу",
  z: "ᴢꮓζ2ʐ",
};

const SKELETON_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)),
);

/** Pairs that read as one letter. */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/ci/g, "d"],
];

/** Two names with the same skeleton can be taken for each other. Empty for a name without letters or digits. */
export function nameSkeleton(name: string): string {
  const folded = visibleText(name).normalize("NFKD").toLowerCase().normalize("NFKD");
  let skeleton = "";
  for (const character of folded) {
    if (/[\p{M}\p{Z}\p{P}\p{Cf}\ufffd]/u.test(character) && !SKELETON_OF.has(character)) continue;
    skeleton += SKELETON_OF.get(character) ?? character;
  }
  return PAIRS.reduce((text, [pair, single]) => text.replaceAll(pair, single), skeleton);
}

/** Scripts that one name may mix: Japanese, Chinese with Bopomofo and Korean, each with Latin (UTS 39, "highly restrictive"). */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script_Extensions=Latin}/u],
  ["Cyrillic", /\p{Script_Extensions=Cyrillic}/u],
  ["Greek", /\p{Script_Extensions=Greek}/u],
  ["Armenian", /\p{Script_Extensions=Armenian}/u],
  ["Cherokee", /\p{Script_Extensions=Cherokee}/u],
  ["Coptic", /\p{Script_Extensions=Coptic}/u],
  ["Lisu", /\p{Script_Extensions=Lisu}/u],
  ["Hebrew", /\p{Script_Extensions=Hebrew}/u],
  ["Arabic", /\p{Script_Extensions=Arabic}/u],
  ["Devanagari", /\p{Script_Extensions=Devanagari}/u],
  ["Thai", /\p{Script_Extensions=Thai}/u],
  ["Han", /\p{Script_Extensions=Han}/u],
  ["Hiragana", /\p{Script_Extensions=Hiragana}/u],
  ["Katakana", /\p{Script_Extensions=Katakana}/u],
  ["Bopomofo", /\p{Script_Extensions=Bopomofo}/u],
  ["Hangul", /\p{Script_Extensions=Hangul}/u],
];

/** True for a word of letters that no one script has together; separate words of a name may have different ones. */
export function mixesScripts(name: string): boolean {
  return name
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => !fitsTogether(word));
}

function fitsTogether(word: string): boolean {
  let possible: ReadonlySet<string> | undefined;
  const seen = new Set<string>();
  for (const letter of word) {
    if (/[\p{Script=Common}\p{Script=Inherited}]/u.test(letter)) continue;
    const scripts = SCRIPTS.filter(([, pattern]) => pattern.test(letter)).map(([script]) => script);
    const own = new Set(scripts.length === 0 ? ["another"] : scripts);
    possible = possible === undefined ? own : new Set([...possible].filter((script) => own.has(script)));
    for (const script of own) seen.add(script);
  }
  return possible === undefined || possible.size > 0 || TOGETHER.some((group) => [...seen].every((script) => group.has(script)));
}
