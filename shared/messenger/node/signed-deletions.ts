// Deletes envelopes by the signature of the mailbox's key, which empties all nodes; several at a time, as each signature counts for all of them.

import type { NodeClient } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { BoxName, DeletionRequest } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { fewAtATime } from "#shared/util/few-at-a-time.ts";
import { hostClock } from "#shared/util/host.ts";

interface SignedDeletionsOptions {
  /** Height of the node's chain; undefined before its first block is known. */
  readonly height: () => Promise<number | undefined>;
  /** Base64 signature of the mailbox's key. */
  readonly sign: (ids: readonly string[], height: number, box: BoxName | undefined) => Promise<string>;
  readonly remove: (deletion: SignedIds) => Promise<unknown>;
  /** Deletes one at the node alone, where it does not take signatures. */
  readonly removeHere: (mailbox: X25519KeyHex, id: string) => Promise<void>;
}

/** Deletes one envelope; `box` where the mailbox is one for one person. */
export type RemoveEnvelope = (mailbox: X25519KeyHex, id: string, box?: BoxName) => Promise<void>;

/** Envelopes of a mailbox with the signature that deletes them. */
interface SignedIds {
  readonly pub: X25519KeyHex;
  readonly ids: string[];
  readonly height: number;
  readonly signature: string;
}

/** Most ids of one signature, as nodes take them. */
const MAX_IDS = 256;
/** Deletions within these use one height: nodes take what is 600 blocks from theirs. */
const HEIGHT_MS = 30_000;
/** Requests under way at once: of several mailboxes, or of one envelope each. */
const REQUESTS = 8;

/** Deletions at a node and all others, by the signatures of a keyring. */
export function deletionsOf(
  client: NodeClient,
  { chainId, signDeletion }: { readonly chainId: string; readonly signDeletion: (request: DeletionRequest) => Promise<string> },
  removeHere: RemoveEnvelope,
): RemoveEnvelope {
  const height = async (): Promise<number | undefined> => (await client.listBlocks({ limit: 1 }))[0]?.index;
  const sign: SignedDeletionsOptions["sign"] = (ids, now, box) => signDeletion({ chainId, ids, height: now, ...(box && { box }) });
  return createSignedDeletions({ height, sign, remove: (body) => client.deleteEnvelopes({ body }), removeHere });
}

/** What is asked for within one turn shares a signature. */
function createSignedDeletions(options: SignedDeletionsOptions): RemoveEnvelope {
  const heights = new RecentHeight(options.height);
  const inTurn = fewAtATime(REQUESTS);
  const waiting = new Map<X25519KeyHex, { readonly ids: string[]; readonly done: Promise<ReadonlySet<string>> }>();
  return async (mailbox, id, box) => {
    const open = waiting.get(mailbox);
    const batch = open !== undefined && open.ids.length < MAX_IDS ? open : begin();
    batch.ids.push(id);
    if (!(await batch.done).has(id)) await inTurn(() => options.removeHere(mailbox, id));

    function begin(): { readonly ids: string[]; readonly done: Promise<ReadonlySet<string>> } {
      const ids: string[] = [];
      const done = Promise.resolve().then(() => {
        if (waiting.get(mailbox)?.ids === ids) waiting.delete(mailbox);
        return inTurn(() => removeSigned({ ...options, height: () => heights.get() }, { mailbox, box }, ids));
      });
      const made = { ids, done };
      waiting.set(mailbox, made);
      return made;
    }
  };
}

/** The height of a node's chain, asked for now and then. */
class RecentHeight {
  readonly #ask: () => Promise<number | undefined>;
  #known: number | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ask: () => Promise<number | undefined>) {
    this.#ask = ask;
  }

  async get(): Promise<number | undefined> {
    const nowMs = hostClock.monotonicMs();
    if (this.#known === undefined || nowMs - this.#askedAtMs > HEIGHT_MS) {
      this.#known = await this.#ask();
      this.#askedAtMs = nowMs;
    }
    return this.#known;
  }
}

/** Ids that were deleted; none where the node takes no signatures, or not of this height. */
async function removeSigned(
  { height, sign, remove }: SignedDeletionsOptions,
  { mailbox, box }: { readonly mailbox: X25519KeyHex; readonly box: BoxName | undefined },
  ids: string[],
): Promise<ReadonlySet<string>> {
  const now = await height();
  if (now === undefined) return new Set();
  try {
    await remove({ pub: mailbox, ids, height: now, signature: await sign(ids, now, box) });
    return new Set(ids);
  } catch (error) {
    if (isCodedError(error) && error.status >= 400 && error.status < 500 && error.code !== "RATE_LIMITED") return new Set();
    throw error;
  }
}
