// Text of a client's frame → checked frame.
import {
  AuthFrame,
  type ClientFrame,
  PingFrame,
  type RequestId,
  SubmitTxFrame,
  SubscribeFrame,
  TypingFrame,
  UnsubscribeFrame,
} from "#shared/api/frames.ts";
import { findMismatch } from "#shared/schema/check.ts";

/** A frame, or why there is none; `req` where it could be read. */
export type ParsedFrame = { readonly frame: ClientFrame } | { readonly problem: string; readonly req?: RequestId };

const SCHEMAS = {
  submit_tx: SubmitTxFrame,
  subscribe: SubscribeFrame,
  unsubscribe: UnsubscribeFrame,
  typing: TypingFrame,
  ping: PingFrame,
  auth: AuthFrame,
} as const;
const TYPES = Object.keys(SCHEMAS).join(", ");

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
  if (typeof type !== "string" || !Object.hasOwn(SCHEMAS, type)) return { problem: `type is one of ${TYPES}`, ...echo };
  const mismatch = findMismatch(SCHEMAS[type as keyof typeof SCHEMAS], value);
  if (mismatch === undefined) return { frame: value as ClientFrame };
  return { problem: `${type}: ${mismatch.path.join(".")} ${mismatch.message}`, ...echo };
}
