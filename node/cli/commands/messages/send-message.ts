// Sealing a message for all devices of its recipient and the other devices of its sender, and handing it to the node.
import type { NodeClient } from "#shared/api/client.ts";
import type { KnownBody } from "#shared/content/content.ts";
import { encodeContent } from "#shared/content/content-codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Envelope, feeSignBytes, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { NONCE_BYTES } from "#shared/protocol/primitives/limits.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { describeAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { missingPublication, recipientKeys } from "../../session/accounts/message-keys.ts";
import { type ClientOptions, connect, type KeyOptions, report, unlockKeys } from "../../session/client-session.ts";
import type { PersonalKeys } from "../../session/keys/key-file.ts";
import type { CommandContext } from "../../session/terminal.ts";

/** Options of the command. */
export interface SendOptions extends ClientOptions, KeyOptions {
  readonly to: string;
  readonly msg: string;
  /** Id or name. */
  readonly registry?: string;
  /** µT for each envelope of the recipient. */
  readonly fee?: AmountUt;
}

interface SentEnvelope {
  readonly id: string;
  readonly recipient_pub: string;
}

/** One content for some devices. */
interface Dispatch {
  readonly id: string;
  readonly to: PublicKeyHex;
  readonly devices: readonly string[];
  readonly body: KnownBody;
  /** µT for each envelope. */
  readonly feeUt: AmountUt;
}

const MESSAGE_ID_BYTES = 16;

/** Sends a message and reports its envelopes. @throws CodedError TX_REJECTED for a recipient without a key to seal for. */
export async function sendMessage(context: CommandContext, options: SendOptions): Promise<void> {
  const client = await connect(context, options);
  const to = await resolveAccount({ client, context }, options.to, options.registry);
  const keys = await unlockKeys(context, options);
  const devices = await recipientKeys(client, to);
  if (devices.length === 0)
    throw new CodedError(
      "TX_REJECTED",
      `${formatAddress(to)} has not published an encryption key, so no message can be encrypted for them: they must run "parley register-key" (or start the app) once`,
    );
  const missing = await missingPublication(client, keys);
  if (missing !== undefined)
    context.terminal.err(
      `Warning: this key file's own encryption key is not published, so the recipient cannot verify the sender or reply: run "parley ${missing} --key ${options.key}" once.`,
    );
  const send = await dispatcher(context, client, keys);
  const id = toHex(context.random(MESSAGE_ID_BYTES));
  const body = { kind: "text", text: options.msg } as const;
  const sent = await send({ id, to, devices, body, feeUt: options.fee ?? 0 });
  if (to !== keys.publicKey) {
    const ownDevice = toHex(keys.device.publicKey);
    const others = (await recipientKeys(client, keys.publicKey)).filter((device) => device !== ownDevice);
    const copy: KnownBody = { kind: "sync.sent", peer: to, id, at: context.clock.nowMs(), body };
    await send({ id: toHex(context.random(MESSAGE_ID_BYTES)), to: keys.publicKey, devices: others, body: copy, feeUt: 0 });
  }
  report(context, options, { status: "sent", message_id: id, to, count: sent.length, envelopes: sent }, [
    `Sent to ${sent.length} ${sent.length === 1 ? "device" : "devices"} of ${describeAccount(options.to, to)}`,
    ...sent.map((envelope) => envelope.id),
  ]);
}

/** Seals a content for each device and hands the envelopes to the node. */
async function dispatcher(
  context: CommandContext,
  client: NodeClient,
  keys: PersonalKeys,
): Promise<(dispatch: Dispatch) => Promise<readonly SentEnvelope[]>> {
  const { chain_id: chainId } = await client.getNetworkInfo({});
  const fromDevice = toHex(keys.device.publicKey);
  return async ({ id, to, devices, body, feeUt }) => {
    const at = context.clock.nowMs();
    const plaintext = encode(() => encodeContent({ id, from: keys.publicKey, fromDevice, to, chainId, at, body }));
    const sent: SentEnvelope[] = [];
    for (const recipientPub of devices) {
      const nonce = context.random(NONCE_BYTES);
      const sentAt = Math.floor(at / 1000);
      const sealed = sealEnvelope({ plaintext, recipientPub, sender: keys.device, senderMasterPub: keys.publicKey, nonce, sentAt });
      const envelope = feeUt === 0 ? sealed : withFee(sealed, feeUt, chainId, keys);
      const accepted = await client.broadcastEnvelope({ body: { envelope } });
      sent.push({ id: accepted.id, recipient_pub: recipientPub });
    }
    return sent;
  };
}

/** The envelope with the sender's promise to pay the relay that proves its delivery. */
function withFee(envelope: Envelope, feeUt: AmountUt, chainId: string, { seed }: PersonalKeys): Envelope {
  return { ...envelope, fee_ut: feeUt, fee_sig: toBase64(signEd25519(feeSignBytes(chainId, envelope.id, feeUt), seed)) };
}

function encode(work: () => Uint8Array): Uint8Array {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new CodedError("BAD_REQUEST", error.message, { cause: error });
    throw error;
  }
}
