// JSON without the two freedoms that make readers disagree: a key named twice and unbounded nesting.

const BACKSLASH = "\\";

/**
 * Value of a JSON text.
 * @throws SyntaxError when it is not JSON, names a key of an object twice or nests deeper than `maxDepth`.
 */
export function parseStrictJson(text: string, maxDepth: number): unknown {
  const value: unknown = JSON.parse(text);
  const scopes: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (isFollowedByColon(text, end)) addKey(scopes.at(-1), text.slice(at, end));
      at = end - 1;
    } else if (character === "{" || character === "[") {
      if (scopes.push(new Set()) > maxDepth) throw new SyntaxError(`The JSON nests deeper than ${maxDepth}`);
    } else if (character === "}" || character === "]") scopes.pop();
  }
  return value;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return text[at] === ":";
}

function addKey(scope: Set<string> | undefined, token: string): void {
  const key = JSON.parse(token) as string;
  if (scope?.has(key)) throw new SyntaxError(`The JSON names ${token} twice`);
  scope?.add(key);
}
