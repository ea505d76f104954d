// The TLS identity of one side as a file of its owner alone, and how the other side names it: by the SHA-256 of the certificate.
import { X509Certificate } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { readPrivateFile } from "./private-file.ts";
import { createTlsIdentity, type TlsIdentity } from "./self-signed-certificate.ts";

const PEM = /^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----\n(?=-----BEGIN CERTIFICATE-----)/;

/** The identity in a file. @throws CodedError CONFIG_INVALID without one, STORAGE_CORRUPT, or STORAGE_UNWRITABLE when others can read it. */
export function readTlsIdentity(path: string, howToMake: string): TlsIdentity {
  const text = readPrivateFile(path);
  if (text === undefined) throw new CodedError("CONFIG_INVALID", `There is no TLS key at ${path}: ${howToMake}`);
  const [key] = PEM.exec(text) ?? [];
  if (key === undefined) throw new CodedError("STORAGE_CORRUPT", `${path} is no TLS key with its certificate: make another one`);
  const identity = { key, certificate: text.slice(key.length) };
  fingerprintOf(identity, path);
  return identity;
}

/** The identity in a file, made when there is none. @throws CodedError as {@link readTlsIdentity} */
export function readOrCreateTlsIdentity(path: string, commonName: string): TlsIdentity {
  if (readPrivateFile(path) === undefined) {
    const { key, certificate } = createTlsIdentity(commonName);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, `${key}${certificate}`, { replaces: false });
  }
  return readTlsIdentity(path, "");
}

/** SHA-256 of a certificate, as lower-case hex. @throws CodedError STORAGE_CORRUPT */
export function fingerprintOf({ certificate }: TlsIdentity, path = "The certificate"): string {
  try {
    return plainFingerprint(new X509Certificate(certificate).fingerprint256);
  } catch (cause) {
    throw new CodedError("STORAGE_CORRUPT", `${path} holds no certificate: make another one`, { cause });
  }
}

/** A fingerprint as other programs write it (`AB:CD:…`) in the form used here. */
export function plainFingerprint(text: string): string {
  return text.replaceAll(":", "").toLowerCase();
}
