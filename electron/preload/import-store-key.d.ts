import type { ImportStoreKey } from "./keyring-bridge.ts";
/** A non-extractable key of 32 raw bytes: AES-GCM for records, HMAC-SHA-256 for indexes. */
export declare const importStoreKey: ImportStoreKey;
