// Where words that were searched for stand in a text, as the search reads them: without case and accents. Pure.
import { foldText, queryTerms } from "#shared/messenger/store/search/search-text.ts";

/** Of a longer text only so much is looked at, characters: the search reads no more of a message either. */
const MAX_READ_CHARS = 8_192;
/** Words of a query that are looked for. */
const MAX_TERMS = 16;

/** A part of a text, in its units; the end is not in it. */
export interface FoundRange {
  readonly start: number;
  readonly end: number;
}

/** Words to look for, none inside of another. */
export function foundTerms(query: string): readonly string[] {
  const terms = [...new Set(queryTerms(query).map(sameSigma))].slice(0, MAX_TERMS);
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

/** At most so many parts, from left to right and apart from each other. */
export function foundRanges(text: string, terms: readonly string[], most: number): readonly FoundRange[] {
  const read = text.slice(0, MAX_READ_CHARS);
  const folded = sameSigma(foldText(read));
  const hits = hitsOf(folded, terms, most);
  if (hits.length === 0) return [];
  const places = placesOf(read);
  // Characters that change each other when they are folded together: nothing is marked rather than something else.
  if (places.length !== folded.length) return [];
  return joined(hits.map(({ start, end }) => ({ start: places[start] ?? 0, end: endOf(read, places, end) })));
}

function hitsOf(folded: string, terms: readonly string[], most: number): readonly FoundRange[] {
  const hits: FoundRange[] = [];
  for (const term of terms) {
    for (let start = folded.indexOf(term); start !== -1 && hits.length < most; start = folded.indexOf(term, start + term.length)) {
      hits.push({ start, end: start + term.length });
    }
  }
  return hits.sort((a, b) => a.start - b.start);
}

/** For each unit of the folded text the place of the character that it comes from; accents belong to the letter before them. */
function placesOf(text: string): readonly number[] {
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    for (let units = foldText(character).length; units > 0; units -= 1) places.push(at);
    at += character.length;
  }
  return places;
}

/** Behind the character of the last unit: one that folds to several letters is marked as a whole. */
function endOf(text: string, places: readonly number[], end: number): number {
  const last = places[end - 1] ?? 0;
  return places.slice(end).find((place) => place > last) ?? text.length;
}

function joined(ranges: readonly FoundRange[]): readonly FoundRange[] {
  const all: FoundRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last !== undefined && range.start < last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else all.push(range);
  }
  return all;
}

/** At the end of a word it has another form, which depends on what follows. */
function sameSigma(folded: string): string {
  return folded.replaceAll("ς", "σ");
}
