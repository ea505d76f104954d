// The picture code of a program: names that read alike look different.
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex } from "#shared/util/bytes.ts";

/** Hex key whose picture stands for a name: the same wherever the name is shown. */
export function appPictureKey(name: string): string {
  return toHex(sha256(new TextEncoder().encode(name)));
}
