// Text of a client's frame → checked frame.
import { Compile } from "typebox/compile";
import { CLIENT_FRAMES, type ClientFrame, type RequestId } from "#shared/api/socket/frames.ts";

/** A frame, or why there is none; `req` where it could be read. */
export type ParsedFrame = { readonly frame: ClientFrame } | { readonly problem: string; readonly req?: RequestId };

const VALIDATORS = new Map<unknown, ReturnType<typeof Compile>>(
  CLIENT_FRAMES.map((schema) => [schema.properties.type.const, Compile(schema)]),
);
const TYPES = [...VALIDATORS.keys()].join(", ");

/** Parses one frame. Never throws. */
export function parseClientFrame(text: string): ParsedFrame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "A frame is a JSON object, and this is not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "A frame is a JSON object" };
  const { type, req } = value as { readonly type?: unknown; readonly req?: unknown };
  const echo = typeof req === "string" || typeof req === "number" ? { req } : {};
  const validator = VALIDATORS.get(type);
  if (validator === undefined) return { problem: `type is one of ${TYPES}`, ...echo };
  if (validator.Check(value)) return { frame: value as ClientFrame };
  const [first] = validator.Errors(value);
  const field = (first?.instancePath ?? "").slice(1);
  return { problem: `${type}: ${field === "" ? "" : `${field} `}${first?.message ?? "is malformed"}`, ...echo };
}
