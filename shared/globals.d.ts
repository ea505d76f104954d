// The few globals that every runtime of shared/ has (browser, worker, Node). Nothing else is ambient here.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly fatal: boolean; readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}
