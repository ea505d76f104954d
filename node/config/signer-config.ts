// The signer of a node: flags over environment over config.json. Its three settings belong together and come from where the address does.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { Environment } from "./environment.ts";
import type { ConfigFile } from "./files/config-file.ts";
import { parseSignerAddress, type SignerAddress } from "./signer-address.ts";

/** A validator's key in another process. */
export interface SignerConfig {
  readonly address: SignerAddress;
  /** Key of the validator. */
  readonly publicKey: PublicKeyHex;
  /** SHA-256 of the signer's certificate, where it has a port. */
  readonly fingerprint: string | undefined;
}

/** Flags of the signers as given. */
export interface SignerFlags {
  readonly signer?: string;
  readonly signerKey?: string;
  readonly signerPin?: string;
  readonly nextSigner?: string;
  readonly nextSignerKey?: string;
  readonly nextSignerPin?: string;
}

/** Texts that belong together, and how their flags begin. */
interface SignerTexts {
  readonly flag: "--signer" | "--next-signer";
  readonly address: string | undefined;
  readonly key: string | undefined;
  readonly pin: string | undefined;
}

const FINGERPRINT = /^[0-9a-f]{64}$/;

/** The signer, undefined where the node has the key itself. @throws CodedError CONFIG_INVALID naming what is wrong. */
export function signerConfig(flags: SignerFlags, environment: Environment, file: ConfigFile): SignerConfig | undefined {
  return readTexts({
    flag: "--signer",
    address: flags.signer ?? environment.signer ?? file.signer,
    key: flags.signerKey ?? environment.signerKey ?? file.signer_key,
    pin: flags.signerPin ?? environment.signerPin ?? file.signer_pin,
  });
}

/** The signer whose key is to take over, undefined where none is. @throws CodedError CONFIG_INVALID naming what is wrong. */
export function nextSignerConfig(flags: SignerFlags, file: ConfigFile): SignerConfig | undefined {
  return readTexts({
    flag: "--next-signer",
    address: flags.nextSigner ?? file.next_signer,
    key: flags.nextSignerKey ?? file.next_signer_key,
    pin: flags.nextSignerPin ?? file.next_signer_pin,
  });
}

function readTexts({ flag, address: text, key, pin }: SignerTexts): SignerConfig | undefined {
  if (text === undefined) {
    if (key !== undefined || pin !== undefined)
      throw new CodedError("CONFIG_INVALID", `${flag}-key and ${flag}-pin belong to ${flag}: give its address`);
    return undefined;
  }
  if (key === undefined) throw new CodedError("CONFIG_INVALID", `A signer has the key of one validator: name it with ${flag}-key`);
  const address = parseSignerAddress(text);
  return { address, publicKey: publicKeyOf(flag, key), fingerprint: fingerprintOf(flag, address, pin) };
}

function publicKeyOf(flag: SignerTexts["flag"], text: string): PublicKeyHex {
  try {
    return parseAccount(text);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${flag}-key is "${text}": write the address or public key that parley signer init printed`, {
      cause,
    });
  }
}

function fingerprintOf(flag: SignerTexts["flag"], { type }: SignerAddress, text: string | undefined): string | undefined {
  if (type === "socket") return undefined;
  const fingerprint = text?.replaceAll(":", "").toLowerCase();
  if (fingerprint !== undefined && FINGERPRINT.test(fingerprint)) return fingerprint;
  throw new CodedError(
    "CONFIG_INVALID",
    `A signer with a port is known by its fingerprint: give the 64 hex digits of parley signer init with ${flag}-pin`,
  );
}
