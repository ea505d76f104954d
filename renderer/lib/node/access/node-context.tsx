// Hands the connection to the node to every component.
import { createContext, type ReactElement, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { createIdentityLoader, type IdentityLoader } from "./identity-loader.ts";
import type { NodeAccess } from "./node-access.ts";

/** The connection as components share it. */
export interface SharedNode extends NodeAccess {
  readonly identities: IdentityLoader;
}

const NodeContext = createContext<SharedNode | undefined>(undefined);

/** Provides the connection. */
export function NodeProvider(props: { readonly node: NodeAccess; readonly children: ReactNode }): ReactElement {
  const { node } = props;
  const shared = useMemo(() => ({ ...node, identities: createIdentityLoader(node.client) }), [node]);
  return <NodeContext value={shared}>{props.children}</NodeContext>;
}

/** The connection to the node: `client` for calls that are no queries, `live` for topics of one's own. */
export function useNode(): SharedNode {
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
