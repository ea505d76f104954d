// The consensus rule of signatures and keys, with libsodium in front of the script as in a node's verifier: for tests in which many things
// are checked. The script decides what libsodium rejects. It is loaded past the alias that put this file in its place.
import { loadSodium } from "#node/crypto/sodium.ts";
import { fromHex, isHex } from "#shared/util/bytes.ts";
import * as script from "../../../shared/protocol/primitives/signature.ts";

const sodium = loadSodium();

/** The script's own. */
export const { ed25519PublicKey, isAcceptablePoint, signEd25519 } = script;

/** The script's results. */
export const verifyZip215: script.VerifySignature = (signature, message, publicKey) =>
  sodium?.verify(signature, message, publicKey) === true || script.verifyZip215(signature, message, publicKey);

/** The script's results. */
export function isAcceptablePublicKey(publicKey: string): boolean {
  return (isHex(publicKey, 32) && sodium?.isPrimeOrderPoint(fromHex(publicKey)) === true) || script.isAcceptablePublicKey(publicKey);
}
