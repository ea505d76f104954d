// What reading a JSON text costs. Many small values cost far more than their bytes: a body of 1.7 MB with 200,000 keys took 100 ms.

/** Texts below this cost no more than the request that brings them, characters. */
const SMALL_CHARS = 8_192;
/** Values of a JSON text that count as one request, about 1 ms. docs/limits.md lists it. */
export const REQUEST_VALUES = 2_048;

const SEPARATORS = ["[", "{", ",", ":"] as const;
const CODES: readonly number[] = SEPARATORS.map((character) => character.charCodeAt(0));
/** With one separator in fewer characters each of them is looked at. */
const FEW_CHARS = 256;

/** Requests that the values of a JSON text count as, beside the one that brought it. Separators inside of texts count too. */
export function valueRequests(text: string): number {
  if (text.length < SMALL_CHARS) return 0;
  return Math.floor(separatorsOf(text) / REQUEST_VALUES);
}

/** The runtime finds a character many times faster than code that looks at each: an envelope of a file has some 50 in 260,000. */
function separatorsOf(text: string): number {
  let found = 0;
  for (const separator of SEPARATORS)
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
      found += 1;
      if (found > text.length / FEW_CHARS) return countedSeparators(text);
    }
  return found;
}

function countedSeparators(text: string): number {
  const [list, map, comma, colon] = CODES;
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === colon || code === list || code === map) found += 1;
  }
  return found;
}
