// Mailboxes of nodes in one process: real stores, relays and ties to the network; the test is the network between them.
import { onTestFinished } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { AdmittedEnvelope, PeerNetwork } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import type { Verify } from "#node/relay/intake/client-mail.ts";
import type { MailClient } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS, type MailboxLimits } from "#node/relay/mailbox-limits.ts";
import { createRelay, type Relay } from "#node/relay/relay.ts";
import { createRelayNetwork, type RelayNetwork } from "#node/relay/relay-network.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import { emptyEnvelope } from "../chain/envelope-id.ts";
import { nextOf } from "../host/file-counter.ts";
import { createTemporaryFolder } from "../host/temporary-folder.ts";
import { CHAIN_ID } from "./ledger-world.ts";

/** When each node starts, unix seconds, and at which height. */
export const MAIL_START_SEC = 1_800_000_000;
export const MAIL_HEIGHT = 5_000;
const LOG = createLog("json", { write: () => undefined });

/** A client of a network of that name. */
export const mailClient = (network: string, isLimited = true): MailClient => ({ party: network, tag: network, isLimited });
/** A node's mailbox, with what it wants to tell other nodes. */
export interface MailNode {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly tie: RelayNetwork;
  readonly openings: BoxOpening[];
  readonly mail: AdmittedEnvelope[];
  readonly plain: Envelope[];
  readonly deletions: DeletionNotice[];
  /** To whom typing notices went by gossip. */
  readonly typing: string[];
  nowSec: number;
  height: number | undefined;
}

/** A node at height {@link MAIL_HEIGHT}; it ends with the test. */
export async function mailNode(
  limits: Partial<MailboxLimits> = {},
  isEnabled = true,
  verify: Verify = createNativeVerifier(),
): Promise<MailNode> {
  const folder = await createTemporaryFolder();
  const store = openMailbox(folder.path);
  const node = {
    nowSec: MAIL_START_SEC,
    height: MAIL_HEIGHT as number | undefined,
    openings: [] as BoxOpening[],
    mail: [] as AdmittedEnvelope[],
    plain: [] as Envelope[],
    deletions: [] as DeletionNotice[],
    typing: [] as string[],
  };
  const clock = { nowMs: (): number => node.nowSec * 1_000, monotonicMs: (): number => node.nowSec * 1_000 };
  const relay = createRelay({
    chainId: CHAIN_ID,
    secretKey: new Uint8Array(32).fill(3),
    store,
    clock,
    random: (length) => new Uint8Array(length).fill(4),
    verify,
    height: () => node.height,
    isEnabled,
    limits: { ...MAILBOX_LIMITS, ...limits },
  });
  const tie = createRelayNetwork({ relay, store, clock, log: LOG });
  const network: Partial<PeerNetwork> = {
    peers: () => [],
    publishEnvelopes: (envelopes) => void node.plain.push(...envelopes),
    publishOpening: (opening) => void node.openings.push(opening),
    publishAdmitted: (items) => void node.mail.push(...items),
    publishTyping: ({ to }) => void node.typing.push(to),
    publishDeletion: (notice) => void node.deletions.push(notice),
    partyOf: (name) => ({ name, standing: "stranger" }),
  };
  const detach = tie.attach(network as PeerNetwork);
  onTestFinished(async () => {
    detach();
    relay.close();
    store.close();
    await folder.remove();
  });
  return Object.assign(node, { relay, store, tie });
}

/** An envelope to a mailbox that no other one equals; its content is none. */
export function unsealedEnvelope(recipientPub: string, bytes = 20): Envelope {
  const count = nextOf("envelope");
  const nonce = new Uint8Array(24);
  new DataView(nonce.buffer).setUint32(0, count);
  return emptyEnvelope({ recipientPub, nonce, bytes, sentAt: MAIL_START_SEC });
}

/** What comes of handing envelopes in: `stored`, or the code of the refusal. */
export async function sendMail(
  { relay }: MailNode,
  some: readonly Envelope[],
  from: MailClient,
  admit?: (each: Envelope) => string,
): Promise<readonly string[]> {
  const results = await Promise.allSettled(some.map((each) => relay.broadcast(each, from, admit?.(each))));
  return results.map((result) => (result.status === "fulfilled" ? "stored" : (result.reason as { code: string }).code));
}

/** What gossip would do with what a node sent. */
export async function passMail(from: MailNode, to: MailNode): Promise<readonly string[]> {
  const results: string[] = [];
  for (const opening of from.openings.splice(0)) results.push(await to.tie.handlers.opening(opening, "peer"));
  for (const item of from.mail.splice(0)) results.push(await to.tie.handlers.admitted([item], "peer"));
  for (const each of from.plain.splice(0)) results.push(await to.tie.handlers.envelopes([each], "peer"));
  for (const each of from.deletions.splice(0)) results.push(await to.tie.handlers.deletion(each, "peer"));
  return results;
}
