// Exact checks of values that came over a port: small enough to be loaded before the first screen. A shape says whether a value has it.

/** True for a value of the shape. */
export type Shape = (value: unknown) => boolean;

/** Fields of an object by name; {@link optional} ones may be missing. */
export type Fields = Readonly<Record<string, Shape>>;

/** No argument at all. */
export const nothing: Shape = (value) => value === undefined;

/** True or false. */
export const flag: Shape = (value) => typeof value === "boolean";

/** A text of so many UTF-16 units at most. */
export function text(maxLength: number, minLength = 0): Shape {
  return (value) => typeof value === "string" && value.length >= minLength && value.length <= maxLength;
}

/** A text that a pattern accepts; the pattern is anchored by its author. */
export function matching(pattern: RegExp): Shape {
  return (value) => typeof value === "string" && pattern.test(value);
}

/** A whole number between both, exact as a double. */
export function whole(min: number, max: number = Number.MAX_SAFE_INTEGER): Shape {
  return (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** Bytes, so many at most. */
export function bytes(maxLength: number): Shape {
  return (value) => value instanceof Uint8Array && value.length <= maxLength;
}

/** The shape, or null. */
export function nullable(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}

/** A field that may be missing or undefined. */
export function optional(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}

/** A list of so many items at most. */
export function listOf(item: Shape, maxItems: number): Shape {
  return (value) => Array.isArray(value) && value.length <= maxItems && [...value].every((entry) => item(entry));
}

/** An object with these fields and no other. */
export function exactly(fields: Fields): Shape {
  const shapes = Object.entries(fields);
  return (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
    shapes.every(([name, shape]) => shape(own(value, name)));
}

/** An object whose `kind` names its other fields. */
export function oneKindOf(kinds: Readonly<Record<string, Fields>>): Shape {
  const shapes = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, exactly({ kind: (value) => value === kind, ...fields })]));
  return (value) => {
    const kind = isObject(value) ? own(value, "kind") : undefined;
    return typeof kind === "string" && shapes.get(kind)?.(value) === true;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What an object says itself, never its prototype. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
