// The few globals that every runtime of shared/ has (browser, worker, Node). Nothing else is ambient here.
declare class TextEncoder {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}
declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly fatal: boolean; readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

/** A key of WebCrypto. */
declare class CryptoKey {
  private constructor();
  readonly type: string;
}
/** WebCrypto, as far as it is used here. */
declare const crypto: {
  getRandomValues<Bytes extends Uint8Array>(bytes: Bytes): Bytes;
  readonly subtle: {
    encrypt(algorithm: object, key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer>;
    decrypt(algorithm: object, key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer>;
    sign(algorithm: "HMAC", key: CryptoKey, data: Uint8Array): Promise<ArrayBuffer>;
    digest(algorithm: "SHA-256", data: Uint8Array): Promise<ArrayBuffer>;
    importKey(
      format: "raw",
      raw: Uint8Array,
      algorithm: string | object,
      isExtractable: false,
      uses: readonly ("encrypt" | "decrypt" | "sign")[],
    ): Promise<CryptoKey>;
  };
};

/** Whether something was called off. */
declare class AbortSignal {
  readonly aborted: boolean;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
