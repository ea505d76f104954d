// WebCrypto's AES-256-GCM and HMAC-SHA-256 in the thread of the test: for tests that seal thousands of small records, of each of which
// handing it to another thread and back costs ten times the cipher. Results come as late as before: in a later turn of the event loop.
import { createCipheriv, createDecipheriv, createHmac, KeyObject } from "node:crypto";

const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/** Parameters of AES-GCM, in bytes that own their buffers. */
interface Gcm {
  readonly name: string;
  readonly iv: Uint8Array;
  readonly additionalData?: Uint8Array;
  readonly tagLength?: number;
}

const objects = new WeakMap<CryptoKey, KeyObject>();

function objectOf(key: CryptoKey): KeyObject {
  const object = objects.get(key) ?? KeyObject.from(key);
  objects.set(key, object);
  return object;
}

/** What `encrypt` of WebCrypto gives. */
export function encryptHere({ iv, additionalData }: Gcm, key: CryptoKey, data: Uint8Array): ArrayBuffer {
  const cipher = createCipheriv(CIPHER, objectOf(key), iv);
  if (additionalData !== undefined) cipher.setAAD(additionalData);
  const sealed = new Uint8Array(data.length + TAG_BYTES);
  sealed.set(cipher.update(data));
  cipher.final();
  sealed.set(cipher.getAuthTag(), data.length);
  return sealed.buffer;
}

/** What `decrypt` gives. @throws DOMException OperationError for what was not sealed so */
export function decryptHere({ iv, additionalData }: Gcm, key: CryptoKey, sealed: Uint8Array): ArrayBuffer {
  try {
    const length = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, objectOf(key), iv);
    if (additionalData !== undefined) decipher.setAAD(additionalData);
    decipher.setAuthTag(sealed.subarray(length));
    const data = new Uint8Array(length);
    data.set(decipher.update(sealed.subarray(0, length)));
    decipher.final();
    return data.buffer;
  } catch {
    throw new DOMException("The operation failed for an operation-specific reason", "OperationError");
  }
}

/** What `sign` gives. */
export function signHere(key: CryptoKey, data: Uint8Array): ArrayBuffer {
  return Uint8Array.from(createHmac("sha256", objectOf(key)).update(data).digest()).buffer;
}

/** The result is there at once, since the caller may overwrite what it gave. */
function later(work: () => ArrayBuffer): Promise<ArrayBuffer> {
  let give: (resolve: (result: ArrayBuffer) => void, reject: (error: unknown) => void) => void;
  try {
    const result = work();
    give = (resolve): void => resolve(result);
  } catch (error) {
    give = (_resolve, reject): void => reject(error);
  }
  return new Promise((resolve, reject) => setImmediate(() => give(resolve, reject)));
}

function isGcm(algorithm: unknown, key: CryptoKey, use: KeyUsage, data: unknown): algorithm is Gcm {
  const { name, tagLength } = algorithm as Gcm;
  const { name: ofKey, length } = key.algorithm as AesKeyAlgorithm;
  const isPlain = name === "AES-GCM" && ofKey === name && length === 256 && tagLength === undefined;
  return isPlain && key.usages.includes(use) && data instanceof Uint8Array;
}

function isHmac(algorithm: unknown, key: CryptoKey, data: unknown): data is Uint8Array {
  const { name, hash } = key.algorithm as HmacKeyAlgorithm;
  return algorithm === "HMAC" && name === algorithm && hash.name === "SHA-256" && key.usages.includes("sign") && data instanceof Uint8Array;
}

let isInstalled = false;

/** Lets this process compute so, once. Everything else is left to WebCrypto. */
export function installNativeWebCrypto(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { prototype } = SubtleCrypto;
  const { encrypt, decrypt, sign } = prototype;
  prototype.encrypt = function sealing(algorithm, key, data): Promise<ArrayBuffer> {
    if (!isGcm(algorithm, key, "encrypt", data)) return encrypt.call(this, algorithm, key, data);
    return later(() => encryptHere(algorithm, key, data as Uint8Array));
  };
  prototype.decrypt = function opening(algorithm, key, data): Promise<ArrayBuffer> {
    if (!isGcm(algorithm, key, "decrypt", data)) return decrypt.call(this, algorithm, key, data);
    return later(() => decryptHere(algorithm, key, data as Uint8Array));
  };
  prototype.sign = function signing(algorithm, key, data): Promise<ArrayBuffer> {
    return isHmac(algorithm, key, data) ? later(() => signHere(key, data)) : sign.call(this, algorithm, key, data);
  };
}
