// A self-signed certificate for a connection whose two sides know each other by fingerprints: a P-256 key, no names, no end. Node makes
// keys but no certificates, so the few fields of X.509 (RFC 5280) are written here.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A private key and its certificate, both PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly certificate: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const VERSION_TAG = 0xa0;
const LONG_LENGTH = 0x80;
const SERIAL_BYTES = 8;
/** ecdsa-with-SHA256 and commonName. */
const ECDSA_SHA256 = Buffer.from("2a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("550403", "hex");
/** Since when, and the time that means "for ever" in RFC 5280: what is pinned needs no other end. */
const NOT_BEFORE = "200101000000Z";
const NOT_AFTER = "99991231235959Z";
const PEM_COLUMNS = 64;

/** A new key with its certificate. */
export function createTlsIdentity(commonName: string): TlsIdentity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: pem("CERTIFICATE", selfSigned(commonName, publicKey, privateKey)),
  };
}

function selfSigned(commonName: string, publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(commonName)))));
  const serial = randomBytes(SERIAL_BYTES);
  // Positive, and as short as it can be.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const toBeSigned = der(
    SEQUENCE,
    der(VERSION_TAG, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial),
    algorithm,
    name,
    der(SEQUENCE, der(UTC_TIME, Buffer.from(NOT_BEFORE)), der(GENERALIZED_TIME, Buffer.from(NOT_AFTER))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  return der(SEQUENCE, toBeSigned, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
}

/** An item of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < LONG_LENGTH) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, LONG_LENGTH | length.length]), length, content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(new RegExp(`.{1,${PEM_COLUMNS}}`, "g")) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
