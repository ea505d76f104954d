// The order of the table of peers.
import type { SortDirection } from "#renderer/components/layout/data-table.tsx";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";

/** By what, and which way. */
export interface PeerOrder {
  readonly by: "peer" | "latency" | "height" | "connected" | "version";
  readonly direction: SortDirection;
}

/** Sorted; peers without the value come last, whichever way. Equal ones are ordered by id. */
export function sortPeers(peers: readonly PeerInfo[], { by, direction }: PeerOrder): readonly PeerInfo[] {
  const sign = direction === "ascending" ? 1 : -1;
  return peers.toSorted((a, b) => {
    const [valueA, valueB] = [sortValueOf(a, by), sortValueOf(b, by)];
    if (valueA === undefined || valueB === undefined)
      return Number(valueA === undefined) - Number(valueB === undefined) || compare(a.id, b.id);
    return sign * compare(valueA, valueB) || compare(a.id, b.id);
  });
}

function sortValueOf(peer: PeerInfo, by: PeerOrder["by"]): string | number | undefined {
  switch (by) {
    case "peer":
      return peer.id;
    case "latency":
      return peer.latency_ms;
    case "height":
      return peer.height;
    case "connected":
      return peer.connected_seconds;
    case "version":
      return peer.version === "" ? undefined : peer.version;
  }
}

/** Versions by their numbers: 0.9 before 0.10. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
