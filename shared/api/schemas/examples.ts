// Examples in the OpenAPI document: real ones, that fit each other. Keys are of fixed seeds.
import type { Json, JsonObject } from "../json.ts";

const ALICE = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const ALICE_ADDRESS = "pl132yw8ht5p8cetl2jmvknewjawt9xwzdlrk2pyxlnwjyqrdq0dawqdjnfds";
const BOB = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";
const BOB_ADDRESS = "pl1syuhwr4g05t4744r23nvxnr7en9cmz53knhr0gja7c84hr7fkw2q367ytx";
const ALICES_DEVICE = "a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209";
const BOBS_DEVICE = "ce8d3ad1ccb633ec7b70c17814a5c76ecd029685050d344745ba05870e587d59";
const TX_ID = "tx100000001000000017ef27c44ba0f0020d6fc8a9a1cf350bc43afe9cdfa8b5ef76177b8ed9e6eb4d6";
const HASH = "7ef27c44ba0f0020d6fc8a9a1cf350bc43afe9cdfa8b5ef76177b8ed9e6eb4d6";
const CONTRACT = "0f5c3a9be1d27746";
const SIGNATURE = "PsEBFmQ3P8WRU1fmPC2EDoPQaYuqjfIlzokhzt3Qj0Sfe4+3tqCB/z/77Bm0t6CMaad1cGD2/meeMry91LL5Bw==";
const ENVELOPE_ID = "b8a313d75b944ffed8f5153e21c6e981";

const TRANSACTION: JsonObject = {
  id: TX_ID,
  type: "TRANSFER",
  from: ALICE,
  to: BOB,
  amount: 1_500_000,
  fee: 1_000,
  payload: "eyJtZW1vIjoibHVuY2gifQ==",
  timestamp: "2026-01-01T00:00:00Z",
  signature: SIGNATURE,
};

const ENVELOPE: JsonObject = {
  id: ENVELOPE_ID,
  recipient_pub: BOBS_DEVICE,
  sender_pub: ALICES_DEVICE,
  sender_ed25519_pub: ALICE,
  fee_ut: 0,
  fee_sig: null,
  nonce: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH",
  ciphertext: "P7L+Rxf+Zed3DnwBgIDF6kDhugeU",
  sent_at: 1_767_225_600,
};

const CALL: JsonObject = { method: "transfer", args_json: `["tea","${BOB}",1]`, gas_limit: 100_000, from: ALICE };

/** Examples of components, by title. */
export const COMPONENT_EXAMPLES: Readonly<Record<string, Json>> = {
  PublicKey: ALICE,
  BoxKey: ALICES_DEVICE,
  WalletAddress: ALICE_ADDRESS,
  Hash: HASH,
  ContractId: CONTRACT,
  AmountUt: 1_500_000,
  FeeUt: 1_000,
  GasFeeUt: 0,
  TotalFeesUt: 2_000,
  AmountText: "1.5 T",
  DateTime: "2026-01-01T00:00:00Z",
  UnixSeconds: 1_767_225_600,
  Height: 1_200,
  Count: 2,
  Uint64: 9,
  Error: { error: "limit must be >= 1" },
  SubmittedTransaction: TRANSACTION,
  ChainSubmission: { tx: TRANSACTION },
  DraftRequest: { from: ALICE_ADDRESS, to: BOB_ADDRESS, amount_ut: 1_500_000, memo: "lunch" },
  DevicesRequest: { accounts: [ALICE_ADDRESS, BOB] },
  IdentitiesRequest: { accounts: [ALICE_ADDRESS, BOB] },
  SealedEnvelope: ENVELOPE,
  BroadcastRequest: { envelope: ENVELOPE },
  BroadcastBatch: { envelopes: [{ envelope: ENVELOPE }] },
  HoldRequest: { name: "5e".repeat(32), not_before: 1_767_830_400, envelopes: [ENVELOPE] },
  WithdrawRequest: { name: "5e".repeat(32) },
  PublishedCard: { card: "igEaAAehIABIBQUFBQUFBQU=" },
  BoxList: { boxes: [{ pub: BOBS_DEVICE, after: 12 }], limit: 50 },
  SignedOpening: { pub: BOBS_DEVICE, write_pub: BOB, read: "anyone", until: 1_767_830_400, height: 1_024, signature: SIGNATURE },
  SignedDeletion: { pub: BOBS_DEVICE, ids: [ENVELOPE_ID], height: 1_024, signature: SIGNATURE },
  SendRequest: { recipient_pub: BOBS_DEVICE, msg_b64: "aGVsbG8=" },
  ViewRequest: CALL,
  EstimateRequest: { ...CALL, amount_ut: 0 },
  DeploymentRequest: {
    from: ALICE_ADDRESS,
    wasm_b64: "AGFzbQEAAAA=",
    abi_json: '{"contract":"empty","version":"1.0.0","methods":[]}',
  },
  CallRelayRequest: {},
  RateRequest: { url: "https://rates.example/latest", path: "rates.EUR" },
  PageRequest: { url: "https://page.example/about" },
  DutyRequest: { duty: "approve", pub_key: BOB_ADDRESS },
  FaucetRequest: { to: ALICE_ADDRESS, amount_ut: 5_000_000 },
  Accepted: { status: "accepted", id: TX_ID },
};

/** Examples of parameters of paths and queries, by name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, Json>> = {
  account: ALICE_ADDRESS,
  account_id: ALICE_ADDRESS,
  addr: ALICE_ADDRESS,
  pubkey: ALICE,
  master_pub: ALICE,
  pub: ALICES_DEVICE,
  index: 1_200,
  hash: HASH,
  txid: TX_ID,
  tx_id: TX_ID,
  contractID: CONTRACT,
  key: "name:alice",
  id: "tea",
  envID: ENVELOPE_ID,
  channel_id: "00112233445566778899aabbccddeeff",
  q: "tea",
};
