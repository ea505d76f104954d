// What nodes, carriers of mail and keepers ask each other (`carry/1`), and what is sealed inside. docs/network.md has the bytes.

import type { PublicKeyHex } from "../primitives/address.ts";
import type { MailRequest } from "./mail-messages.ts";

/** What a carrier is asked, a keeper by a carrier, or a node by its carrier. */
export type CarryRequest =
  /** To a carrier: pass this on to a keeper. A token (hex of 16 bytes) names what the keeper is asked to send news of. */
  | { readonly type: "pass"; readonly keeper: PublicKeyHex; readonly token: string | null; readonly sealed: Uint8Array }
  /** To a keeper: someone asks this. */
  | { readonly type: "open"; readonly sealed: Uint8Array }
  /** From a keeper to a carrier, and from that to who asked for it. */
  | { readonly type: "news"; readonly token: string; readonly sealed: Uint8Array }
  /** From a carrier: no news comes for these any more, as the way to their keeper ended. */
  | { readonly type: "gone"; readonly tokens: readonly string[] };

/** `busy`: ask later. `unreachable`: the keeper did not respond. `unknown`: it cannot open this, or knows no carriers. */
export const CARRY_REFUSALS = ["busy", "unreachable", "unknown"] as const;
export type CarryRefusal = (typeof CARRY_REFUSALS)[number];

/** The response to it. */
export type CarryResponse =
  | { readonly type: "sealed"; readonly sealed: Uint8Array }
  | { readonly type: "refused"; readonly why: CarryRefusal }
  | { readonly type: "done" };

/** What comes of a request; a peer of an earlier version does not speak the protocol. */
export type CarryOutcome = CarryResponse | { readonly type: "unsupported" };

/** What a keeper is asked through a carrier. */
export interface CarriedRequest {
  /** Of the newest directory that who asks knows: what a carrier repeats hours later is refused. */
  readonly epoch: number;
  /** Names what `watch` asks for, between keeper and carrier; null for all else. */
  readonly token: string | null;
  readonly request: MailRequest;
}

/** News of a keeper. */
export interface CarriedNews {
  /** Greater than those of all news before under the same token: what a carrier repeats is known. */
  readonly number: number;
  readonly request: MailRequest;
}
