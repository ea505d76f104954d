// Mail that a test makes by hand: contents of any kind, sealed by a device and laid into a mailbox; and what mail turns out to be.
import type { IncomingContent, KnownBody } from "#shared/content/content.ts";
import { decodePlaintext, encodeContent } from "#shared/content/content-codec.ts";
import { toHex } from "#shared/util/bytes.ts";
import { systemRandom } from "./keyring-world.ts";
import { keyOf } from "./messenger-chat.ts";
import { TEST_CHAIN, type TestDevice, type TestRelay } from "./messenger-world.ts";

/** Kind of the content that a plaintext is, or "". */
export function kindOf(plaintext: Uint8Array | null): string {
  const decoded = plaintext === null ? undefined : decodePlaintext(plaintext);
  return decoded?.form === "content" ? decoded.content.body.kind : "";
}

/** A whole content from one device to the person of another; fields that are given replace what would be right. */
export function contentOf(from: TestDevice, to: TestDevice, body: KnownBody, fields: Partial<IncomingContent> = {}): Uint8Array {
  return encodeContent({
    id: toHex(systemRandom(16)),
    from: keyOf(from),
    fromDevice: from.account.devicePub,
    to: keyOf(to),
    chainId: TEST_CHAIN,
    at: 1_799_999_999_000,
    ...fields,
    body,
  });
}

/** Who seals a plaintext for which device, and in whose name the envelope claims to come. */
export interface Delivery {
  readonly from: TestDevice;
  readonly to: TestDevice;
  readonly plaintext: Uint8Array;
  /** The sender's own key by default. */
  readonly claimed?: string;
}

/** Lays an envelope of any plaintext into a device's mailbox. */
export async function deliver(relay: TestRelay, { from, to, plaintext, claimed = keyOf(from) }: Delivery): Promise<void> {
  const [envelope] = await from.client.seal({ requests: [{ plaintext, recipients: [to.account.devicePub], sentAt: 1_799_999_000 }] });
  relay.store({ ...envelope, sender_ed25519_pub: claimed });
}

/** Ids of the texts that were ever laid into a device's mailbox, opened with its own key. */
export async function textIdsFor(device: TestDevice, relay: TestRelay): Promise<readonly string[]> {
  const envelopes = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
  const opened = await device.keyring.open({ items: envelopes });
  return opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.body.kind === "text" ? [decoded.content.id] : [];
  });
}
