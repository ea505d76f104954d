// The messenger while it runs: wires store, outbox, inbox and chats, and carries out what the person asks for.

import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { CallCommands } from "../commands/calls.ts";
import { Contacts } from "../commands/contacts.ts";
import type { Files } from "../commands/files/file-commands.ts";
import type { Stickers } from "../commands/files/own-stickers.ts";
import type { Finder } from "../commands/finder.ts";
import type { Groups } from "../commands/groups.ts";
import { LocalChanges } from "../commands/local-changes.ts";
import type { Noting } from "../commands/noting.ts";
import type { Payments } from "../commands/payments.ts";
import type { ProgramMessages } from "../commands/program-messages.ts";
import { Reading } from "../commands/reading.ts";
import type { Removals } from "../commands/removing/removals.ts";
import type { StorageUse } from "../commands/removing/storage-use.ts";
import type { Scheduling } from "../commands/scheduling/scheduling.ts";
import type { Writing } from "../commands/writing.ts";
import { type ConversationView, countedIn, type MessengerSettings, type MessengerSnapshot } from "../model/conversation.ts";
import { peerOf, requirePeer } from "../model/conversation-id.ts";
import type { ConversationId, MessengerProblem } from "../model/message.ts";
import { problemOf } from "../model/problem.ts";
import type { CallListener } from "../receiving/call-signal.ts";
import { Inbox } from "../receiving/inbox.ts";
import { ExpiryScheduler } from "../sending/expiry-scheduler.ts";
import { Outbox } from "../sending/outbox.ts";
import type { EngineContext, EngineHost } from "../state/engine-context.ts";
import { KeyDirectory } from "../state/key-directory.ts";
import { KeyRenewal } from "../state/key-renewal.ts";
import { COVER_WAITS } from "../state/outbox/cover-waits.ts";
import type { StoreWatch, WatchFinding } from "../state/store-watch.ts";
import type { LocalStore } from "../store/local-store.ts";
import { SerialQueue } from "../store/serial-queue.ts";
import type { BatchResult } from "../store/store-batch.ts";
import type { Backups } from "../transfer/backups.ts";
import { DeviceTransferGate } from "../transfer/device-transfer-gate.ts";
import { UnfinishedLinks } from "../transfer/unfinished-links.ts";
import { ChatView } from "../views/chat-view.ts";
import { Typing } from "../views/typing.ts";
import type { Joining } from "./joining.ts";
import { LateCommands } from "./late-commands.ts";
import { LateParts } from "./late-parts.ts";
import { MailFirst } from "./mail-first.ts";
import { PrekeyRenewal } from "./prekey-renewal.ts";
import { clearRemoved, pruneStore } from "./prune-store.ts";

/** What belongs to one run. */
export interface RunOptions {
  readonly host: EngineHost;
  readonly account: KeyringAccount;
  readonly store: LocalStore;
  readonly settings: () => MessengerSettings;
  readonly onChange: () => void;
  /** Hears of calls of contacts. */
  readonly onCall: CallListener;
}

/** What is loaded for a run. */
export type LoadedContext = Omit<EngineContext, keyof EngineHost | keyof RunContext>;

/** What a run adds to what it loads. */
type RunContext = Pick<
  EngineContext,
  "account" | "cover" | "store" | "directory" | "writer" | "undoable" | "settings" | "publish" | "changed" | "report"
>;

