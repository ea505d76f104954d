// The table of native contracts.
import type { NativeContractName } from "#shared/protocol/transactions/contracts.ts";
import type { Contract } from "../contract.ts";
import { escrow } from "./escrow.ts";
import { nfts } from "./nfts.ts";
import { tokens } from "./tokens.ts";
import { usernameRegistry } from "./username-registry.ts";

const CONTRACTS: Readonly<Record<NativeContractName, Contract>> = { username_registry: usernameRegistry, tokens, nfts, escrow };

/** The native contract of a name, or undefined when there is none. */
export function nativeContract(name: string): Contract | undefined {
  return Object.hasOwn(CONTRACTS, name) ? CONTRACTS[name as NativeContractName] : undefined;
}
