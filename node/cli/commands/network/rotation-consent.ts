// A new key's consent to take the place of a validator's key: given where the new key is, read where the present one is.
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { rotationSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { fromBase64, fromHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { SigningKey } from "../../session/keys/key-file.ts";

/** `<key in hex>:<signature in base64>` */
const CONSENT = /^([0-9a-f]{64}):([A-Za-z0-9+/]{86}==)$/;
const SIGNATURE_BYTES = 64;

/** What the new key signs for a validator's present one. */
export function consentOf(chainId: string, present: PublicKeyHex, { publicKey, seed }: SigningKey): PayloadOf<"ROTATE_KEY"> {
  return { new_pub: publicKey, new_sig: toBase64(signEd25519(rotationSignBytes(chainId, present, publicKey), seed)) };
}

/** As it is printed and pasted. */
export function formatConsent({ new_pub, new_sig }: PayloadOf<"ROTATE_KEY">): string {
  return `${new_pub}:${new_sig}`;
}

/** The consent of a text. @throws CodedError BAD_REQUEST when it is none for this validator and chain. */
export function readConsent(text: string, chainId: string, present: PublicKeyHex): PayloadOf<"ROTATE_KEY"> {
  const [, new_pub = "", new_sig = ""] = CONSENT.exec(text) ?? [];
  if (tryFromBase64(new_sig)?.length !== SIGNATURE_BYTES)
    throw new CodedError("BAD_REQUEST", "--consent is what parley validator consent prints");
  if (!verifyZip215(fromBase64(new_sig), rotationSignBytes(chainId, present, new_pub), fromHex(new_pub)))
    throw new CodedError("BAD_REQUEST", `The consent is not one to take over from ${formatAddress(present)} on ${chainId}`);
  return { new_pub, new_sig };
}
