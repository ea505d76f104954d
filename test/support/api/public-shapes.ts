// The records of the public contract by the types of their fields.
import * as a from "./response-shape.ts";

const TYPES =
  "TRANSFER REGISTER_KEY RELAY_PROOF REGISTER_RELAY CONTACT_REQUEST ACCEPT_CONTACT BLOCK_CONTACT ADD_VALIDATOR REMOVE_VALIDATOR HEARTBEAT BIND_WALLET SLASH SUSPEND_RELAY OPEN_PAY_CHAN CLOSE_PAY_CHAN LINK_DEVICE UNLINK_DEVICE CALL_CONTRACT DEPLOY_CONTRACT BLOCK_REWARD";
export const BUILD = { tag: a.str, commit: a.str, date: a.str, dirty: a.oneOf("true", "false") };

export const blockSummary = {
  index: a.uint,
  hash: a.hexKey,
  time: a.dateTime,
  validator: a.address,
  tx_count: a.uint,
  total_fees_ut: a.uint,
};
export const transactionEntry = {
  id: a.str,
  type: a.oneOf(...TYPES.split(" ")),
  from: a.hexKeyOrEmpty,
  from_addr: a.addressOrEmpty,
  to: a.hexKeyOrEmpty,
  to_addr: a.addressOrEmpty,
  amount_ut: a.uint,
  amount: a.amountText,
  fee_ut: a.uint,
  fee: a.amountText,
  time: a.dateTime,
  block_index: a.uint,
  block_hash: a.hexKey,
};
const { amount: _amount, fee: _fee, ...chainFields } = { ...transactionEntry, memo: a.str };
export const chainTransaction = chainFields;
export const submitted = a.obj({ status: a.str, id: a.str });
export const wellKnown = a.recordOf(a.obj({ contract_id: a.contractId, name: a.str, version: a.optional(a.str), deployed_at: a.uint }));
export const contract = { contract_id: a.contractId, deployer_pub: a.hexKeyOrEmpty, deployed_at: a.uint, wasm_size: a.uint };
export const contactInfo = a.obj({
  requester_pub: a.hexKey,
  requester_addr: a.address,
  status: a.oneOf("pending", "accepted", "blocked"),
  intro: a.optional(a.str),
  fee_ut: a.uint,
  tx_id: a.str,
  created_at: a.uint,
});
export const inboxItem = a.obj({
  id: a.str,
  sender_pub: a.hexKey,
  sender_ed25519_pub: a.hexKeyOrEmpty,
  recipient_pub: a.hexKey,
  fee_ut: a.uint,
  sent_at: a.uint,
  sent_at_human: a.dateTime,
  nonce: a.b64,
  ciphertext: a.b64,
});
export const validators = {
  validators: a.listOf(a.obj({ pub_key: a.hexKey, address: a.address, missed_commits: a.optional(a.uint) })),
  set_aside: a.optional(a.listOf(a.obj({ pub_key: a.hexKey, address: a.address, since_block: a.uint }))),
};
export const stateValue = (u64: a.Shape): a.Shape =>
  a.obj({ contract_id: a.contractId, key: a.str, value_b64: a.nullable(a.b64), value_hex: a.nullable(a.hex), value_u64: u64 });
export const nothing: a.Shape = (value) => (value === null ? undefined : `is not null: ${JSON.stringify(value)}`);
export const updateCheck = a.obj({
  current: a.obj(BUILD),
  latest: a.optional(a.obj({ tag: a.str, commit: a.str, url: a.str, published_at: a.str })),
  update_available: a.bool,
  checked_at: a.str,
  source: a.optional(a.str),
});
