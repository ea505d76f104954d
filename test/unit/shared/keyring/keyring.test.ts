import nacl from "tweetnacl";
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_PLAINTEXT_BYTES } from "#shared/content/content-frame.ts";
import { EPOCH_GRACE_S, EPOCH_LIFETIME_S, EPOCH_LIMIT_S, EPOCH_ROTATION_S } from "#shared/keyring/devices/epoch-keys.ts";
import { hideSender } from "#shared/keyring/devices/hidden-sender.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringStatus } from "#shared/keyring/keyring-api.ts";
import { isGenuinePrekey, type SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { envelopeBytes, parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { domainBytes } from "#shared/protocol/primitives/domains.ts";
import { MAX_ENVELOPE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { voucherSignBytes, walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { isIdAuthentic, signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromBase64, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { isEnvelopeIdAuthentic } from "#test/support/chain/envelope-id.ts";
import { createTestKeyring, type ManualTime, type MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const CHAIN = "parley-test";
const minute = 60_000;

let keyring: Keyring;
let storage: MemoryVault;
let time: ManualTime;
let words: readonly string[];
let me: { masterPub: string; devicePub: string };

beforeEach(async () => {
  ({ keyring, storage, time } = createTestKeyring());
  ({ words } = await keyring.create({ password: PASSWORD }));
  me = (await keyring.status()).account as typeof me;
});

async function otherKeyring(): Promise<{ keyring: Keyring; masterPub: string; devicePub: string }> {
  const other = createTestKeyring().keyring;
  await other.create({ password: PASSWORD });
  const account = (await other.status()).account;
  return { keyring: other, masterPub: account?.masterPub ?? "", devicePub: account?.devicePub ?? "" };
}

/** Time of the newest block: as the clocks of all say. */
const nowS = (): number => Math.floor(time.nowMs() / 1000);

async function cardOf(of: Keyring): Promise<SignedPrekey> {
  const prekey = await of.signedPrekey({ chainId: CHAIN, blockS: nowS() });
  if (prekey === null) throw new Error("no card");
  return prekey;
}

/** The least interface. */
const ABI = '{"contract":"empty","version":"1","methods":[]}';

describe("identity", () => {
  it("starts empty, refuses to sign, then is unlocked after creation", async () => {
    const empty = createTestKeyring().keyring;
    expect(await empty.status()).toEqual({ state: "empty", account: null, phraseConfirmed: null });
    await expect(empty.seal({ requests: [] })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(await keyring.status()).toMatchObject({ state: "unlocked", phraseConfirmed: false });
    expect(words).toHaveLength(24);
  });

  it("never overwrites a vault that is there", async () => {
    const before = toHex(storage.copies.get("a") ?? new Uint8Array());
    await expect(keyring.create({ password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_EXISTS" });
    await expect(keyring.importPhrase({ phrase: words.join(" "), password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_EXISTS" });
    await expect(keyring.importPhrase({ phrase: words.join(" "), password: PASSWORD, replaceDamaged: true })).rejects.toMatchObject({
      code: "VAULT_EXISTS",
    });
    expect(toHex(storage.copies.get("a") ?? new Uint8Array())).toBe(before);
  });

  it("comes back from the phrase with the same master key and a fresh device key", async () => {
    const status = await createTestKeyring().keyring.importPhrase({ phrase: words.join(" "), password: PASSWORD });
    expect(status).toMatchObject({ state: "unlocked", phraseConfirmed: true, account: { masterPub: me.masterPub } });
    expect(status.account?.devicePub).not.toBe(me.devicePub);
  });

  it("replaces a damaged vault only when asked to", async () => {
    storage.damage("a");
    storage.damage("b");
    const restarted = createTestKeyring(storage).keyring;
    expect((await restarted.status()).state).toBe("damaged");
    await expect(restarted.unlock({ password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_CORRUPT" });
    await expect(restarted.create({ password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_CORRUPT" });
    const status = await restarted.importPhrase({ phrase: words.join(" "), password: PASSWORD, replaceDamaged: true });
    expect(status.account?.masterPub).toBe(me.masterPub);
  });

  it("keeps device key and identity over a restart, locked until the password", async () => {
    const restarted = createTestKeyring(storage).keyring;
    expect(await restarted.status()).toMatchObject({ state: "locked", account: me, phraseConfirmed: null });
    await expect(restarted.unlock({ password: "wrong password" })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    expect(await restarted.unlock({ password: PASSWORD })).toMatchObject({ state: "unlocked", account: me });
  });

  it.each(["short", "P@ssw0rd123", "Sommer2024!"])("refuses the password %s", async (password) => {
    const empty = createTestKeyring().keyring;
    await expect(empty.create({ password })).rejects.toMatchObject({ code: "PASSWORD_WEAK", details: { field: "password" } });
    await expect(empty.importPhrase({ phrase: words.join(" "), password })).rejects.toMatchObject({ code: "PASSWORD_WEAK" });
    expect((await empty.status()).state).toBe("empty");
  });
});

describe("phrase and passwords", () => {
  it("confirms the phrase by the quiz, and remembers", async () => {
    const { positions } = await keyring.phraseQuiz();
    const answers = positions.map((position) => ({ position, word: words[position - 1] ?? "" }));
    expect(await keyring.confirmPhrase({ answers: [] })).toEqual({ confirmed: false });
    await expect(keyring.confirmPhrase({ answers })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const again = (await keyring.phraseQuiz()).positions.map((position) => ({ position, word: words[position - 1] ?? "" }));
    expect(await keyring.confirmPhrase({ answers: again })).toEqual({ confirmed: true });
    expect(await createTestKeyring(storage).keyring.unlock({ password: PASSWORD })).toMatchObject({ phraseConfirmed: true });
  });

  it("reveals the phrase for the password alone, also while the wallet is locked", async () => {
    await keyring.lockWallet();
    expect(await keyring.revealPhrase({ password: PASSWORD })).toEqual({ words });
    await expect(keyring.revealPhrase({ password: "wrong password" })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    expect((await keyring.status()).state).toBe("walletLocked");
  });

  it("changes the password and keeps identity, device and store, under another key of records", async () => {
    const before = await keyring.storeKeys();
    await keyring.changePassword({ current: PASSWORD, next: "another good password" });
    const restarted = createTestKeyring(storage).keyring;
    await expect(restarted.unlock({ password: PASSWORD })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    expect((await restarted.unlock({ password: "another good password" })).account).toMatchObject(me);
    const after = await restarted.storeKeys();
    expect(after).toMatchObject({ name: before.name, indexKey: before.indexKey, formerKeys: [before.recordKey] });
    expect(after.recordKey).not.toEqual(before.recordKey);
    expect(await keyring.storeKeys()).toEqual(after);
    const { positions } = await keyring.phraseQuiz();
    const answers = positions.map((position) => ({ position, word: words[position - 1] ?? "" }));
    expect(await keyring.confirmPhrase({ answers })).toEqual({ confirmed: true });
  });

  it("resets a forgotten password with the phrase: nothing local is lost", async () => {
    const before = await keyring.storeKeys();
    const restarted = createTestKeyring(storage).keyring;
    const other = await createTestKeyring().keyring.create({ password: PASSWORD });
    await expect(restarted.resetPassword({ phrase: other.words.join(" "), password: "another good password" })).rejects.toMatchObject({
      code: "PHRASE_INVALID",
    });
    const status = await restarted.resetPassword({ phrase: words.join(" "), password: "another good password" });
    expect(status).toMatchObject({ state: "unlocked", account: me, phraseConfirmed: true, formerDataKeys: 1 });
    const after = await restarted.storeKeys();
    expect(after).toMatchObject({ name: before.name, indexKey: before.indexKey, formerKeys: [before.recordKey] });
  });
});

describe("locks", () => {
  it("locks the wallet while messages continue, then everything", async () => {
    const peer = await otherKeyring();
    const states: string[] = [];
    keyring.onStatus((status: KeyringStatus) => states.push(status.state));
    expect((await keyring.lockWallet()).state).toBe("walletLocked");
    await expect(keyring.sign({ intent: { kind: "registerKey" }, chainId: CHAIN })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await expect(keyring.authenticateWebSocket({ chainId: CHAIN, nonce: "ab".repeat(32) })).rejects.toMatchObject({
      code: "KEYRING_LOCKED",
    });
    await expect(keyring.phraseQuiz()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    const request = { plaintext: utf8("hi"), recipients: [peer.devicePub], sentAt: 1 };
    expect(await keyring.seal({ requests: [request] })).toHaveLength(1);
    expect((await keyring.lock()).state).toBe("locked");
    await expect(keyring.seal({ requests: [request] })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await expect(keyring.open({ items: [] })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await expect(keyring.storeKeys()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(states).toEqual(["walletLocked", "locked"]);
  });

  it("locks the wallet after the idle time, and activity puts it off", async () => {
    time.advance(4 * minute);
    await keyring.touch();
    time.advance(4 * minute);
    expect((await keyring.status()).state).toBe("unlocked");
    time.advance(minute);
    expect((await keyring.status()).state).toBe("walletLocked");
  });

  it("tells at once when the idle time is over, without a request", () => {
    const states: string[] = [];
    keyring.onStatus(({ state }) => states.push(state));
    time.advance(5 * minute - 1);
    expect(states).toEqual([]);
    time.advance(1);
    expect(states).toEqual(["walletLocked"]);
  });

  it("does not count arriving messages as activity", async () => {
    for (let i = 0; i < 5; i += 1) {
      time.advance(minute);
      await keyring.open({ items: [] });
    }
    expect((await keyring.status()).state).toBe("walletLocked");
  });

  it("locks everything after its own idle time, and never when set so", async () => {
    await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: 10 * minute, password: PASSWORD });
    time.advance(9 * minute);
    expect((await keyring.status()).state).toBe("unlocked");
    time.advance(minute);
    expect((await keyring.status()).state).toBe("locked");
    expect(time.pendingTimers).toBe(0);
    await keyring.unlock({ password: PASSWORD });
    await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null, password: PASSWORD });
    time.advance(10_000 * minute);
    expect((await keyring.status()).state).toBe("unlocked");
  });

  it("does not sign after a sleep that outlasted the idle time, though no timer ran", async () => {
    time.sleep(6 * minute);
    await expect(keyring.sign({ intent: { kind: "registerKey" }, chainId: CHAIN })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });

  it("stays locked when it is locked during an unlocking", async () => {
    const restarted = createTestKeyring(storage).keyring;
    const unlocking = restarted.unlock({ password: PASSWORD });
    await Promise.resolve();
    await restarted.lock();
    await expect(unlocking).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect((await restarted.status()).state).toBe("locked");
  });
});

describe("signing", () => {
  const sign = (intent: Intent): ReturnType<Keyring["sign"]> => keyring.sign({ intent, chainId: CHAIN, password: PASSWORD });

  it("signs every intent as its own transaction, verified by two libraries", async () => {
    const { masterPub: peer } = await otherKeyring();
    const intents: readonly [Intent, object, object][] = [
      [{ kind: "pay", to: peer, amountUt: 5, memo: "tea" }, { type: "TRANSFER", to: peer, amount: 5 }, { memo: "tea" }],
      [{ kind: "pay", to: peer.toUpperCase(), amountUt: 5 }, { type: "TRANSFER", to: peer }, {}],
      [
        { kind: "registerKey", nickname: "Ann" },
        { type: "REGISTER_KEY", to: "" },
        { x25519_pub_key: me.devicePub, nickname: "Ann" },
      ],
      [{ kind: "linkDevice", deviceName: "Desk" }, { type: "LINK_DEVICE" }, { x25519_pub_key: me.devicePub, device_name: "Desk" }],
      [
        { kind: "linkDevice", deviceName: "Lap", devicePub: "0A".repeat(32) },
        { type: "LINK_DEVICE" },
        { x25519_pub_key: "0a".repeat(32), device_name: "Lap" },
      ],
      [{ kind: "unlinkDevice", devicePub: me.devicePub }, { type: "UNLINK_DEVICE", amount: 0 }, { x25519_pub_key: me.devicePub }],
      [
        { kind: "requestContact", to: peer, amountUt: 5000, intro: "Hello" },
        { type: "CONTACT_REQUEST", amount: 5000, fee: 1000 },
        { intro: "Hello" },
      ],
      [{ kind: "acceptContact", requester: peer, feeUt: 2000 }, { type: "ACCEPT_CONTACT", to: peer, fee: 2000 }, {}],
      [{ kind: "blockContact", requester: peer }, { type: "BLOCK_CONTACT", to: peer }, {}],
      [
        {
          kind: "callContract",
          contractId: "CF1B4E9BEB899076",
          method: "register",
          argsJson: '["anna"]',
          amountUt: 10_000,
          gasLimit: 50_001,
        },
        { type: "CALL_CONTRACT", to: "", amount: 10_000 },
        { contract_id: "cf1b4e9beb899076", method: "register", args_json: '["anna"]', gas_limit: 50_001 },
      ],
      [
        { kind: "deployContract", wasmB64: "AGFzbQEAAAA=", abiJson: ABI, initArgsJson: "[1]", gasLimit: 60_001 },
        { type: "DEPLOY_CONTRACT", to: "", amount: 0 },
        { wasm_b64: "AGFzbQEAAAA=", abi_json: ABI, init_args_json: "[1]", gas_limit: 60_001 },
      ],
      [
        { kind: "openChannel", to: peer, amountUt: 7, channelId: "0A".repeat(16), expiresAt: 1_900_000_000 },
        { type: "OPEN_PAY_CHAN", to: peer, amount: 7 },
        { channel_id: "0a".repeat(16), expires_at: 1_900_000_000 },
      ],
      [
        { kind: "closeChannel", to: peer, channelId: "0a".repeat(16), paidUt: 3 },
        { type: "CLOSE_PAY_CHAN", to: peer, amount: 0 },
        { channel_id: "0a".repeat(16), paid_ut: 3 },
      ],
      [{ kind: "addValidator", validator: me.masterPub }, { type: "ADD_VALIDATOR", to: "" }, { pub_key: me.masterPub }],
      [{ kind: "removeValidator", validator: peer }, { type: "REMOVE_VALIDATOR", to: "" }, { pub_key: peer }],
    ];
    for (const [intent, fields, payload] of intents) {
      const { transaction, summary } = await sign(intent);
      expect(transaction).toMatchObject({ from: me.masterPub, timestamp: "2027-01-15T08:00:00Z", ...fields });
      expect(decodePayload(transaction.payload)).toEqual(payload);
      expect(isIdAuthentic(CHAIN, transaction)).toBe(true);
      const signature = fromBase64(transaction.signature);
      expect(nacl.sign.detached.verify(signedBytes(transaction), signature, fromHex(me.masterPub))).toBe(true);
      expect(verifyZip215(signature, signedBytes(transaction), fromHex(me.masterPub))).toBe(true);
      expect(summary).toEqual(await keyring.summarize({ intent }));
      expect(summary).toMatchObject({ kind: intent.kind, amountUt: transaction.amount, feeUt: transaction.fee });
      expect(summary.totalUt).toBe(transaction.amount + transaction.fee + summary.maxGasUt);
      expect(summary.maxGasUt).toBe({ callContract: 51, deployContract: 61 }[intent.kind as string] ?? 0);
    }
  });

  it("pays the smallest fee that it is given, more for a large payload, and a fee of the intent as it is", async () => {
    const { masterPub: to } = await otherKeyring();
    const deploy: Intent = { kind: "deployContract", wasmB64: "A".repeat(8_192), abiJson: ABI, gasLimit: 1 };
    const plain = (await sign(deploy)).transaction.fee;
    expect(plain).toBeGreaterThan(1_000);
    for (const leastFeeUt of [1, 250, 4_000]) {
      for (const [intent, feeUt] of [
        [{ kind: "pay", to, amountUt: 5 }, leastFeeUt],
        [{ kind: "acceptContact", requester: to }, leastFeeUt],
        [deploy, plain - 1_000 + leastFeeUt],
        [{ kind: "pay", to, amountUt: 5, feeUt: 7_777 }, 7_777],
      ] as const satisfies readonly (readonly [Intent, number])[]) {
        const { transaction, summary } = await keyring.sign({ intent, chainId: CHAIN, leastFeeUt });
        expect([transaction.fee, summary.feeUt]).toEqual([feeUt, feeUt]);
        expect(await keyring.summarize({ intent, leastFeeUt })).toEqual(summary);
      }
    }
  });

  it("pays no smallest fee that no network can have", async () => {
    const { masterPub: to } = await otherKeyring();
    const call: Intent = { kind: "callContract", contractId: "0".repeat(16), method: "a", argsJson: "", amountUt: 0, gasLimit: 1 };
    for (const intent of [{ kind: "pay", to, amountUt: 5 }, call] as const)
      for (const leastFeeUt of [1_000_001, Number.MAX_SAFE_INTEGER, 1.5, 0]) {
        await expect(keyring.sign({ intent, chainId: CHAIN, leastFeeUt })).rejects.toMatchObject({ code: "BAD_REQUEST" });
        await expect(keyring.summarize({ intent, leastFeeUt })).rejects.toMatchObject({ code: "BAD_REQUEST" });
      }
    expect((await keyring.summarize({ intent: call, leastFeeUt: 1_000_000 })).feeUt).toBe(1_000_000);
  });

  it("promises an amount of a channel as its payer does, for one chain only", async () => {
    const channelId = "0a".repeat(16);
    const signature = await keyring.signVoucher({ chainId: CHAIN, channelId, paidUt: 3 });
    expect(verifyZip215(fromBase64(signature), voucherSignBytes(CHAIN, channelId, 3), fromHex(me.masterPub))).toBe(true);
    expect(verifyZip215(fromBase64(signature), voucherSignBytes("other", channelId, 3), fromHex(me.masterPub))).toBe(false);
    await keyring.lockWallet();
    await expect(keyring.signVoucher({ chainId: CHAIN, channelId, paidUt: 3 })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });

  it("agrees that a node pays its earnings to this account, on one chain and for one node", async () => {
    const nodePub = "3d".repeat(32);
    const signature = fromBase64(await keyring.agreeToNode({ chainId: CHAIN, nodePub }));
    const isGood = (chainId: string, node: string): boolean =>
      verifyZip215(signature, walletSignBytes(chainId, node), fromHex(me.masterPub));
    expect([isGood(CHAIN, nodePub), isGood("other", nodePub), isGood(CHAIN, "4e".repeat(32))]).toEqual([true, false, false]);
    await keyring.lockWallet();
    await expect(keyring.agreeToNode({ chainId: CHAIN, nodePub })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });

  it("says in one sentence who gets what and what it costs", async () => {
    const { masterPub: peer } = await otherKeyring();
    const { summary } = await sign({ kind: "pay", to: peer, amountUt: 1_500_000 });
    expect(summary.sentence).toBe(`Pay 1.5 T to ${formatAddress(peer)}. Cost: 1.501 T in all, 0.001 T of it the fee.`);
    expect(summary.toAddress).toBe(formatAddress(peer));
  });

  it.each<[string, Intent]>([
    ["nothing to pay", { kind: "pay", to: "", amountUt: 0 }],
    ["a fraction", { kind: "pay", to: "", amountUt: 1.5 }],
    ["more than can exist", { kind: "pay", to: "", amountUt: Number.MAX_SAFE_INTEGER }],
    ["no fee", { kind: "pay", to: "", amountUt: 1, feeUt: 0 }],
    ["a long memo", { kind: "pay", to: "", amountUt: 1, memo: "é".repeat(129) }],
    ["a small contact amount", { kind: "requestContact", to: "", amountUt: 4999 }],
    ["a long intro", { kind: "requestContact", to: "", amountUt: 5000, intro: "x".repeat(281) }],
    ["a contract that is none", { kind: "callContract", contractId: "x", method: "add", argsJson: "", amountUt: 0, gasLimit: 1 }],
    ["a method that is none", { kind: "callContract", contractId: "0".repeat(16), method: "a b", argsJson: "", amountUt: 0, gasLimit: 1 }],
    [
      "arguments that are none",
      { kind: "callContract", contractId: "0".repeat(16), method: "a", argsJson: "{}", amountUt: 0, gasLimit: 1 },
    ],
    ["no gas", { kind: "callContract", contractId: "0".repeat(16), method: "a", argsJson: "", amountUt: 0, gasLimit: 0 }],
    ["a module that is none", { kind: "deployContract", wasmB64: "?", abiJson: ABI, gasLimit: 1 }],
    ["an interface that is none", { kind: "deployContract", wasmB64: "AGFzbQEAAAA=", abiJson: "{}", gasLimit: 1 }],
    ["a deployment without gas", { kind: "deployContract", wasmB64: "AGFzbQEAAAA=", abiJson: ABI, gasLimit: 0 }],
    ["arguments of init that are none", { kind: "deployContract", wasmB64: "AGFzbQEAAAA=", abiJson: ABI, initArgsJson: "{}", gasLimit: 1 }],
    ["a voucher that is none", { kind: "closeChannel", to: "", channelId: "0a".repeat(16), paidUt: 1, voucher: "AA==" }],
    ["a device without a name", { kind: "linkDevice", deviceName: "" }],
    ["a device name with a control character", { kind: "linkDevice", deviceName: "a\nb" }],
    ["an unusable device key", { kind: "unlinkDevice", devicePub: "00".repeat(32) }],
  ])("refuses %s", async (_, intent) => {
    const { masterPub } = await otherKeyring();
    const complete = "to" in intent ? { ...intent, to: masterPub } : intent;
    await expect(sign(complete)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it.each(["00".repeat(32), `01${"00".repeat(31)}`, "zz", ""])("refuses the recipient %s", async (to) => {
    await expect(sign({ kind: "pay", to, amountUt: 1 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("refuses contact with oneself", async () => {
    await expect(sign({ kind: "requestContact", to: me.masterPub, amountUt: 5000 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(sign({ kind: "blockContact", requester: me.masterPub })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("answers a WebSocket's nonce in its own domain", async () => {
    const nonce = "ab".repeat(32);
    const { pub, sig } = await keyring.authenticateWebSocket({ chainId: CHAIN, nonce });
    await expect(keyring.authenticateWebSocket({ chainId: CHAIN, nonce: "abc" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(pub).toBe(me.masterPub);
    expect(nacl.sign.detached.verify(domainBytes("webSocket", CHAIN, fromHex(nonce)), fromHex(sig), fromHex(pub))).toBe(true);
  });
});

describe("sealing", () => {
  it("seals one plaintext for many devices, opened by each and no other", async () => {
    const peers = [await otherKeyring(), await otherKeyring()];
    const outsider = await otherKeyring();
    const recipients = peers.map(({ devicePub }) => devicePub);
    const envelopes = await keyring.seal({ requests: [{ plaintext: utf8("hello"), recipients, sentAt: 12 }] });
    expect(envelopes.map(({ recipient_pub }) => recipient_pub)).toEqual(recipients);
    expect(new Set(envelopes.map(({ nonce }) => nonce)).size).toBe(2);
    for (const [index, envelope] of envelopes.entries()) {
      expect(parseEnvelope(JSON.parse(JSON.stringify(envelope)))).toEqual(envelope);
      expect(envelope).toMatchObject({ sender_pub: me.devicePub, sender_ed25519_pub: me.masterPub, sent_at: 12, fee_ut: 0 });
      expect(isEnvelopeIdAuthentic(envelope)).toBe(true);
      expect(await peers[index]?.keyring.open({ items: [envelope] })).toEqual([
        { plaintext: utf8("hello"), senderPub: envelope.sender_pub },
      ]);
      expect(await outsider.keyring.open({ items: [envelope] })).toEqual([{ plaintext: null, senderPub: envelope.sender_pub }]);
    }
  });

  it("opens a batch in order and gives null for what is damaged", async () => {
    const peer = await otherKeyring();
    const texts = ["a", "b", "c"];
    const requests = texts.map((text) => ({ plaintext: utf8(text), recipients: [me.devicePub], sentAt: 1 }));
    const envelopes = await peer.keyring.seal({ requests });
    const broken = { sender_pub: "00".repeat(32), nonce: "!", ciphertext: "" };
    const opened = await keyring.open({ items: [...envelopes, broken, { ...broken, sender_pub: peer.devicePub }] });
    expect(opened.map(({ plaintext }) => plaintext)).toEqual([...texts.map(utf8), null, null]);
  });

  it("hides the sender from everybody but the recipient, who sees it proven", async () => {
    const peer = await otherKeyring();
    const request = { plaintext: utf8("hello"), recipients: [peer.devicePub], sentAt: 7_212, hidesSender: true };
    const envelopes = await keyring.seal({ requests: [request, request] });
    expect(new Set(envelopes.map(({ sender_pub }) => sender_pub)).size).toBe(2);
    for (const envelope of envelopes) {
      expect([envelope.sender_ed25519_pub, envelope.sent_at]).toEqual(["", 7_200]);
      expect(JSON.stringify(envelope)).not.toContain(me.devicePub);
      expect(isEnvelopeIdAuthentic(envelope)).toBe(true);
      expect(await peer.keyring.open({ items: [envelope] })).toEqual([{ plaintext: utf8("hello"), senderPub: me.devicePub }]);
    }
  });

  it("does not take a hidden sender's word for it", async () => {
    const peer = await otherKeyring();
    const eve = await otherKeyring();
    const [inner] = await eve.keyring.seal({ requests: [{ plaintext: utf8("x"), recipients: [peer.devicePub], sentAt: 1 }] });
    if (inner === undefined) throw new Error("nothing was sealed");
    const forged = hideSender({ ...inner, sender_pub: me.devicePub });
    const [outer] = await eve.keyring.seal({ requests: [{ plaintext: forged, recipients: [peer.devicePub], sentAt: 1 }] });
    if (outer === undefined) throw new Error("nothing was sealed");
    expect(await peer.keyring.open({ items: [outer] })).toEqual([{ plaintext: null, senderPub: me.devicePub }]);
  });

  it("opens nothing any more that was sealed to a short-lived key once its time and that of every mailbox is over", async () => {
    const peer = await otherKeyring();
    const { epochPub, notAfter } = await cardOf(keyring);
    expect(notAfter).toBe(Math.floor(time.nowMs() / 1000) + EPOCH_LIFETIME_S);
    const request = { plaintext: utf8("for a while"), recipients: [me.devicePub], sentAt: 7_199, epochPub };
    const [envelope] = await peer.keyring.seal({ requests: [request] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    expect(envelope).toMatchObject({ recipient_pub: me.devicePub, sender_ed25519_pub: "", sent_at: 3_600 });
    expect(envelope.sender_pub).not.toBe(peer.devicePub);
    const opened = [{ plaintext: utf8("for a while"), senderPub: peer.devicePub }];
    expect(await keyring.open({ items: [envelope] })).toEqual(opened);
    time.advance((EPOCH_LIFETIME_S + EPOCH_GRACE_S) * 1000);
    await keyring.unlock({ password: PASSWORD });
    await keyring.retireEpochs({ blockS: nowS() });
    expect(await keyring.open({ items: [envelope] })).toEqual(opened);
    time.advance(1_000);
    await keyring.retireEpochs({ blockS: nowS() });
    const lost = [{ plaintext: null, senderPub: envelope.sender_pub }];
    expect(await keyring.open({ items: [envelope] })).toEqual(lost);
    await keyring.lock();
    await keyring.unlock({ password: PASSWORD });
    expect(await keyring.open({ items: [envelope] })).toEqual(lost);
  });

  it("keeps a short-lived key whose time is not over when it destroys an older one", async () => {
    const peer = await otherKeyring();
    await cardOf(keyring);
    time.advance(EPOCH_ROTATION_S * 1000);
    await keyring.unlock({ password: PASSWORD });
    const { epochPub } = await cardOf(keyring);
    const [envelope] = await peer.keyring.seal({ requests: [{ plaintext: utf8("x"), recipients: [me.devicePub], sentAt: 1, epochPub }] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    time.advance((EPOCH_LIFETIME_S + EPOCH_GRACE_S) * 1000 - EPOCH_ROTATION_S * 500);
    await keyring.unlock({ password: PASSWORD });
    await keyring.retireEpochs({ blockS: nowS() });
    expect(await keyring.open({ items: [envelope] })).toEqual([{ plaintext: utf8("x"), senderPub: peer.devicePub }]);
  });

  it("keeps short-lived keys of a device that was away until it has read its mail, and not for ever", async () => {
    const peer = await otherKeyring();
    const { epochPub } = await cardOf(keyring);
    const [envelope] = await peer.keyring.seal({ requests: [{ plaintext: utf8("x"), recipients: [me.devicePub], sentAt: 1, epochPub }] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    time.advance((EPOCH_LIFETIME_S + EPOCH_LIMIT_S) * 1000);
    await keyring.unlock({ password: PASSWORD });
    await cardOf(keyring);
    expect(await keyring.open({ items: [envelope] })).toEqual([{ plaintext: utf8("x"), senderPub: peer.devicePub }]);
    time.advance(1_000);
    await cardOf(keyring);
    expect(await keyring.open({ items: [envelope] })).toEqual([{ plaintext: null, senderPub: envelope.sender_pub }]);
  });

  it("makes one short-lived key a day, signed by the device for which the master key vouches", async () => {
    const first = await cardOf(keyring);
    const shown = { devicePub: me.devicePub, prekey: first };
    expect(isGenuinePrekey(CHAIN, me.masterPub, shown)).toBe(true);
    expect(isGenuinePrekey("another-chain", me.masterPub, shown)).toBe(false);
    expect(isGenuinePrekey(CHAIN, (await otherKeyring()).masterPub, shown)).toBe(false);
    expect(isGenuinePrekey(CHAIN, me.masterPub, { ...shown, devicePub: "11".repeat(32) })).toBe(false);
    for (const change of [{ epochPub: "09".repeat(32) }, { notAfter: first.notAfter + 1 }, { certificate: "00".repeat(64) }])
      expect(isGenuinePrekey(CHAIN, me.masterPub, { ...shown, prekey: { ...first, ...change } })).toBe(false);
    time.advance((EPOCH_ROTATION_S - 1) * 1000);
    await keyring.unlock({ password: PASSWORD });
    expect(await cardOf(keyring)).toEqual(first);
    time.advance(1_000);
    const second = await cardOf(keyring);
    expect(second.epochPub).not.toBe(first.epochPub);
    expect(second.notAfter).toBe(first.notAfter + EPOCH_ROTATION_S);
  });

  it("shows short-lived keys while the wallet is locked, once it was open on that network", async () => {
    await keyring.lockWallet();
    expect(await keyring.signedPrekey({ chainId: CHAIN })).toBeNull();
    await keyring.unlock({ password: PASSWORD });
    const prekey = await cardOf(keyring);
    await keyring.lockWallet();
    expect(await keyring.signedPrekey({ chainId: CHAIN })).toEqual(prekey);
    expect(await keyring.signedPrekey({ chainId: "another-chain" })).toBeNull();
  });

  it("keeps short-lived keys over a new password", async () => {
    const peer = await otherKeyring();
    const { epochPub } = await cardOf(keyring);
    const [envelope] = await peer.keyring.seal({ requests: [{ plaintext: utf8("x"), recipients: [me.devicePub], sentAt: 1, epochPub }] });
    if (envelope === undefined) throw new Error("nothing was sealed");
    await keyring.changePassword({ current: PASSWORD, next: "another good password" });
    await keyring.lock();
    await keyring.unlock({ password: "another good password" });
    expect(await keyring.open({ items: [envelope] })).toEqual([{ plaintext: utf8("x"), senderPub: peer.devicePub }]);
  });

  it("leaves the largest content within the limit of envelopes when the sender is hidden", async () => {
    const peer = await otherKeyring();
    const plaintext = new Uint8Array(MAX_PLAINTEXT_BYTES);
    const [envelope] = await keyring.seal({ requests: [{ plaintext, recipients: [peer.devicePub], sentAt: 1, hidesSender: true }] });
    expect(envelope && envelopeBytes(envelope)).toBeLessThanOrEqual(MAX_ENVELOPE_BYTES);
  });

  it("refuses an unusable recipient", async () => {
    const requests = [{ plaintext: utf8("x"), recipients: ["00".repeat(32)], sentAt: 1 }];
    await expect(keyring.seal({ requests })).rejects.toMatchObject({ code: "ENVELOPE_INVALID" });
  });

  it("proves a mailbox key to a relay as the relay computes it", async () => {
    const relay = nacl.box.keyPair();
    const input = { method: "DELETE", path: "/relay/inbox/x", relayPub: toHex(relay.publicKey) };
    const { createHmac } = await import("node:crypto");
    const secret = nacl.scalarMult(relay.secretKey, fromHex(me.devicePub));
    const proofs = [await keyring.inboxProof(input), await keyring.inboxProof(input)];
    for (const proof of proofs) {
      const nonce = /^1800000000\.([0-9a-f]{32})\./.exec(proof)?.[1];
      const mac = createHmac("sha256", secret).update(`DELETE\n/relay/inbox/x\n1800000000\n${nonce}`).digest("hex");
      expect(proof).toBe(`1800000000.${nonce}.${mac}`);
    }
    expect(proofs[0]).not.toBe(proofs[1]);
  });
});
