// What the shell says to the gateway.
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";

/** A message of the shell; that of the page brings a port, that of the keyring does while its process runs. */
export type ParentMessage =
  | { readonly type: "node"; readonly node: NodeEndpoint | undefined }
  | { readonly type: "keyring" | "messages" }
  | { readonly type: "stop" };

/** The message, or undefined for anything else. */
export function parseParentMessage(value: unknown): ParentMessage | undefined {
  const { type, node } = fieldsOf(value);
  if (type === "keyring" || type === "messages" || type === "stop") return { type };
  if (type !== "node") return undefined;
  if (node === null || node === undefined) return { type, node: undefined };
  const { url, secret } = fieldsOf(node);
  return typeof url === "string" && typeof secret === "string" ? { type, node: { url, secret } } : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
