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
  RELAY_NOT_REGISTERED: "The sender is no registered relay.",
  RELAY_NOTHING_PAID: "None of the claims could be paid.",
  ALREADY_VALIDATOR: "The key is a validator already.",
  NOT_A_VALIDATOR: "The key is no validator.",
  NO_APPROVAL: "Neither the sender nor a cosigner may approve this.",
  VALIDATOR_BANNED: "The validator was punished and cannot return yet.",
  VALIDATOR_LIMIT: "The validator set is full.",
  LAST_VALIDATOR: "The last validator cannot leave.",
  BOND_UNAFFORDABLE: "The candidate's balance does not cover the bond.",
  BOND_LOCKED: "The bond is not yet paid back: the waiting time after leaving has not passed.",
  OFFENCE_UNPROVEN: "The key was no validator at that height.",
  OFFENCE_PUNISHED: "The offence has been punished already.",
  CHANNEL_EXISTS: "A payment channel with this id was opened before.",
  CHANNEL_NOT_FOUND: "There is no open payment channel with this id between these two.",
  CHANNEL_EXPIRY: "The channel must expire after this block and within a year.",
  CHANNEL_NOT_EXPIRED: "Before the channel expires, only its payee can close it.",
  CHANNEL_OVERDRAWN: "The channel's deposit does not cover what was paid.",
  CHANNEL_VOUCHER_MISSING: "The payee needs a voucher of the payer.",
  CONTRACT_EXISTS: "A contract with this id exists already.",
  CONTRACT_NOT_FOUND: "There is no contract with this id.",
  CONTRACT_MODULE_INVALID: "The module breaks a rule of the network: contract build and deploy-contract say which.",
  CONTRACT_ABI_MISMATCH: "The module does not export every method of its interface.",
  CONTRACT_METHOD_UNKNOWN: "The contract has no such method.",
  CONTRACT_NOT_PAYABLE: "The method takes no µT.",
  CONTRACT_ARGUMENTS: "The arguments are not those of the method.",
  CONTRACT_ABORTED: "The contract refused; its log says why.",
  CONTRACT_OUT_OF_GAS:
    "The gas limit was reached: try the call out (estimate-contract) to learn how much gas it needs, and give a higher limit (--gas).",
  CONTRACT_TRAPPED: "The contract broke off: its code did what cannot be done.",
  CONTRACT_STACK_OVERFLOW: "The contract broke off: its calls were nested too deep.",
} as const;

/** A code of the table. */
export type FailureCode = keyof typeof FAILURE_CODES;

/** True for a code of the table. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code);
}
