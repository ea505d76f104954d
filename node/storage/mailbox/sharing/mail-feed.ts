// All mail of mailbox.db in order of arrival, with openings of its mailboxes and signed deletions: what another store needs to hold the same.
import { join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { openSqliteReader } from "../../sqlite-database.ts";
import { MAILBOX_FILE } from "../mailbox-repository.ts";
import { MAILBOX_DATABASE } from "../mailbox-schema.ts";
import { OpenedBoxRepository } from "../opened-box-repository.ts";

/** Positions behind which a page begins. */
export interface FeedPosition {
  readonly after: number;
  readonly deletionsAfter: number;
}

/** An envelope with what decides about its room. */
export interface FedEnvelope {
  readonly seq: number;
  readonly envelope: Envelope;
  readonly admit: string | null;
  readonly party: string;
  readonly tag: string;
}

/** A page; positions of the next one. */
export interface FeedPage {
  readonly envelopes: readonly FedEnvelope[];
  readonly openings: readonly BoxOpening[];
  readonly deletions: readonly BoxDeletion[];
  readonly after: number;
  readonly deletions_after: number;
  readonly has_more: boolean;
}

/** Pages of all mail. */
export interface MailFeed {
  read(position: FeedPosition): FeedPage;
  /** Position of the last envelope that is there. */
  last(): number;
}

/** Entries of a page, of each kind, and bytes of its envelopes beyond the first. */
const PAGE_ENVELOPES = 256;
const PAGE_DELETIONS = 256;
const PAGE_BYTES = 4 * 1_048_576;

interface Row extends Envelope {
  readonly seq: number;
  readonly bytes: number;
  readonly admit: string | null;
  readonly party: string | null;
  readonly tag: string | null;
}

interface DeletionRow {
  readonly seq: number;
  readonly mailbox: string;
  readonly ids: string;
  readonly height: number;
  readonly signature: string;
}

/** A feed that is open. */
export interface OpenMailFeed extends MailFeed {
  close(): void;
}

/** Opens the feed of a data folder, over a connection of its own that cannot write. @throws CodedError as every database of the folder. */
export function openMailFeed(directory: string): OpenMailFeed {
  const database = openSqliteReader(join(directory, MAILBOX_FILE), MAILBOX_DATABASE);
  const boxes = new OpenedBoxRepository(database);
  const list = database.prepare<[number, number], Row>(
    `SELECT envelopes.seq, id, recipient_pub, sender_pub, sender_ed25519_pub, envelopes.fee_ut, fee_sig, nonce, ciphertext, sent_at,
        envelopes.bytes, admit, coalesce(mail_sources.party, open_sources.party) AS party, coalesce(mail_sources.tag, open_sources.tag) AS tag
      FROM envelopes JOIN mailboxes ON mailboxes.number = envelopes.mailbox LEFT JOIN admits USING (seq)
      LEFT JOIN waiting_envelopes USING (seq) LEFT JOIN mail_sources ON mail_sources.number = waiting_envelopes.source
      LEFT JOIN open_envelopes USING (seq) LEFT JOIN open_sources ON open_sources.number = open_envelopes.source
      WHERE envelopes.seq > ? ORDER BY envelopes.seq LIMIT ?`,
  );
  const listDeletions = database.prepare<[number, number], DeletionRow>(
    "SELECT seq, recipient_pub AS mailbox, ids, height, signature FROM signed_deletions WHERE seq > ? ORDER BY seq LIMIT ?",
  );
  const last = database
    .prepare<[], number>("SELECT max(coalesce((SELECT max(seq) FROM envelopes), 0), last_seq) FROM mailbox_mark")
    .pluck();
  const newest = database.prepare<[], number | null>("SELECT max(seq) FROM envelopes").pluck();
  const lastDeletion = database.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'signed_deletions'").pluck();
  return {
    close: () => database.close(),
    last: () => newest.get() ?? 0,
    read(position): FeedPage {
      // A position that was never given is of another file, which this one has replaced: it begins anew.
      const after = position.after > (last.get() ?? 0) ? 0 : position.after;
      const deletionsAfter = position.deletionsAfter > (lastDeletion.get() ?? 0) ? 0 : position.deletionsAfter;
      let room = PAGE_BYTES;
      const envelopes: FedEnvelope[] = [];
      for (const row of list.iterate(after, PAGE_ENVELOPES)) {
        room -= row.bytes;
        if (room < 0 && envelopes.length > 0) break;
        envelopes.push(fedEnvelope(row));
      }
      const deletions = listDeletions.all(deletionsAfter, PAGE_DELETIONS);
      const mailboxes = new Set(envelopes.map(({ envelope }) => envelope.recipient_pub));
      return {
        envelopes,
        openings: [...mailboxes].map((mailbox) => boxes.find(mailbox)).filter((opening) => opening !== undefined),
        deletions: deletions.map(({ mailbox, ids, height, signature }) => ({
          mailbox,
          ids: JSON.parse(ids) as string[],
          height,
          signature,
        })),
        after: envelopes.at(-1)?.seq ?? after,
        deletions_after: deletions.at(-1)?.seq ?? deletionsAfter,
        has_more: envelopes.length === PAGE_ENVELOPES || room < 0 || deletions.length === PAGE_DELETIONS,
      };
    },
  };
}

/** The page of a response. @throws CodedError UPSTREAM_FAILED for anything else */
export function feedPageOf(value: unknown): FeedPage {
  const page = value as Partial<FeedPage> | null;
  const isPage =
    typeof page === "object" &&
    Array.isArray(page?.envelopes) &&
    Array.isArray(page.openings) &&
    Array.isArray(page.deletions) &&
    Number.isSafeInteger(page.after) &&
    Number.isSafeInteger(page.deletions_after);
  if (!isPage) throw new CodedError("UPSTREAM_FAILED", "A node's answer is no page of its mail");
  return page as FeedPage;
}

function fedEnvelope({ seq, bytes: _, admit, party, tag, ...envelope }: Row): FedEnvelope {
  return { seq, envelope, admit, party: party ?? "", tag: tag ?? "" };
}
