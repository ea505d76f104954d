// The node of this person: its key, and the shell through which it can be asked to sign with it.
import { useQuery } from "@tanstack/react-query";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { desktopApi } from "../desktop/desktop-api.ts";
import { readChosenNode } from "./access/chosen-node.ts";
import { useNodeQueries } from "./queries.ts";

/** What is known of it. */
export interface OwnNode {
  /** Undefined until the node has responded, and for a light one. */
  readonly publicKey: PublicKeyHex | undefined;
  /** Key of its validator where that is in a signer: the node cannot sign with it. */
  readonly signerKey: PublicKeyHex | undefined;
  readonly isVoting: boolean;
  /** Time of the newest block that the node knows, RFC 3339. */
  readonly tipTime: string | undefined;
  /** The shell, where this page uses the node of the desktop app. */
  readonly desktop: DesktopApi | undefined;
  /** True when the page uses another node than the one that serves it. */
  readonly isOther: boolean;
}

/** The node behind this page. */
export function useOwnNode(): OwnNode {
  const { data } = useQuery(useNodeQueries().status());
  const isOther = (readChosenNode()?.url ?? "") !== "";
  return {
    publicKey: data?.node_key,
    signerKey: data?.validator_key?.place === "remote" ? data.validator_key.pub_key : undefined,
    isVoting: data?.voting === true,
    tipTime: data?.sync.tip_time,
    desktop: isOther ? undefined : desktopApi(),
    isOther,
  };
}

/** Flags of a command that signs with the validator's key: in the folder of its signer, which needs a node's address, or in that of the node. */
export function keyFlags({ signerKey }: Pick<OwnNode, "signerKey">): string {
  return signerKey === undefined ? "--key keys/node-key.json" : "--key signer/validator-key.json --node URL";
}
