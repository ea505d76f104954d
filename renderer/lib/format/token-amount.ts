// Amounts of tokens, exact: whole units of the last decimal, written with the token's own decimals.

/** `12.5` of 1250 with two decimals; trailing zeros are left out. */
export function formatTokenAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" || decimals === 0 ? whole : `${whole}.${fraction}`;
}

/** Units of a typed amount, or undefined when it is none or has more decimals than the token. */
export function parseTokenAmount(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const units = BigInt(`${whole}${fraction.padEnd(decimals, "0")}`);
  return units < 2n ** 64n ? units : undefined;
}
