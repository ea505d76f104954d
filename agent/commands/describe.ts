// Connections as the command line shows them.
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";

/** One as JSON. */
export function describeConnection(entry: ConnectionEntry): object {
  const { id, name, scopes, chosen, left, createdAtMs, expiresAtMs, isResting, lastUsedMs } = entry;
  return {
    ...{ id, name, scopes, chosen, resting: isResting },
    left: left.map(({ scope, leftUt }) => ({ scope, left_ut: leftUt })),
    created_at: Math.floor(createdAtMs / 1000),
    expires_at: Math.floor(expiresAtMs / 1000),
    last_used: lastUsedMs === null ? null : Math.floor(lastUsedMs / 1000),
  };
}

/** All of them for people. */
export function describeConnections(entries: readonly ConnectionEntry[]): readonly string[] {
  if (entries.length === 0) return ["No program was let in."];
  return entries.map(({ id, name, scopes, expiresAtMs, isResting }) => {
    const until = new Date(expiresAtMs).toISOString().slice(0, 10);
    return `${id}  ${name}  until ${until}${isResting ? "  rests: confirm it" : ""}  ${scopes.join(" ")}`;
  });
}
