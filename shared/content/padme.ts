// Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019): a length of L bytes
// grows by at most 12 % and reveals only O(log log L) bits of itself.

/** Smallest Padmé length that holds `length` bytes (a safe integer below 2^31). */
export function padmeLength(length: number): number {
  if (length < 2) return length;
  const exponent = 31 - Math.clz32(length);
  const keptBits = 32 - Math.clz32(exponent);
  const mask = 2 ** Math.max(0, exponent - keptBits) - 1;
  return length + mask - ((length + mask) & mask);
}
