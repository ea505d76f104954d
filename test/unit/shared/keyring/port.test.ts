import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyringStatus } from "#shared/keyring/keyring-api.ts";
import { createKeyringClient, type KeyringClient, type KeyringPort } from "#shared/keyring/port.ts";
import { MAX_PENDING_COSTLY, MAX_PENDING_REQUESTS } from "#shared/keyring/port-limits.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { createTestKeyring } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";

let channel: MessageChannel;
let client: KeyringClient<string>;
let raw: KeyringPort;
let stop: () => void;

function portOf(port: MessagePort): KeyringPort {
  return {
    post: (message) => port.postMessage(message),
    listen: (listener): (() => void) => {
      port.on("message", listener);
      return () => port.off("message", listener);
    },
  };
}

beforeEach(() => {
  channel = new MessageChannel();
  raw = portOf(channel.port1);
  stop = serveKeyring(portOf(channel.port2), createTestKeyring().keyring, async (bytes, use) => `${use} ${bytes.length}`);
  client = createKeyringClient<string>(raw);
});

afterEach(() => {
  client.close();
  stop();
  channel.port1.close();
  channel.port2.close();
});

describe("keyring port", () => {
  it("carries every kind of call across a structured clone", async () => {
    expect(await client.status()).toMatchObject({ state: "empty" });
    expect((await client.create({ password: PASSWORD })).words).toHaveLength(24);
    const { account } = await client.status();
    const devicePub = account?.devicePub ?? "";
    const envelopes = await client.seal({ requests: [{ plaintext: utf8("note"), recipients: [devicePub], sentAt: 1 }] });
    const opened = await client.open({ items: envelopes.map(({ sender_pub, nonce, ciphertext }) => ({ sender_pub, nonce, ciphertext })) });
    expect(opened).toEqual([{ plaintext: utf8("note"), senderPub: envelopes[0]?.sender_pub }]);
    expect(await client.storeKeys()).toEqual({
      name: expect.stringMatching(/^[0-9a-f]{16}$/),
      recordKey: "encrypt 32",
      formerKeys: [],
      dayKeys: [],
      indexKey: "authenticate 32",
    });
    expect(await client.makeDayKey({ until: 7 })).toBe(true);
    const [day] = (await client.storeKeys()).dayKeys;
    expect(day).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), until: 7, key: "encrypt 32" });
    await client.dropDayKeys({ ids: [day?.id ?? ""] });
    expect((await client.storeKeys()).dayKeys).toEqual([]);
  });

  it("answers concurrent calls each with its own result", async () => {
    await client.create({ password: PASSWORD });
    const [status, quiz, proof] = await Promise.all([
      client.status(),
      client.phraseQuiz(),
      client.inboxProof({ method: "DELETE", path: "/x", relayPub: "09".repeat(32) }),
    ]);
    expect(status.state).toBe("unlocked");
    expect(quiz.positions).toHaveLength(3);
    const deletion = await client.signDeletion({ chainId: "c", ids: ["a", "b"], height: 3 });
    const mailbox = status.account?.devicePub ?? "";
    expect(await isSignedDeletion("c", { mailbox, ids: ["a", "b"], height: 3, signature: deletion }, verifyZip215)).toBe(true);
    expect(proof).toMatch(/^\d+\.[0-9a-f]{32}\.[0-9a-f]{64}$/);
  });

  it("refuses a second request under an id that is waiting, and answers the first", async () => {
    const { keyring } = createTestKeyring();
    await keyring.create({ password: PASSWORD });
    const answers: unknown[] = [];
    let take: (message: unknown) => void = () => undefined;
    const listen: KeyringPort["listen"] = (listener) => {
      take = listener;
      return () => undefined;
    };
    serveKeyring({ post: (message) => void answers.push(message), listen }, keyring, async (bytes) => bytes.slice());
    for (const method of ["status", "storeKeys", "storeKeys"]) take({ id: 700, method, input: undefined });
    for (let id = 0; id < 2 * MAX_PENDING_REQUESTS; id += 1) take({ id, method: "status", input: undefined });
    await expect.poll(() => answers).toHaveLength(2 * MAX_PENDING_REQUESTS + 3);
    const codes = answers.map((answer) => (answer as { readonly error?: { readonly code: string } }).error?.code);
    expect(codes.filter((code) => code === "BAD_REQUEST")).toHaveLength(3);
    expect(codes.filter((code) => code === "UNAVAILABLE")).toHaveLength(MAX_PENDING_REQUESTS);
    expect(answers.filter((answer) => JSON.stringify(answer).includes("recordKey"))).toEqual([]);
    expect(answers).toContainEqual({ id: 700, value: expect.objectContaining({ state: "unlocked" }) });
  });

  it("does few costly things at a time, so that it hears of a lock between them", async () => {
    const { keyring } = createTestKeyring();
    const answers: { readonly id: number; readonly error?: { readonly code: string } }[] = [];
    let take: (message: unknown) => void = () => undefined;
    const listen: KeyringPort["listen"] = (listener) => {
      take = listener;
      return () => undefined;
    };
    serveKeyring({ post: (message) => void answers.push(message as (typeof answers)[number]), listen }, keyring, async (bytes) =>
      bytes.slice(),
    );
    const costly = 200;
    for (let id = 0; id < costly; id += 1) take({ id, method: "estimatePassword", input: { password: "pass@4$501!|".repeat(6) } });
    take({ id: costly, method: "status", input: undefined });
    await expect.poll(() => answers).toHaveLength(costly + 1);
    expect(answers.filter(({ error }) => error?.code === "UNAVAILABLE")).toHaveLength(costly - MAX_PENDING_COSTLY);
    expect(answers.find(({ id }) => id === costly)).not.toHaveProperty("error");
    take({ id: 0, method: "estimatePassword", input: { password: "x" } });
    await expect.poll(() => answers.at(-1)).toMatchObject({ id: 0, value: { isAcceptable: false } });
  });

  it("carries coded errors, with details and without secrets", async () => {
    await client.create({ password: PASSWORD });
    await client.lock();
    await expect(client.unlock({ password: "wrong password" })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    await expect(client.unlock({ password: "wrong password" })).rejects.not.toThrow(/wrong password/);
    await expect(client.resetPassword({ phrase: "not a phrase", password: PASSWORD })).rejects.toMatchObject({
      code: "PHRASE_INVALID",
      details: { words: 3 },
    });
  });

  it("tells of every change of status", async () => {
    const seen: KeyringStatus[] = [];
    const forget = client.onStatus((status) => seen.push(status));
    await client.create({ password: PASSWORD });
    await client.lockWallet();
    forget();
    await client.lock();
    expect(seen.map(({ state }) => state)).toEqual(["unlocked", "walletLocked"]);
  });

  it.each<[string, string, unknown]>([
    ["an argument of the wrong shape", "unlock", { password: 5 }],
    ["a field too many", "unlock", { password: PASSWORD, force: true }],
    ["an unknown intent", "sign", { chainId: "c", intent: { kind: "signHash", hash: "ab".repeat(32) } }],
    ["bytes that are none", "seal", { requests: [{ plaintext: "text", recipients: [], sentAt: 1 }] }],
    ["a path with a line feed", "inboxProof", { method: "GET", path: "/a\nb", relayPub: "09".repeat(32) }],
  ])("refuses %s", async (_, method, input) => {
    const answer = new Promise((resolve) => raw.listen((message) => resolve(message)));
    raw.post({ id: 99, method, input });
    expect(await answer).toMatchObject({ id: 99, error: { code: "BAD_REQUEST" } });
  });

  it("ignores messages that are no requests", async () => {
    for (const message of [
      null,
      1,
      "x",
      {},
      { id: "1", method: "status" },
      { id: 1, method: "constructor" },
      { id: 1, method: "__proto__" },
    ])
      raw.post(message);
    expect(await client.status()).toMatchObject({ state: "empty" });
  });

  it("hides the text of errors that have no code", async () => {
    const { keyring, storage } = createTestKeyring();
    storage.read = (): Promise<never> => Promise.reject(new Error("secret path"));
    const other = new MessageChannel();
    const stopOther = serveKeyring(portOf(other.port2), keyring, async () => "");
    const otherClient = createKeyringClient<string>(portOf(other.port1));
    await expect(otherClient.status()).rejects.toMatchObject({ code: "INTERNAL", message: "The keyring failed" });
    otherClient.close();
    stopOther();
    other.port1.close();
  });

  it("rejects what is waiting when it is closed, and everything after", async () => {
    const waiting = client.status();
    client.close();
    await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(client.status()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
