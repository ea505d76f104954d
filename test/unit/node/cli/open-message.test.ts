// Envelopes of a mailbox as the command line reads them: with a sender beside the box, and with one inside of it alone.
import { describe, expect, it } from "vitest";
import { type InboxItem, openMessage } from "#node/cli/commands/messages/open-message.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import { DeviceBox } from "#shared/keyring/devices/device-box.ts";
import { boxKeyPair, type Envelope } from "#shared/protocol/mail/envelope.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

const CHAIN = "test-chain";
const [ANN, BOB, EVE] = ["0a".repeat(32), "0b".repeat(32), "0e".repeat(32)];
const bob = { publicKey: BOB, device: boxKeyPair(new Uint8Array(32).fill(2)) } as unknown as Parameters<typeof openMessage>[1];
const bobDevice = new DeviceBox(new Uint8Array(32).fill(2), systemRandom).publicKey;
const ann = new DeviceBox(new Uint8Array(32).fill(1), systemRandom);
const eve = new DeviceBox(new Uint8Array(32).fill(3), systemRandom);

const content = (fields: object = {}): Uint8Array =>
  encodeContent({
    ...{ id: "01".repeat(16), from: ANN, fromDevice: ann.publicKey, to: BOB, chainId: CHAIN, at: 1 },
    ...fields,
    body: { kind: "text", text: "hello" },
  });

function opened(plaintext: Uint8Array, sender: DeviceBox, hidesSender: boolean): ReturnType<typeof openMessage> {
  const [envelope] = sender.seal([{ plaintext, recipients: [bobDevice], sentAt: 1, hidesSender }], ANN) as readonly [Envelope];
  return openMessage(envelope as unknown as InboxItem, bob, [CHAIN]);
}

const TEXT = { kind: "text", text: "hello", message_id: "01".repeat(16) };

describe("a message", () => {
  it("is read with its sender beside the box, or inside of it", () => {
    expect(opened(content(), ann, false)).toEqual(TEXT);
    expect(opened(content(), ann, true)).toEqual({ ...TEXT, sender_pub: ann.publicKey, sender_ed25519_pub: ANN });
  });

  it("is not read in the name of another device", () => {
    for (const hidesSender of [false, true]) expect(opened(content(), eve, hidesSender)).toMatchObject({ kind: "unreadable" });
    expect(opened(content({ from: EVE, fromDevice: ann.publicKey }), eve, true)).toMatchObject({ kind: "unreadable" });
  });

  it("of another program names its device alone where it is hidden", () => {
    expect(opened(utf8("hi"), ann, true)).toEqual({
      ...{ kind: "plain", text: "hi", message_id: null },
      ...{ sender_pub: ann.publicKey, sender_ed25519_pub: "" },
    });
  });
});
