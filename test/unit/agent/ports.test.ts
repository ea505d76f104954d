// What the agent's process for the network can ask the one with the keys, and where it may listen.
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messengerPort } from "#agent/keyring/messenger-port.ts";
import { LISTEN_SECRET_FILE, loopbackEndpoint, parseLoopback } from "#agent/network/loopback.ts";
import type { KeyringMethod } from "#shared/keyring/port.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

describe("the messenger's port of the keyring", () => {
  const ALLOWED = [
    "status",
    "seal",
    "open",
    "drawCards",
    "openPairs",
    "drawPublicCard",
    "openPublic",
    "renewCardKey",
    "resealCards",
    "dropFormerCardKey",
    "signedPrekey",
    "retireEpochs",
    "storeKeys",
    "makeDayKey",
    "dropDayKeys",
    "dropFormerKeys",
    "storeCheckpoint",
    "inboxProof",
    "signDeletion",
    "ownBoxes",
    "signOpenings",
  ];
  const REFUSED = [
    ...([
      "unlock",
      "lock",
      "lockWallet",
      "sign",
      "summarize",
      "signVoucher",
      "agreeToNode",
      "signGroupEntry",
    ] satisfies readonly KeyringMethod[]),
    ...(["revealPhrase", "changePassword", "resetPassword", "certifyDevice", "backupKey", "create"] satisfies readonly KeyringMethod[]),
  ];

  /** What passes, and what is answered, for a message of the other process. */
  function send(message: unknown): { readonly passed: readonly unknown[]; readonly answered: readonly unknown[] } {
    const [passed, answered]: [unknown[], unknown[]] = [[], []];
    let receive: (message: unknown) => void = () => undefined;
    const port = messengerPort({
      post: (answer) => void answered.push(answer),
      listen: (listener) => {
        receive = listener;
        return (): void => undefined;
      },
    });
    port.listen((heard) => void passed.push(heard));
    receive(message);
    return { passed, answered };
  }

  it.each(ALLOWED)("passes %s on", (method) => {
    expect(send({ id: 1, method, input: {} })).toEqual({ passed: [{ id: 1, method, input: {} }], answered: [] });
  });

  it.each([...REFUSED, "__proto__", "constructor", "", undefined, 7])("refuses %s", (method) => {
    const { passed, answered } = send({ id: 1, method, input: {} });
    expect(passed).toEqual([]);
    expect(answered).toMatchObject([{ id: 1, error: { code: "NOT_FOUND" } }]);
  });

  it.each([null, undefined, "sign", []])("answers %j, which is no message", (message) => {
    expect(send(message)).toMatchObject({ passed: [], answered: [{ error: { code: "NOT_FOUND" } }] });
  });
});

describe("the port for containers", () => {
  it("is of the loopback interface", () => {
    expect(parseLoopback("127.0.0.1:7070")).toEqual({ host: "127.0.0.1", port: 7070 });
    expect(parseLoopback("localhost:1")).toEqual({ host: "127.0.0.1", port: 1 });
    expect(parseLoopback("[::1]:65535")).toEqual({ host: "::1", port: 65_535 });
  });

  it.each([
    "0.0.0.0:7070",
    "192.168.1.2:7070",
    "7070",
    ":7070",
    "127.0.0.1",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "localhost.evil.example:80",
    "",
  ])("is not at %j", (text) => expect(() => parseLoopback(text)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" })));

  it("has one secret over restarts, in a file of this user alone", async () => {
    await using folder = await createTemporaryFolder();
    const listen = parseLoopback("127.0.0.1:7070");
    const { endpoint } = loopbackEndpoint(folder.path, listen);
    expect(endpoint.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(loopbackEndpoint(folder.path, listen).endpoint).toEqual(endpoint);
    expect(statSync(join(folder.path, LISTEN_SECRET_FILE)).mode & 0o777).toBe(0o600);
    await using other = await createTemporaryFolder();
    expect(loopbackEndpoint(other.path, listen).endpoint.secret).not.toBe(endpoint.secret);
  });
});
