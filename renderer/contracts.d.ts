// Contracts of the library that the build compiles into the interface.

declare module "virtual:contracts/multisig" {
  /** Base64 of the module. */
  export const wasmB64: string;
  /** Hex of the SHA-256 of its bytes. */
  export const hash: string;
  export const abiJson: string;
}
