/** One end of a message channel. */
export interface BridgePort {
  postMessage(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}
/** The part of WebCrypto that makes a key unreadable. */
export type ImportStoreKey = (raw: Uint8Array, use: "encrypt" | "authenticate") => Promise<unknown>;
/** Joins both ends. */
export declare function bridgeKeyring(page: BridgePort, keyring: BridgePort, importKey: ImportStoreKey): void;
