// Types of CBOR items by their number in the first three bits of a head, and the three simple values.

export const CBOR_NUMBER = 0;
export const CBOR_NEGATIVE = 1;
export const CBOR_BYTES = 2;
export const CBOR_TEXT = 3;
export const CBOR_ARRAY = 4;
export const CBOR_MAP = 5;

export const CBOR_FALSE = 0xf4;
export const CBOR_TRUE = 0xf5;
export const CBOR_NULL = 0xf6;
