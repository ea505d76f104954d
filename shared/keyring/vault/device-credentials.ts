// A device's own signing key, and the master key's word for it. The signing key comes from the device secret, so it lives and dies
// with it; a certificate is stored for each network the device was used on.
import type { EntryProof } from "#shared/protocol/groups/signed-entry.ts";
import {
  certificateSignBytes,
  type DeviceKeys,
  groupEntrySignBytes,
  prekeySignBytes,
  type SignedPrekey,
} from "#shared/protocol/mail/device-certificate.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { deriveKey } from "./derivation.ts";
import { type DeviceCertificate, wipe } from "./vault-secrets.ts";

/** Networks whose certificates are stored; the oldest makes room. */
const MAX_CERTIFICATES = 32;

/** Signs for one device. */
export class DeviceCredentials {
  readonly #seed: Uint8Array;
  readonly #devicePub: string;
  readonly #certificates: readonly DeviceCertificate[];
  /** The last prekey, and its network: it is asked for far more often than it changes. */
  #last: { readonly chainId: string; readonly prekey: SignedPrekey } | undefined;

  /** The secret stays the caller's. */
  constructor(deviceSecret: Uint8Array, devicePub: string, certificates: readonly DeviceCertificate[] = []) {
    this.#seed = deriveKey(deviceSecret, "device signing");
    this.#devicePub = devicePub;
    this.#certificates = certificates;
  }

  get keys(): DeviceKeys {
    return { devicePub: this.#devicePub, signingPub: toHex(ed25519PublicKey(this.#seed)) };
  }

  get certificates(): readonly DeviceCertificate[] {
    return this.#certificates;
  }

  has(chainId: string): boolean {
    return this.#certificates.some((certificate) => certificate.chainId === chainId);
  }

  /** A signed prekey, or null while the master key has not vouched for this device on the network. */
  prekey(chainId: string, epoch: Pick<SignedPrekey, "epochPub" | "notAfter">): SignedPrekey | null {
    const certificate = this.#certificates.find((known) => known.chainId === chainId);
    if (certificate === undefined) return null;
    if (this.#last?.chainId === chainId && this.#last.prekey.epochPub === epoch.epochPub) return this.#last.prekey;
    const { devicePub, signingPub } = this.keys;
    const signature = toHex(signEd25519(prekeySignBytes(chainId, { devicePub, ...epoch }), this.#seed));
    const prekey = { ...epoch, signingPub, certificate: toHex(certificate.signature), signature };
    this.#last = { chainId, prekey };
    return prekey;
  }

  /** What proves an entry of a group, or null while the master key has not vouched for this device on the network. */
  entryProof(chainId: string, entry: Uint8Array): EntryProof | null {
    const certificate = this.#certificates.find((known) => known.chainId === chainId);
    if (certificate === undefined) return null;
    const signature = toHex(signEd25519(groupEntrySignBytes(chainId, entry), this.#seed));
    return { signingPub: this.keys.signingPub, certificate: toHex(certificate.signature), signature };
  }

  /** Signature of a card's bytes, 64 bytes, or null while the master key has not vouched for this device on the network. */
  signCard(chainId: string, signBytes: Uint8Array): Uint8Array | null {
    return this.has(chainId) ? signEd25519(signBytes, this.#seed) : null;
  }

  /** What proves a public card, or null while the master key has not vouched for this device on the network. */
  publicCardProof(
    chainId: string,
    signBytes: Uint8Array,
  ): { readonly signingPub: string; readonly certificate: Uint8Array; readonly signature: Uint8Array } | null {
    const certificate = this.#certificates.find((known) => known.chainId === chainId);
    if (certificate === undefined) return null;
    return { signingPub: this.keys.signingPub, certificate: certificate.signature, signature: signEd25519(signBytes, this.#seed) };
  }

  close(): void {
    wipe(this.#seed);
  }
}

/** Certificates with another one, in place of an older one of its network. */
export function withCertificate(certificates: readonly DeviceCertificate[], certificate: DeviceCertificate): readonly DeviceCertificate[] {
  return [...certificates.filter(({ chainId }) => chainId !== certificate.chainId), certificate].slice(-MAX_CERTIFICATES);
}

/** The master key's word for a device: 64 bytes. */
export function certify(masterSeed: Uint8Array, chainId: string, keys: DeviceKeys): Uint8Array {
  return signEd25519(certificateSignBytes(chainId, keys), masterSeed);
}
