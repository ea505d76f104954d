// The types of the public contract's fields, to hold responses to it independently of the node's own schemas.

/** Says what is wrong with a value, or undefined when it fits. */
export type Shape = (value: unknown) => string | undefined;

const text = (pattern: RegExp, name: string): Shape => {
  return (value) => (typeof value === "string" && pattern.test(value) ? undefined : `is not ${name}: ${JSON.stringify(value)}`);
};

export const str: Shape = text(/^/, "a string");
export const hexKey: Shape = text(/^[0-9a-f]{64}$/, "a hex key");
export const hexKeyOrEmpty: Shape = text(/^(?:[0-9a-f]{64})?$/, "a hex key or empty");
export const hex: Shape = text(/^(?:[0-9a-f]{2})*$/, "hex");
export const contractId: Shape = text(/^[0-9a-f]{16}$/, "a contract id");
export const b64: Shape = text(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, "base64");
export const address: Shape = text(/^pl1[02-9ac-hj-np-z]{58}$/, "an address");
export const addressOrEmpty: Shape = text(/^(?:pl1[02-9ac-hj-np-z]{58})?$/, "an address or empty");
export const dateTime: Shape = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/, "a date-time");
export const amountText: Shape = text(/^\d+(?:\.\d{1,6})? T$/, "an amount");
export const uint: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : `is not a uint: ${JSON.stringify(value)}`;
export const int: Shape = (value) => (Number.isInteger(value) ? undefined : `is not an integer: ${JSON.stringify(value)}`);
export const num: Shape = (value) =>
  typeof value === "number" && Number.isFinite(value) ? undefined : `is not a number: ${JSON.stringify(value)}`;
export const bool: Shape = (value) => (typeof value === "boolean" ? undefined : `is not a boolean: ${JSON.stringify(value)}`);

/** One of these texts. */
export function oneOf(...values: readonly string[]): Shape {
  return (value) => (values.includes(value as string) ? undefined : `is none of ${values.join(", ")}: ${JSON.stringify(value)}`);
}

/** A list that is not empty, or nothing would be tested. */
export function listOf(item: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return `is not a list with items: ${JSON.stringify(value)}`;
    return value.map((entry, index) => named(`[${index}]`, item(entry))).find((problem) => problem !== undefined);
  };
}

/** A field that may be absent. */
export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value));
}

/** A value or null. */
export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value));
}

/** An object with at least these fields. */
export function obj(fields: Readonly<Record<string, Shape>>): Shape {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `is not an object: ${JSON.stringify(value)}`;
    const record = value as Readonly<Record<string, unknown>>;
    return Object.entries(fields)
      .map(([name, shape]) => named(`.${name}`, shape(record[name])))
      .find((problem) => problem !== undefined);
  };
}

/** An object whose values all fit, with one at least. */
export function recordOf(shape: Shape): Shape {
  return (value) => (typeof value === "object" && value !== null ? listOf(shape)(Object.values(value)) : "is not an object");
}

/** The shape of every error: one text and nothing else. */
export const errorShape: Shape = (value) =>
  obj({ error: text(/^.+/s, "a text") })(value) ?? (Object.keys(value as object).length === 1 ? undefined : "has other fields than error");

function named(name: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${name}${/^[.[]/.test(problem) ? "" : " "}${problem}`;
}
