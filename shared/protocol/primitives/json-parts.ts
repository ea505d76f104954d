// A JSON text in its parts as they are written, so that integers keep all of their digits.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s{}[\],"]+/g;
const MEMBER = /^("(?:[^"\\]|\\.)*"):(.*)$/s;

/** Items of a list, or members of an object as `"name":value`, as they are written, without blanks between. The text must be JSON. */
export function jsonParts(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.trim().slice(1, -1).matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0 && token === ",") parts.push("");
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts.length === 1 && parts[0] === "" ? [] : parts;
}

/** Names and values of a JSON object. */
export function jsonMembers(text: string): readonly (readonly [name: string, json: string])[] {
  return jsonParts(text).flatMap((part) => {
    const [, name, json] = MEMBER.exec(part) ?? [];
    return name === undefined || json === undefined ? [] : [[JSON.parse(name) as string, json] as const];
  });
}

/** A JSON value as a text: a string as it is, anything else as its JSON. */
export function textOfJson(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** True for the text of a JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
