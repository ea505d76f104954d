// What the parts of a running messenger share.
import type { KeyringAccount, StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { KeyringClient } from "#shared/keyring/port.ts";
import type { LinkNode } from "#shared/linking/link-channel.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import type { MessengerSettings } from "../model/conversation.ts";
import type { MessageKey, MessengerProblem } from "../model/message.ts";
import type { MessengerNode } from "../model/node-port.ts";
import type { RemovedMessage } from "../model/records.ts";
import type { TheirPublicCards } from "../node/their-public-cards.ts";
import type { BoxRegistry } from "../pairs/box-registry.ts";
import type { PairClock } from "../pairs/pair-clock.ts";
import type { PairRegistry } from "../pairs/pair-registry.ts";
import type { LocalStore } from "../store/local-store.ts";
import type { MessageSearch } from "../store/search/search-index.ts";
import type { SerialQueue } from "../store/serial-queue.ts";
import type { BatchResult } from "../store/store-batch.ts";
import type { OpenDatabase } from "../store/store-database.ts";
import type { MailboxTime } from "./clocks/mailbox-time.ts";
import type { NewestBlock } from "./clocks/newest-block.ts";
import type { SlowerClock } from "./clocks/slower-clock.ts";
import type { ConversationRegistry } from "./conversation-registry.ts";
import type { DeviceRegistry } from "./device-registry.ts";
import type { SetBackEvidence } from "./devices/set-back-evidence.ts";
import type { EpochRegistry } from "./epoch-registry.ts";
import type { KeyDirectory } from "./key-directory.ts";
import type { CoverWaits } from "./outbox/cover-waits.ts";
import type { OutboxQueue } from "./outbox/outbox-queue.ts";
import type { ProfileRegistry } from "./profiles/profile-registry.ts";
import type { Streams } from "./streams.ts";

/** The part of the keyring that the messenger uses. */
export type MessengerKeyring = Pick<
  KeyringClient<CryptoKey>,
  | "status"
  | "signedPrekey"
  | "signGroupEntry"
  | "retireEpochs"
  | "seal"
  | "open"
  | "drawCards"
  | "openPairs"
  | "drawPublicCard"
  | "openPublic"
  | "renewCardKey"
  | "resealCards"
  | "dropFormerCardKey"
  | "ownBoxes"
  | "signOpenings"
  | "storeKeys"
  | "makeDayKey"
  | "dropDayKeys"
  | "dropFormerKeys"
  | "storeCheckpoint"
  | "backupKey"
  | "onStatus"
>;

/** Surroundings of the messenger. */
export interface EngineHost {
  readonly node: MessengerNode;
  readonly keyring: MessengerKeyring;
  /** Mailboxes for the transfer of history to a linked device. */
  readonly linkNode: LinkNode;
  /** Restores what another own device stored beside messages; only the interface understands it. */
  readonly restoreSavedNotes: (notes: string) => Promise<void>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomBytes;
  /** Random waits; as the design has them unless others are given. */
  readonly cover?: CoverWaits;
  readonly openDatabase: OpenDatabase;
  /** Room of the store, where the host knows of it. */
  readonly room?: {
    /** Bytes that can still be stored; undefined where that is not known. */
    readonly freeBytes: () => Promise<number | undefined>;
    /** Asks that what is stored stays when room runs out. */
    readonly keep: () => Promise<unknown>;
  };
  /** Seals again what the host keeps beside the store under these keys; true where nothing lay under former ones. */
  readonly sweepItems: (keys: StoreKeys<CryptoKey>) => Promise<boolean>;
  /** Opens the search over the store of these keys; called at the first search. */
  readonly openSearch: (keys: StoreKeys<CryptoKey>) => MessageSearch | Promise<MessageSearch>;
}

/** Shared by all parts of one run. */
export interface EngineContext extends EngineHost {
  readonly cover: CoverWaits;
  readonly account: KeyringAccount;
  readonly store: LocalStore;
  readonly registry: ConversationRegistry;
  readonly outbox: OutboxQueue;
  readonly directory: KeyDirectory;
  readonly devices: DeviceRegistry;
  readonly streams: Streams;
  readonly epochs: EpochRegistry;
  /** Pairs of this device with others, and the clocks that they go by. */
  readonly pairs: PairRegistry;
  readonly days: PairClock;
  /** Whose devices say that this one was set back or copied. */
  readonly setBack: SetBackEvidence;
  /** Mailboxes of this device for one person each. */
  readonly boxes: BoxRegistry;
  /** Public cards of others' devices; loaded with the first content for a device that has shown no key. */
  readonly publicCards: () => Promise<TheirPublicCards>;
  readonly profiles: ProfileRegistry;
  /** The newest block of the own node, for contacts. */
  readonly newestBlock: NewestBlock;
  readonly mailboxTime: MailboxTime;
  /** The clocks by which something is destroyed. */
  readonly slower: SlowerClock;
  /** The only way to change the store. */
  readonly writer: SerialQueue;
  /** Messages whose removal can still be undone, as they were: what comes for them waits. */
  readonly undoable: Map<MessageKey, RemovedMessage>;
  settings(): MessengerSettings;
  /** Notifies open chats of changes. `isWeighty`: a group changed, or how long messages stay. */
  publish(result: BatchResult, isWeighty: boolean): void;
  /** The snapshot is out of date. */
  changed(): void;
  report(problem: MessengerProblem | null): void;
}
