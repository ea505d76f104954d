// Every signature that is not a transaction signs `"<domain>\n" + chain_id + "\n" + deterministic CBOR`. All domains are here.
import { concatBytes, utf8 } from "#shared/util/bytes.ts";
import { type CborValue, encodeCbor } from "./cbor.ts";

/** One domain string per purpose. */
export const SIGNATURE_DOMAINS = {
  /** Prevotes and precommits of validators. */
  vote: "parley-vote",
  /** Block proposals of validators. */
  proposal: "parley-proposal",
  /** The parts in which the block of a proposal travels. */
  parts: "parley-parts",
  /** Relay fee authorisation of an envelope. */
  fee: "parley-fee",
  /** What a mailbox key says of its mailbox. */
  box: "parley-box",
  /** A keeper's word for the mail that it took. */
  receipt: "parley-receipt",
  /** A keeper's word for all that it has in a slot. */
  digest: "parley-digest",
  /** A wallet's consent to receive a node's earnings. */
  wallet: "parley-wallet",
  /** A validator's approval of a change of the set, or a candidate's consent. */
  approval: "parley-approval",
  /** A validator's approval of a change of the network. */
  upgrade: "parley-upgrade",
  /** A new key's consent to vote for a validator in place of its present key. */
  rotation: "parley-rotation",
  /** A payer's promise in a payment channel. */
  voucher: "parley-voucher",
  /** A node's announcement of its version. */
  version: "parley-version",
  /** A validator's word for the node that sends and receives for it. */
  seat: "parley-seat",
  /** A master key's word for the keys of a device. */
  device: "parley-device",
  /** A device's short-lived key. */
  epoch: "parley-epoch",
  /** A key that a device drew for one other device. */
  card: "parley-card",
  /** A key that a device drew for everyone. */
  publicCard: "parley-public",
  /** A device's entry in the log of a group. */
  group: "parley-group",
  /** A request to be let into a group, by the secret of an invite link. */
  join: "parley-join",
  /** What a key allows a contract, as a permit of a token. */
  contract: "parley-contract",
  /** WebSocket authentication over the server's nonce. */
  webSocket: "parley-ws",
} as const;

/** A purpose of {@link SIGNATURE_DOMAINS}. */
export type SignatureDomain = keyof typeof SIGNATURE_DOMAINS;

/** Bytes to sign for a purpose on a chain. */
export function domainBytes(domain: SignatureDomain, chainId: string, value: CborValue): Uint8Array {
  return concatBytes(utf8(`${SIGNATURE_DOMAINS[domain]}\n${chainId}\n`), encodeCbor(value));
}
