// Why a transaction failed inside its block. The codes are part of receipts and so of consensus; the words are not.

/** Every failure code with a sentence for the person. */
export const FAILURE_CODES = {
  INSUFFICIENT_BALANCE: "The balance covers the fee but not the amount.",
  KEY_IN_USE: "The X25519 key belongs to a device of another identity.",
  DEVICE_ALREADY_ACTIVE: "The X25519 key is an active device already.",
  DEVICE_LIMIT: "The identity has the largest number of active devices: unlink one first.",
  DEVICE_NOT_ACTIVE: "The X25519 key is no active device of the sender.",
  CONTACT_BLOCKED: "The recipient has blocked the sender.",
  CONTACT_PENDING: "A contact request to this recipient is waiting for an answer already.",
  CONTACT_ACCEPTED: "The contact is accepted already.",
  CONTACT_NOT_FOUND: "There is no contact request from this key to accept.",
} as const;

/** A code of the table. */
export type FailureCode = keyof typeof FAILURE_CODES;

/** True for a code of the table. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code);
}