/** One run, from loading to stopping. */
export class RunningMessenger {
  /** Changes what only this device knows. */
  readonly local: LocalChanges;
  readonly reading: Reading;
  /** Transfers history to a linked device, or receives it. */
  readonly deviceTransfer: DeviceTransferGate;
  readonly links: UnfinishedLinks;
  readonly contacts: Contacts;
  readonly typing: Typing;
  readonly #context: EngineContext;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #mailFirst: MailFirst;
  readonly #parts: LateParts;
  readonly #commands: LateCommands;
  readonly #expiry: ExpiryScheduler;
  readonly #keyRenewal: KeyRenewal;
  readonly #watch: StoreWatch;
  readonly #prekeys: PrekeyRenewal;
  readonly #views = new Set<ChatView>();
  readonly #cleanups: (() => void)[] = [];
  #problem: MessengerProblem | null = null;
  readonly #flush = (): void => this.#outbox.flush();
  readonly #writing = loadedLate(async () => {
    const { Writing: Loaded } = await import("../commands/writing.ts");
    return new Loaded(this.#context, this.#outbox, { onQueued: this.#flush, onSent: (peer): void => this.local.dropDraft(peer) });
  });
  readonly #groups = loadedLate(async () => {
    const { Groups: Loaded } = await import("../commands/groups.ts");
    return new Loaded(this.#context, () => {
      this.#outbox.flush();
      this.#parts.checkOwners();
      this.#parts.checkBases();
    });
  });
  readonly #removals = loadedLate(async () => {
    const { Removals: Loaded } = await import("../commands/removing/removals.ts");
    this.#openRemovals = new Loaded(this.#context, {
      onBroughtBack: (): void => this.#onStored(),
      onDelete: (id): void => {
        this.#parts.endCopies(id);
        this.local.dropDraft(id);
      },
      onTakenBack: (): void => this.#parts.checkScheduled(),
    });
    return this.#openRemovals;
  });
  #openRemovals: Removals | undefined;
  readonly #finder = loadedLate(async () => {
    const { Finder: Loaded } = await import("../commands/finder.ts");
    this.#openFinder = new Loaded(this.#context);
    return this.#openFinder;
  });
  #openFinder: Finder | undefined;
  readonly #storage = loadedLate(async () => {
    const { StorageUse: Loaded } = await import("../commands/removing/storage-use.ts");
    return new Loaded(this.#context, await this.finder);
  });
  /** Nothing is received before the block list has been asked for once. */
  #isReady = false;

  constructor({ host, account, store, settings, onChange, onCall }: RunOptions, loaded: LoadedContext, watch: StoreWatch) {
    this.#watch = watch;
    this.#context = {
      ...host,
      ...loaded,
      account,
      cover: host.cover ?? COVER_WAITS,
      store,
      directory: new KeyDirectory(host.node, host.clock, (person, keys) => loaded.devices.vouched(person, keys)),
      writer: new SerialQueue(),
      settings,
      undoable: new Map(),
      publish: (result, isWeighty): void => this.#publish(result, isWeighty),
      changed: onChange,
      report: (problem): void => this.#report(problem),
    };
    loaded.setBack.onFound = (isOwn): void => {
      void this.noteFinding("device", !isOwn).catch((error: unknown) => this.#report(problemOf(error)));
    };
    loaded.devices.onUnchecked(onChange);
    loaded.devices.onChange((change) => {
      void import("../receiving/note-devices.ts")
        .then(({ noteDevices }) => noteDevices(this.#context, change))
        .catch((error: unknown) => this.#report(problemOf(error)));
    });
    this.#parts = new LateParts(this.#context, {
      onQueued: this.#flush,
      onTaken: (id): void => this.local.dropDraft(id),
      isReading: (): boolean => this.#inbox.isReading || this.#mailFirst.isWaiting,
      fetchMail: (mailbox): void => this.#fetchMail(mailbox),
      noteTyping: (mailbox, from): void => void this.typing.receiveIn(mailbox, from).catch(() => undefined),
    });
    this.#commands = new LateCommands(this.#context, this.#flush);
    this.#keyRenewal = new KeyRenewal(this.#context);
    this.#prekeys = new PrekeyRenewal(this.#context, async () => ((await this.#keyRenewal.isPending()) ? this.#sweep() : undefined));
    this.#mailFirst = new MailFirst(host, () => {
      this.#outbox.retryNow();
      this.#parts.check();
    });
    this.#outbox = new Outbox(this.#context, () => this.#mailFirst.isWaiting);
    this.#inbox = new Inbox(this.#context, {
      onStored: (): void => this.#onStored(),
      onRead: (begunMs): void => this.#mailFirst.noteRead(begunMs),
      onBlock: (person, block): void => this.#parts.noteBlock(person, block),
      onCall: (signal): void => {
        // What strangers say makes no sound: it is a line among the requests.
        if (loaded.registry.isContact(signal.peer)) onCall(signal);
      },
    });
    this.typing = new Typing(this.#context);
    this.#expiry = new ExpiryScheduler(this.#context, () => {
      for (const view of this.#views) view.refresh();
      this.#context.changed();
    });
    this.links = new UnfinishedLinks(this.#context);
    this.deviceTransfer = new DeviceTransferGate(this.#context, this.links);
    this.contacts = new Contacts(this.#context, () => {
      this.#outbox.flush();
      this.#parts.checkBoxes();
      return this.#outbox.checkPublished();
    });
    this.local = new LocalChanges(this.#context, { onQueued: this.#flush });
    this.reading = new Reading(this.#context, this.#flush);
  }

  /** Sends and changes messages; loaded with the first one. */
  get writing(): Promise<Writing> {
    return this.#writing();
  }

  /** Sends files and downloads large ones; loaded with the first one. */
  get files(): Promise<Files> {
    return this.#parts.files;
  }

  /** Messages that leave at a time; loaded with the first one. */
  get scheduling(): Promise<Scheduling> {
    return this.#parts.scheduling;
  }

  /** Payments until a node has them; loaded with the first look for one. */
  get payments(): Promise<Payments> {
    return this.#commands.payments();
  }

  /** Creates and changes groups; loaded with the first command. */
  get groups(): Promise<Groups> {
    return this.#groups();
  }

  /** Asks to be let into groups by invite links; loaded with the first one. */
  get joining(): Promise<Joining> {
    return this.#parts.joining;
  }

  /** What is removed on this device alone; loaded with the first removal. */
  get removals(): Promise<Removals> {
    return this.#removals();
  }

  /** Notes about people and own devices; loaded with the first one. */
  get noting(): Promise<Noting> {
    return this.#commands.noting();
  }

  /** Makes, answers and ends calls; loaded with the first one. */
  get calls(): Promise<CallCommands> {
    return this.#commands.calls();
  }

  /** One's own stickers; loaded with the first look at them. */
  get stickers(): Promise<Stickers> {
    return this.#commands.stickers();
  }

  /** What chats take on this device; loaded when that is asked for. */
  get storage(): Promise<StorageUse> {
    return this.#storage();
  }

  /** Finds messages and files; loaded with the first search. */
  get finder(): Promise<Finder> {
    return this.#finder();
  }

  /** Makes and restores backups; loaded with the first one. */
  get backups(): Promise<Backups> {
    return this.#commands.backups();
  }

  /** Messages of programs that the person let in; loaded with the first one's. */
  get programs(): Promise<ProgramMessages> {
    return this.#commands.programs();
  }

  /** Starts to listen, fetch and send. */
  async begin(): Promise<void> {
    const { node, account } = this.#context;
    this.#cleanups.push(
      node.subscribeInbox(account.devicePub, () => this.#fetchMail(account.devicePub)),
      node.subscribeTyping(account.devicePub, (from) => this.typing.receive(from)),
      node.onOnline((isOnline) => this.#onOnline(isOnline)),
    );
    // What the look-up of contacts finds does not leave before mail, either.
    this.#mailFirst.begin();
    await this.contacts.refreshContacts().catch(() => undefined);
    this.#isReady = true;
    if (!node.isOnline()) this.#mailFirst.stop();
    this.#fetchMail();
    this.#outbox.flush();
    this.#expiry.check();
    this.#prekeys.begin();
    await this.#parts.begin().catch((error: unknown) => this.#report(problemOf(error)));
    await this.deviceTransfer.resume().catch((error: unknown) => this.#report(problemOf(error)));
    await this.#prekeys.renew().catch(() => undefined);
    await clearRemoved(this.#context).catch((error: unknown) => this.#report(problemOf(error)));
    await this.#context.writer.run(() => pruneStore(this.#context)).catch((error: unknown) => this.#report(problemOf(error)));
    this.#expiry.checkKeys();
    await this.#sweep().catch((error: unknown) => this.#report(problemOf(error)));
    await this.#tieAnswers().catch((error: unknown) => this.#report(problemOf(error)));
    await this.#hideStored().catch((error: unknown) => this.#report(problemOf(error)));
  }

  /** The password was changed: what is written from now on, and little by little all else, lies under the keys that came with it. */
  async renewKeys(): Promise<void> {
    await this.#keyRenewal.follow();
    this.#openFinder?.close();
    await this.#sweep();
  }

  /** The person has chosen other settings. */
  followSettings(): void {
    this.#parts.checkBoxes();
  }

  /** The store is not as it was written last. */
  async noteFinding(finding: WatchFinding, isHearsay = false): Promise<void> {
    const { noteFinding } = await import("../changes/note-finding.ts");
    return noteFinding(this.#context, this.#watch, { finding, isHearsay });
  }

  /** The person has seen to what was found of the store. */
  async acknowledgeStore(): Promise<void> {
    const { clearFindings } = await import("../changes/note-finding.ts");
    await clearFindings(this.#context, this.#watch);
  }

  async #tieAnswers(): Promise<void> {
    const { tieAnswers } = await import("./tie-answers.ts");
    await tieAnswers(this.#context);
  }

  async #hideStored(): Promise<void> {
    const { hideStored } = await import("./hide-stored.ts");
    await hideStored(this.#context);
  }

  async #sweep(): Promise<void> {
    if (!(await this.#keyRenewal.sweep())) await this.noteFinding("messages");
  }

  async stop(): Promise<void> {
    for (const cleanup of this.#cleanups) cleanup();
    await this.#outbox.leaveEarly();
    this.#mailFirst.stop();
    this.#outbox.stop();
    this.deviceTransfer.stop();
    this.typing.stop();
    this.#prekeys.stop();
    this.#watch.stop();
    this.#parts.stop();
    this.#expiry.stop();
    for (const view of [...this.#views]) view.close();
    this.#inbox.stop();
    this.#openFinder?.close();
    await this.#openRemovals?.stop().catch(() => undefined);
    await this.#context.writer.close();
    await this.#watch.tell().catch(() => undefined);
    this.#context.store.close();
  }

  snapshot(): Omit<MessengerSnapshot, "phase"> {
    const { registry, node, outbox, profiles, store, devices } = this.#context;
    const nowMs = this.#context.clock.nowMs();
    const conversations = registry.summaries(nowMs);
    const reachable = conversations.filter(({ isBlocked }) => !isBlocked);
    return {
      problem: this.#problem,
      isOnline: node.isOnline(),
      isDevicePublished: this.#outbox.isDevicePublished,
      conversations,
      folders: registry.folders.folders,
      notes: registry.notes,
      emoji: registry.emoji,
      stickerChanges: registry.stickerChanges,
      scheduled: registry.scheduled,
      askedLinks: registry.askedLinks,
      totalUnread: reachable.reduce((sum, conversation) => sum + countedIn(conversation, nowMs), 0),
      queued: outbox.waitingMessages,
      ...profiles.shown((person) => !registry.isStranger(person) && !registry.isBlocked(person)),
      deviceTransfer: this.deviceTransfer.view,
      unfinishedLinks: this.links.all,
      blockReports: this.#parts.blockReports,
      deviceChanges: devices.changed,
      openToTheft: devices.openToTheft,
      uncheckedDevices: devices.unchecked,
      isOwnDeviceCopied: devices.ownCopied.length > 0,
      storeFindings: this.#watch.findings,
      damagedRecords: store.damagedRecords,
      ...this.#inbox.unread,
    };
  }

  /** Opens a chat, also one that has no message yet. @throws CodedError MESSENGER_UNAVAILABLE unless the phase is `running`. */
  openConversation(id: ConversationId): ConversationView {
    const peer = peerOf(id);
    if (peer !== undefined) void this.#context.directory.get(requirePeer(peer)).catch(() => undefined);
    const view = new ChatView(id, {
      store: this.#context.store,
      writer: this.#context.writer,
      me: this.#context.account.masterPub,
      nowMs: (): number => this.#context.clock.nowMs(),
      onSeen: (seen): void => this.#markSeen(seen),
      onClose: (closed): void => void this.#views.delete(closed),
      onError: (error): void => this.#report(problemOf(error)),
    });
    this.#views.add(view);
    return view;
  }

  /** It came into view, or something came while it was in view: a mark that another own device puts on it meanwhile stays. */
  #markSeen(id: ConversationId): void {
    const { unread, flags } = this.#context.registry.get(id);
    if (unread > 0 || flags?.isMarkedUnread === true)
      void this.reading.markRead(id).catch((error: unknown) => this.#report(problemOf(error)));
  }

  #publish(result: BatchResult, isWeighty: boolean): void {
    this.#watch.noteWrite(isWeighty);
    for (const { record } of result.messages) if (record.direction === "in") this.typing.end(record.conversation);
    for (const view of this.#views) view.apply(result);
    if (result.deleted.length > 0 || result.messages.some(({ record }) => record.expiry !== undefined && record.body.kind === "deleted"))
      this.#expiry.checkKeys();
    else if (result.messages.some(({ record }) => typeof record.expiry?.startedAt === "number")) this.#expiry.check();
    else this.#expiry.watchKeys();
    const isAccepted = result.messages.some(({ record }) => record.direction === "in" && record.body.kind === "contact.accept");
    if (isAccepted) void this.contacts.refreshContacts().catch(() => undefined);
  }

  #onStored(): void {
    for (const { id, isVisible } of this.#views) if (isVisible && this.#context.registry.get(id).unread > 0) this.#markSeen(id);
    this.#outbox.flush();
    this.#parts.check();
  }

  #onOnline(isOnline: boolean): void {
    this.#context.changed();
    if (!isOnline) {
      this.#parts.forgetNode();
      this.#mailFirst.stop();
    }
    if (!isOnline) return;
    this.#mailFirst.begin();
    if (!this.#isReady) return;
    void this.contacts.refreshContacts().catch(() => undefined);
    this.#parts.retryNow();
    this.#fetchMail();
  }

  #fetchMail(mailbox?: X25519KeyHex): void {
    if (this.#isReady) this.#inbox.trigger(mailbox);
  }

  #report(problem: MessengerProblem | null): void {
    if (this.#problem?.message === problem?.message && this.#problem?.code === problem?.code) return;
    this.#problem = problem;
    this.#context.changed();
  }
}
