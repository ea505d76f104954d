// Marks what is selected in a text field, or takes its marks away again. Marks end with their line where a message is shown: each line of a
// selection has its own. Pure.

/** What can be marked: the sign on both sides, and the shortcut. */
export const TEXT_MARKS = {
  bold: { sign: "*", keys: "mod+b" },
  italic: { sign: "_", keys: "mod+i" },
  struck: { sign: "~", keys: "mod+shift+x" },
  code: { sign: "`", keys: "mod+shift+m" },
} as const;

export type TextMark = keyof typeof TEXT_MARKS;

/** Text and the selected part of it, by places of UTF-16 units. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SIGNS: readonly string[] = Object.values(TEXT_MARKS).map(({ sign }) => sign);
const QUOTATION = /^> ?/;

/**
 * The same words selected, with the sign on both sides; without it where all of them had it. Spaces at the edges of lines stay outside. Of
 * several lines the outer signs are selected, too.
 */
export function markSelection(selected: Selected, sign: string): Selected {
  const { text } = selected;
  const parts = partsOf(selected);
  const depths = parts.map((part) => depthOf(text, part, sign));
  const isOff = depths.every((depth) => depth !== undefined);
  const [first] = parts;
  const last = parts.at(-1) ?? first;
  const isOne = parts.length === 1;
  const changes = parts.flatMap((part, index): readonly SignChange[] => {
    const depth = depths[index];
    if (isOff) return signsAround(text, part, depth ?? 0).map((at) => ({ at, removed: 1 }));
    return depth === undefined ? [part.from, part.to].map((at) => ({ at, removed: 0 })) : [];
  });
  let [changed, done] = ["", 0];
  for (const { at, removed } of changes) {
    changed += text.slice(done, at) + (removed === 0 ? sign : "");
    done = at + removed;
  }
  const moved = (place: number): number => place - changes.filter(({ at }) => at < place).length;
  const [start, end] = isOff ? [moved(first.from), moved(last.to)] : [first.from + Number(isOne), last.to + changes.length - Number(isOne)];
  return { text: changed + text.slice(done), start, end };
}

/** A sign that is put in, or removed, at a place. */
interface SignChange {
  readonly at: number;
  readonly removed: 0 | 1;
}

/** True where the sign stands on both sides of the selected words, of each line of them, other signs between them or not. */
export function isMarked(selected: Selected, sign: string): boolean {
  return partsOf(selected).every((part) => depthOf(selected.text, part, sign) !== undefined);
}

/** Places of words that have marks of their own. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** The selected words of each line, without the spaces at their edges and the sign of a quotation; one that is empty where no line has any. */
function partsOf({ text, start, end }: Selected): readonly [Part, ...Part[]] {
  const parts: Part[] = [];
  let at = start;
  for (const line of text.slice(start, end).split("\n")) {
    const isWhole = at === 0 || text.charAt(at - 1) === "\n";
    const quoted = isWhole ? (QUOTATION.exec(line)?.[0].length ?? 0) : 0;
    const words = line.slice(quoted);
    const from = at + quoted + words.length - words.trimStart().length;
    const to = at + quoted + words.trimEnd().length;
    if (from < to) parts.push({ from, to });
    at += line.length + 1;
  }
  const [first, ...others] = parts;
  return first === undefined ? [{ from: end, to: end }] : [first, ...others];
}

/** The words without signs at their edges that were selected with them, on one side or both. */
function innermost(text: string, { from, to }: Part): Part {
  let [start, end] = [from, to];
  while (end - start > 1) {
    const [before, open, close, behind] = [start - 1, start, end - 1, end].map((place) => text.charAt(place));
    const isBoth = end - start > 2 && isPair(open, close);
    if (!isBoth && !isPair(before, close) && !isPair(open, behind)) break;
    if (isBoth || !isPair(before, close)) start += 1;
    if (isBoth || isPair(before, close)) end -= 1;
  }
  return { from: start, to: end };
}

function isPair(open = "", close = ""): boolean {
  return open === close && SIGNS.includes(open);
}

/** How many other signs are between the words and this one, on either side; undefined where the words do not have it. */
function depthOf(text: string, part: Part, sign: string): number | undefined {
  const { from, to } = innermost(text, part);
  for (let depth = 0; from - 1 - depth >= 0; depth += 1) {
    const [open, close] = [text.charAt(from - 1 - depth), text.charAt(to + depth)];
    if (!isPair(open, close)) return undefined;
    if (open === sign) return depth;
  }
  return undefined;
}

/** Places of the two signs at a depth around the words. */
function signsAround(text: string, part: Part, depth: number): readonly [number, number] {
  const { from, to } = innermost(text, part);
  return [from - 1 - depth, to + depth];
}
