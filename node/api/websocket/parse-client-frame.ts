// Text of a client's frame → checked frame.
import { Compile } from "typebox/compile";
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

/** A frame, or why there is none; `req` where it could be read. */
export type ParsedFrame = { readonly frame: ClientFrame } | { readonly problem: string; readonly req?: RequestId };

const VALIDATORS = {
  submit_tx: Compile(SubmitTxFrame),
  subscribe: Compile(SubscribeFrame),
  unsubscribe: Compile(UnsubscribeFrame),
  typing: Compile(TypingFrame),
  ping: Compile(PingFrame),
  auth: Compile(AuthFrame),
} as const;
const TYPES = Object.keys(VALIDATORS).join(", ");

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
  if (typeof type !== "string" || !Object.hasOwn(VALIDATORS, type)) return { problem: `type is one of ${TYPES}`, ...echo };
  const validator = VALIDATORS[type as keyof typeof VALIDATORS];
  if (validator.Check(value)) return { frame: value as ClientFrame };
  const [first] = validator.Errors(value);
  const field = (first?.instancePath ?? "").slice(1);
  return { problem: `${type}: ${field === "" ? "" : `${field} `}${first?.message ?? "is malformed"}`, ...echo };
}
