// Owners of mailboxes: keys, envelopes to them, what they sign. Contacts: what they admit to opened boxes.
import { admitSignBytes, type BoxOpening, openingSignBytes } from "#shared/protocol/mail/box-opening.ts";
import { type BoxDeletion, deletionSignBytes } from "#shared/protocol/mail/box-proof.ts";
import { type BoxKeyPair, boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { signXEd25519 } from "#shared/protocol/mail/xeddsa.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";

/** The owner of a mailbox. */
export interface MailboxOwner {
  readonly keys: BoxKeyPair;
  readonly pub: string;
  /** An envelope to it, or to another mailbox; the same number gives the same one. */
  envelope(n: number, recipientPub?: string, bytes?: number): Envelope;
  /** Deletes envelopes, as a node checks it. */
  deletion(ids: readonly string[], height: number): BoxDeletion;
  /** Opens the mailbox for a contact. */
  opening(writeKey: string, given: Pick<BoxOpening, "untilSec" | "height"> & Partial<Pick<BoxOpening, "read">>): BoxOpening;
}

/** Who may write to opened boxes. */
export interface BoxWriter {
  readonly key: string;
  /** Base64 of the signature by which a box takes the envelope. */
  admit(envelope: Envelope): string;
}

/** A contact by number. */
export function boxWriter(chainId: string, number: number): BoxWriter {
  const seed = new Uint8Array(32).fill(number);
  return {
    key: toHex(ed25519PublicKey(seed)),
    admit: (envelope) => toBase64(signEd25519(admitSignBytes(chainId, envelope), seed)),
  };
}

/** An owner by number; `sentAt` is the time of envelopes to it, unix seconds, from which each is as much later as its number. */
export function mailboxOwner(chainId: string, number: number, sentAt = 1_000): MailboxOwner {
  const keys = boxKeyPair(new Uint8Array(32).fill(number));
  const pub = toHex(keys.publicKey);
  const sender = boxKeyPair(new Uint8Array(32).fill(200));
  return {
    keys,
    pub,
    envelope(n, recipientPub = pub, bytes = 0): Envelope {
      const nonce = new Uint8Array(24);
      new DataView(nonce.buffer).setUint32(0, n);
      return sealEnvelope({
        plaintext: utf8(`mail ${n}`.padEnd(bytes)),
        recipientPub,
        sender,
        senderMasterPub: "",
        nonce,
        sentAt: sentAt + n,
      });
    },
    deletion(ids, height): BoxDeletion {
      const message = deletionSignBytes(chainId, { mailbox: pub, ids, height });
      const signature = signXEd25519(message, keys.secretKey, new Uint8Array(64).fill(height % 256));
      return { mailbox: pub, ids, height, signature: toBase64(signature) };
    },
    opening(writeKey, { untilSec, height, read = "anyone" }): BoxOpening {
      const opening = { mailbox: pub, writeKey, read, untilSec, height };
      const signature = signXEd25519(openingSignBytes(chainId, opening), keys.secretKey, new Uint8Array(64).fill(height % 256));
      return { ...opening, signature: toBase64(signature) };
    },
  };
}
