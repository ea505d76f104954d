// Which emoji are drawn from which file of the font. A browser takes the first file whose range has a character of the text; what that file
// cannot draw as a whole, it looks for in the next one. So what is common and small comes before what is rare and large.

/** What is used of an entry of `emojibase-data`. */
export interface EmojiData {
  readonly unicode: string;
  readonly group?: number;
  readonly order?: number;
  readonly skins?: readonly Pick<EmojiData, "unicode" | "group" | "order">[];
}

/** A part of the font that is a file of its own. */
export interface EmojiSlice {
  readonly name: string;
  /** In the order of Unicode's chart. */
  readonly emoji: readonly string[];
  /** Characters for which a browser asks for it, ascending. */
  readonly range: readonly number[];
}

/** Of what is written in texts, the font of the text draws all: digits, marks, rights, arrows, signs of keys and of players. */
const TEXT_CHARACTERS = new Set(codesOf("#*0123456789©®‼⁉™ℹ↖↗↘↙↩↪⌨⏏⏸⏹⏺Ⓜ▪▫▶◀◻◼✔✖✝✡⤴⤵⬅⬆⬇〰〽㊗㊙"));

/** Used most by Unicode's counts: the reactions that are offered, and most of what chats have, come in one file. */
const COMMON = new Set(
  codesOf(
    "😂❤🤣👍😭🙏😘🥰😍😊🎉😁💕🥺😅🔥☺🤦♥🤷🙄😆🤗😉🎂🤔👏🙂😳🥳😎👌💜😔💪✨💖👀😋😏😢👉💗😩💯🌹💞🎈💙😃😡💐😜🙈🤞😄🤤🙌🤪❣😀💋💀👇💔😌💓🤩🙃😬😱😴😮✅👋🤝💩👎",
  ),
);

/** Emoji of one character that are in a file at most: some 50 kB. */
const PER_SLICE = 70;

const JOINER = 0x20_0d;
/** Asks for the coloured form. In one range alone, as it has every file of its ranges loaded; others are drawn as if it was not there. */
const PRESENTATION = 0xfe_0f;
/** Names of the groups that have emoji of one character, by their numbers in the data. */
const GROUPS = ["smileys", "people", "parts", "animals", "food", "travel", "activities", "objects", "symbols"] as const;
const FLAGS = 9;
/** Adults begin with it, behind hands and children: families are drawn by none of the files before "roles", as none has both. */
const FIRST_ADULT = "🧑";

interface Emoji {
  readonly unicode: string;
  readonly codes: readonly number[];
  readonly group: number;
  readonly order: number;
}

/** What the groups leave: what is of several characters, and flags. Each belongs to the first that takes it. */
const SEQUENCES: readonly (readonly [string, (emoji: Emoji, firstAdult: number) => boolean])[] = [
  ["nations", ({ codes }): boolean => codes.every(isRegional)],
  ["flags", ({ group }): boolean => group === FLAGS],
  ["hands-toned", ({ codes, order }, firstAdult): boolean => codes.some(isTone) && order < firstAdult],
  ["people-toned", ({ codes }): boolean => !codes.includes(JOINER)],
  ["roles", ({ codes }): boolean => !(codes.some(isTone) || codes.some(isGender))],
  ["genders", ({ codes }): boolean => !codes.some(isTone)],
  ["roles-toned", ({ codes }): boolean => !codes.some(isGender)],
  ["genders-toned", (): boolean => true],
];

/** All files of the font, in the order in which a browser shall look into them. */
export function emojiSlices(data: readonly EmojiData[]): readonly EmojiSlice[] {
  const all = emojiOf(data);
  const isSingle = ({ codes, group }: Emoji): boolean => codes.filter((code) => code !== PRESENTATION).length === 1 && group !== FLAGS;
  const firstAdult = all.find(({ unicode }) => unicode === FIRST_ADULT)?.order ?? 0;
  const sequences = all.filter((emoji) => !isSingle(emoji));
  const taken = sequences.map((emoji) => SEQUENCES.find(([, takes]) => takes(emoji, firstAdult))?.[0]);
  return [
    ...singleSlices(all.filter(isSingle), sequences),
    ...SEQUENCES.map(([name]) =>
      slice(
        name,
        sequences.filter((_emoji, index) => taken[index] === name),
      ),
    ),
  ];
}

/** Emoji of one character by group, those used most in front. */
function singleSlices(singles: readonly Emoji[], sequences: readonly Emoji[]): readonly EmojiSlice[] {
  const isCommon = ({ codes }: Emoji): boolean => codes.some((code) => COMMON.has(code));
  const others = GROUPS.map((_name, group) => singles.filter((emoji) => emoji.group === group && !isCommon(emoji)));
  return [
    slice("common", singles.filter(isCommon), [JOINER, PRESENTATION]),
    ...GROUPS.flatMap((name, group) => apart(others[group] ?? [], sequences).map((part, index) => slice(`${name}-${index + 1}`, part))),
  ];
}

/** Parts of a group. None has everything that a sequence is drawn of: joiners are not seen, so it would draw the sequence as its pieces. */
function apart(emoji: readonly Emoji[], sequences: readonly Emoji[]): readonly (readonly Emoji[])[] {
  const most = Math.ceil(emoji.length / Math.ceil(emoji.length / PER_SLICE));
  const pieces = sequences.map(({ codes }) => codes.filter((code) => code !== JOINER && code !== PRESENTATION));
  const parts: { readonly emoji: Emoji[]; readonly codes: Set<number> }[] = [];
  for (const one of emoji) {
    const completes = (codes: ReadonlySet<number>): boolean =>
      pieces.some(
        (needed) => needed.some((code) => one.codes.includes(code)) && needed.every((code) => codes.has(code) || one.codes.includes(code)),
      );
    const open = parts.find((part) => part.emoji.length < most && !completes(part.codes));
    const part = open ?? { emoji: [], codes: new Set() };
    if (open === undefined) parts.push(part);
    part.emoji.push(one);
    for (const code of one.codes) part.codes.add(code);
  }
  return parts.map((part) => part.emoji);
}

function slice(name: string, emoji: readonly Emoji[], more: readonly number[] = []): EmojiSlice {
  const range = new Set(emoji.flatMap(({ codes }) => codes).filter((code) => code !== PRESENTATION));
  return { name, emoji: emoji.map(({ unicode }) => unicode), range: [...range, ...more].sort((a, b) => a - b) };
}

/** Those that this font draws, with all their skin tones, in order. The letters that flags are made of are none by themselves. */
function emojiOf(data: readonly EmojiData[]): readonly Emoji[] {
  return data
    .flatMap((entry) => [entry, ...(entry.skins ?? [])])
    .flatMap(({ unicode, group, order }) =>
      group === undefined || order === undefined ? [] : [{ unicode, codes: codesOf(unicode), group, order }],
    )
    .filter(({ codes }) => !codes.some((code) => TEXT_CHARACTERS.has(code)))
    .sort((a, b) => a.order - b.order);
}

function codesOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}

function isRegional(code: number): boolean {
  return code >= 0x1_f1_e6 && code <= 0x1_f1_ff;
}

function isTone(code: number): boolean {
  return code >= 0x1_f3_fb && code <= 0x1_f3_ff;
}

/** The signs of women and men. */
function isGender(code: number): boolean {
  return code === 0x26_40 || code === 0x26_42;
}
