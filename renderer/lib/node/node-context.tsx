// Hands the connection to the node to every component.
import { createContext, type ReactElement, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { LiveState } from "#shared/api/websocket-client.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { NodeAccess } from "./node-access.ts";

const NodeContext = createContext<NodeAccess | undefined>(undefined);

/** Provides the connection. */
export function NodeProvider(props: { readonly node: NodeAccess; readonly children: ReactNode }): ReactElement {
  return <NodeContext value={props.node}>{props.children}</NodeContext>;
}

/** The connection to the node: `client` for calls that are no queries, `live` for topics of one's own. */
export function useNode(): NodeAccess {
  const node = useContext(NodeContext);
  assertInvariant(node !== undefined, "useNode needs a NodeProvider");
  return node;
}

/** State of the live connection. */
export function useLiveState(): LiveState {
  const { live } = useNode();
  return useSyncExternalStore(
    (listener) => live.onState(listener),
    () => live.state,
  );
}
