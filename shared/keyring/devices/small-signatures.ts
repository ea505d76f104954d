// What the keyring signs beside transactions: promises of payment channels, answers to a node's hello, proofs of a mailbox.
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatInboxProof, PROOF_NONCE_BYTES } from "#shared/protocol/mail/inbox-proof.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAmount } from "#shared/protocol/primitives/amount.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { voucherSignBytes, walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { fromHex, isHex, toBase64, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { InboxProofRequest, NodeAgreementRequest, VoucherRequest, WebSocketAuthentication } from "../keyring-api.ts";
import { wipe } from "../vault/vault-secrets.ts";

/** The payer's promise, base64. @throws CodedError BAD_REQUEST. */
export function signVoucher(masterSeed: Uint8Array, { chainId, channelId, paidUt }: VoucherRequest): string {
  if (!isHex(channelId, 16) || !isAmount(paidUt)) throw new CodedError("BAD_REQUEST", "A voucher names a channel and an amount");
  return toBase64(signEd25519(voucherSignBytes(chainId, channelId.toLowerCase(), paidUt), masterSeed));
}

/** The agreement to a node's earnings, base64. @throws CodedError BAD_REQUEST. */
export function agreeToNode(masterSeed: Uint8Array, { chainId, nodePub }: NodeAgreementRequest): string {
  if (!isHex(nodePub, 32)) throw new CodedError("BAD_REQUEST", "A node is named by its Ed25519 key of 64 hex characters");
  return toBase64(signEd25519(walletSignBytes(chainId, nodePub.toLowerCase()), masterSeed));
}

/** The response to the nonce of a WebSocket's hello. @throws CodedError BAD_REQUEST. */
export function signHello(
  masterSeed: Uint8Array,
  masterPub: PublicKeyHex,
  { chainId, nonce }: { readonly chainId: string; readonly nonce: string },
): WebSocketAuthentication {
  if (!isHex(nonce, 32)) throw new CodedError("BAD_REQUEST", "The node's nonce is not 32 bytes of hex");
  return { pub: masterPub, sig: toHex(signEd25519(domainBytes("webSocket", chainId, fromHex(nonce)), masterSeed)) };
}

/** A proof of a mailbox key, good for one request. The shared secret is wiped. */
export function proveInbox(sharedSecret: Uint8Array, request: InboxProofRequest, unixSeconds: number, random: RandomBytes): string {
  const { method, path } = request;
  const proof = formatInboxProof(sharedSecret, { method, path, unixSeconds, nonce: toHex(random(PROOF_NONCE_BYTES)) });
  wipe(sharedSecret);
  return proof;
}
