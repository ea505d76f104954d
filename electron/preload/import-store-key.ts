// Keys of the local history as WebCrypto holds them: usable, never readable again.
import type { ImportStoreKey } from "./keyring-bridge.ts";

/** A non-extractable key of 32 raw bytes: AES-GCM for records, HMAC-SHA-256 for indexes. */
export const importStoreKey: ImportStoreKey = (raw, use) =>
  use === "encrypt"
    ? crypto.subtle.importKey("raw", new Uint8Array(raw), "AES-GCM", false, ["encrypt", "decrypt"])
    : crypto.subtle.importKey("raw", new Uint8Array(raw), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
