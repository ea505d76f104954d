// What reading a JSON text costs. Many small values cost far more than their bytes: a body of 1.7 MB with 200,000 keys took 100 ms.

/** Texts below this cost no more than the request that brings them, characters. */
const SMALL_CHARS = 8_192;
/** Values of a JSON text that count as one request, about 1 ms. docs/limits.md lists it. */
export const REQUEST_VALUES = 2_048;

const SEPARATORS: ReadonlySet<number> = new Set([..."[{,:"].map((character) => character.charCodeAt(0)));

/** Requests that the values of a JSON text count as, beside the one that brought it. Separators inside of texts count too. */
export function valueRequests(text: string): number {
  if (text.length < SMALL_CHARS) return 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) if (SEPARATORS.has(text.charCodeAt(at))) values += 1;
  return Math.floor(values / REQUEST_VALUES);
}
