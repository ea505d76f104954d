// Loads what the local store holds into memory, for one run of the messenger.
import { EMOJI_KEY, type EmojiChoices, NO_EMOJI_CHOICES } from "#shared/content/chat/emoji-choices.ts";
import { type FoldersRecord, NO_FOLDERS } from "#shared/content/chat/folder-content.ts";
import { NO_NOTES, type NotesRecord } from "#shared/content/chat/note-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { toHex } from "#shared/util/bytes.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import { ASKED_LINKS_KEY, COPIES_KEY, FOLDERS_KEY, NOTES_KEY, SCHEDULED_KEY, SENDING_KEY, SIGNED_PREKEYS_KEY } from "../changes/change.ts";
import type { AskedLink } from "../model/asked-links.ts";
import type { ScheduledMessage } from "../model/message.ts";
import type { ContactsRecord } from "../model/records.ts";
import { BOXES_KEY, BoxRegistry } from "../pairs/box-registry.ts";
import type { CountedDays } from "../pairs/counted-days.ts";
import type { PersonBoxes } from "../pairs/own-boxes.ts";
import { COUNTED_DAYS_KEY, PairClock } from "../pairs/pair-clock.ts";
import { PairRegistry } from "../pairs/pair-registry.ts";
import { MAILBOX_TIME_KEY, MailboxTime } from "../state/clocks/mailbox-time.ts";
import { NewestBlock } from "../state/clocks/newest-block.ts";
import { CHAIN_TIME_KEY, type ChainTime, SlowerClock } from "../state/clocks/slower-clock.ts";
import { ConversationRegistry } from "../state/conversation-registry.ts";
import { DEVICES_KEY, DeviceRegistry, type DevicesByPerson, OPEN_DEVICES_KEY, type OpenDevices } from "../state/device-registry.ts";
import { SET_BACK_KEY, SetBackEvidence, type SetBackRecord } from "../state/devices/set-back-evidence.ts";
import { EpochRegistry, type PrekeysByDevice } from "../state/epoch-registry.ts";
import { OutboxQueue } from "../state/outbox/outbox-queue.ts";
import { NO_PROFILE, PROFILE_KEY, type ProfileRecord, ProfileRegistry } from "../state/profiles/profile-registry.ts";
import { FINDINGS_KEY, StoreWatch, type WatchFinding } from "../state/store-watch.ts";
import { type SendStreamRecord, Streams } from "../state/streams.ts";
import { RunningMessenger, type RunOptions } from "./running-messenger.ts";

const STREAM_BYTES = 8;

/** Loads the store into memory. @throws CodedError LOCAL_STORE_FAILED. */
export async function loadMessenger(options: RunOptions): Promise<RunningMessenger> {
  const { store, account, host } = options;
  if (((await store.readMeta<readonly unknown[]>(COPIES_KEY)) ?? []).length > 0) {
    const { dropUnfinishedCopies } = await import("../commands/files/copy-file.ts");
    await dropUnfinishedCopies(store, account.masterPub);
  }
  const registry = new ConversationRegistry(account.masterPub);
  for (const record of await store.loadConversations()) registry.set(record);
  registry.folders = (await store.readMeta<FoldersRecord>(FOLDERS_KEY)) ?? NO_FOLDERS;
  registry.scheduled = await listIn<ScheduledMessage>(store, SCHEDULED_KEY);
  registry.askedLinks = await listIn<AskedLink>(store, ASKED_LINKS_KEY);
  registry.emoji = (await store.readMeta<EmojiChoices>(EMOJI_KEY)) ?? NO_EMOJI_CHOICES;
  registry.setNotes((await store.readMeta<NotesRecord>(NOTES_KEY)) ?? NO_NOTES);
  const contacts = await store.readMeta<ContactsRecord>("contacts");
  if (contacts !== undefined) registry.setContacts(contacts);
  const outbox = new OutboxQueue(await store.loadOutbox(), await store.lastOutboxSeq(), host.clock);
  const fresh: SendStreamRecord = { stream: toHex(host.random(STREAM_BYTES)), last: {} };
  const streams = new Streams((await store.readMeta<SendStreamRecord>(SENDING_KEY)) ?? fresh, await store.loadStreams());
  const epochs = new EpochRegistry(
    await host.keyring.signedPrekey({ chainId: host.node.chainId }),
    (await store.readMeta<PrekeysByDevice>(SIGNED_PREKEYS_KEY)) ?? {},
  );
  const profiles = new ProfileRegistry((await store.readMeta<ProfileRecord>(PROFILE_KEY)) ?? NO_PROFILE);
  const mailboxTime = new MailboxTime(await store.readMeta<number>(MAILBOX_TIME_KEY));
  const pairs = await store.loadPairs();
  const counted = await store.readMeta<CountedDays>(COUNTED_DAYS_KEY);
  const newestBlock = new NewestBlock(host);
  const boxes = new BoxRegistry((await store.readMeta<readonly PersonBoxes[]>(BOXES_KEY)) ?? []);
  const days = new PairClock({ ...host, newestBlock }, counted, pairs);
  const slower = new SlowerClock({ ...host, days }, await store.readMeta<ChainTime>(CHAIN_TIME_KEY));
  const publicCards = loadedLate(async () => new (await import("../node/their-public-cards.ts")).TheirPublicCards({ ...host, days }));
  const isKnown = (person: PublicKeyHex): boolean => person === account.masterPub || registry.isKnown(person);
  const devices = new DeviceRegistry(
    { ...host, slower, account, epochs, publicCards, isKnown },
    (await store.readMeta<DevicesByPerson>(DEVICES_KEY)) ?? {},
    await store.readMeta<OpenDevices>(OPEN_DEVICES_KEY),
  );
  const setBack = new SetBackEvidence(account.masterPub, await store.readMeta<SetBackRecord>(SET_BACK_KEY));
  const ofPairs = { boxes, setBack, pairs: new PairRegistry(pairs), days, newestBlock, publicCards };
  const watch = new StoreWatch({ ...host, store }, (await store.readMeta<readonly WatchFinding[]>(FINDINGS_KEY)) ?? []);
  const running = new RunningMessenger(
    options,
    { registry, outbox, streams, epochs, devices, profiles, mailboxTime, slower, ...ofPairs },
    watch,
  );
  // Before anything is done on what may be older than it was.
  if (store.finding !== undefined) await running.noteFinding(store.finding);
  await noteLate(running, setBack, watch);
  return running;
}

/** What could not be noted when it was found. Only then: groups whose owner is away would be held again at each start. */
async function noteLate(running: RunningMessenger, setBack: SetBackEvidence, watch: StoreWatch): Promise<void> {
  if (setBack.isFound && !watch.findings.includes("device")) await running.noteFinding("device", !setBack.isOwn);
}

/** A stored list; empty where there is none. */
async function listIn<Item>(store: RunOptions["store"], key: string): Promise<readonly Item[]> {
  return (await store.readMeta<readonly Item[]>(key)) ?? [];
}
