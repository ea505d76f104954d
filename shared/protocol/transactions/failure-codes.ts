// Why a transaction failed inside its block. The codes are part of receipts and so of consensus; the words are not.

/** Every failure code with a sentence for the person. */
export const FAILURE_CODES = {
  INSUFFICIENT_BALANCE: "The balance covers the fee but not the amount.",
  KEY_IN_USE: "The X25519 key belongs to a device of another identity.",
  DEVICE_ALREADY_ACTIVE: "The X25519 key is already an active device.",
  DEVICE_LIMIT: "The identity has reached its device limit: unlink one first.",
  DEVICE_NOT_ACTIVE: "The X25519 key is not an active device of the sender.",
  CONTACT_BLOCKED: "The recipient has blocked the sender.",
  CONTACT_PENDING: "A contact request to this recipient is already waiting for an answer.",
  CONTACT_ACCEPTED: "The contact is already accepted.",
  CONTACT_NOT_FOUND: "There is no contact request from this key to accept.",
  RELAY_NOT_REGISTERED: "The sender is not a registered relay.",
  RELAY_NOTHING_PAID: "None of the claims could be paid.",
  RELAY_BOND_SMALL: "The bond is too small: a relay that keeps mail needs a twentieth of a validator's.",
  RELAY_BOND_REDUCED: "A relay's bond can only be increased, or withdrawn in full.",
  RELAY_BOND_LIMIT: "No more relays can post a bond: the limit has been reached.",
  RELAY_NOT_BONDED: "The relay has no bond, so it keeps no mail.",
  RELAY_LIE_UNPROVEN: "The digests are too old or dated in the future.",
  RELAY_SUSPENDED: "The relay is already suspended.",
  SUSPENSION_VOTED: "The sender has already voted.",
  ALREADY_VALIDATOR: "The key is already a validator.",
  NOT_A_VALIDATOR: "The key is not a validator.",
  NO_APPROVAL: "Neither the sender nor a cosigner may approve this.",
  VALIDATOR_BANNED: "The validator was penalised and cannot return yet.",
  VALIDATOR_LIMIT: "The validator set is full.",
  LAST_VALIDATOR: "The last validator cannot leave.",
  BOND_UNAFFORDABLE: "The candidate's balance doesn't cover the bond.",
  BOND_LOCKED: "The bond is still locked: the waiting period after leaving is not over.",
  OFFENCE_UNPROVEN: "The key was not a validator at that height.",
  OFFENCE_PUNISHED: "The offence was already penalised.",
  VALIDATOR_KEY_USED: "The new key is or was a validator's: a key that never voted is needed.",
  VALIDATOR_KEY_REPLACED: "The key was replaced by another one and cannot validate again.",
  ROTATION_TOO_SOON: "A validator can replace its key once in 1,000 blocks.",
  UPGRADE_OUT_OF_REACH: "A parameter may at most double or halve in one change, and the block reward can only fall.",
  UPGRADE_VERSION: "The network has this version or a later one already.",
  UPGRADE_EMPTY: "The upgrade changes nothing, and none is pending that it could cancel.",
  CHANNEL_EXISTS: "A payment channel with this ID already existed.",
  CHANNEL_NOT_FOUND: "There is no open payment channel with this ID between these two.",
  CHANNEL_EXPIRY: "The channel must expire after this block and within a year.",
  CHANNEL_NOT_EXPIRED: "Before the channel expires, only its payee can close it.",
  CHANNEL_OVERDRAWN: "The channel's deposit doesn't cover what was paid.",
  CHANNEL_VOUCHER_MISSING: "The payee needs a voucher from the payer.",
  CONTRACT_EXISTS: "A contract with this ID already exists.",
  CONTRACT_NOT_FOUND: "There is no contract with this ID.",
  CONTRACT_MODULE_INVALID: "The module violates a rule of the network: contract build and deploy-contract say which.",
  CONTRACT_ABI_MISMATCH: "The module does not export every method of its interface.",
  CONTRACT_METHOD_UNKNOWN: "The contract has no such method.",
  CONTRACT_NOT_PAYABLE: "The method does not accept payments.",
  CONTRACT_ARGUMENTS: "The arguments do not match the method.",
  CONTRACT_ABORTED: "The contract aborted; its log says why.",
  CONTRACT_OUT_OF_GAS: "The gas limit was reached: simulate with estimate-contract, then raise --gas.",
  CONTRACT_TRAPPED: "The contract crashed: its code did something that is not allowed.",
  CONTRACT_STACK_OVERFLOW: "The contract failed: its calls were nested too deep.",
} as const;

/** A code of the table. */
export type FailureCode = keyof typeof FAILURE_CODES;

/** True for a code of the table. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code);
}
