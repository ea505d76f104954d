// What looks for work by itself while a messenger runs: each part is loaded with the first work for it.
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { DOWNLOADS_KEY, FILE_BOXES_KEY } from "../changes/change.ts";
import type { Files } from "../commands/files/file-commands.ts";
import type { Scheduling, SchedulingEvents } from "../commands/scheduling/scheduling.ts";
import { BLOCK_REPORTS_KEY, type BlockReport } from "../model/conversation.ts";
import type { ConversationId } from "../model/message.ts";
import { problemOf } from "../model/problem.ts";
import type { BlockReports } from "../receiving/block-reports.ts";
import type { BoxKeeper } from "../receiving/boxes/box-keeper.ts";
import type { GapRequester } from "../receiving/gap-requester.ts";
import type { PairSender } from "../sending/pair-sender.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { Admission } from "./admission.ts";
import type { BaseWriter } from "./base-writer.ts";
import type { Joining } from "./joining.ts";
import { LatePart } from "./late-part.ts";
import type { OwnerWatch } from "./owner-watch.ts";

/** What the parts ask of the messenger. */
export interface LatePartsPort extends SchedulingEvents {
  /** Mail is being read. */
  isReading(): boolean;
  fetchMail(mailbox: X25519KeyHex | undefined): void;
  /** Someone types to a mailbox for one person. */
  noteTyping(mailbox: X25519KeyHex, from: X25519KeyHex): void;
}

const NO_REPORTS: readonly BlockReport[] = [];

/** The parts of one run. */
export class LateParts {
  readonly #context: EngineContext;
  /** Sends what is due in pairs. */
  readonly #pairs: LatePart<PairSender>;
  /** Opens and closes mailboxes for one person each. */
  readonly #boxes: LatePart<BoxKeeper>;
  /** Looks whether groups were passed on. */
  readonly #owners: LatePart<OwnerWatch>;
  /** Shortens the logs of groups that one owns. */
  readonly #bases: LatePart<BaseWriter>;
  /** Lets people into groups by invite links. */
  readonly #admission: LatePart<Admission>;
  /** Asks to be let into groups. */
  readonly #joining: LatePart<Joining>;
  /** Asks for what is missing in sender chains. */
  readonly #gaps: LatePart<GapRequester>;
  /** Compares blocks that the nodes of contacts know. */
  readonly #blocks: LatePart<BlockReports>;
  /** Sends files and downloads large ones. */
  readonly #files: LatePart<Files>;
  /** Sends messages at their time. */
  readonly #scheduling: LatePart<Scheduling>;
  #isReady = false;

  constructor(context: EngineContext, port: LatePartsPort) {
    this.#context = context;
    const onQueued = (): void => port.onQueued();
    const late = <T extends { stop(): void }>(load: () => Promise<T>): LatePart<T> =>
      new LatePart(load, (error) => context.report(problemOf(error)));
    this.#pairs = late(async () => {
      const { PairSender: Loaded } = await import("../sending/pair-sender.ts");
      return new Loaded(context, () => port.isReading());
    });
    this.#boxes = late(async () => {
      const { BoxKeeper: Loaded } = await import("../receiving/boxes/box-keeper.ts");
      return new Loaded(context, {
        onMail: (mailbox): void => port.fetchMail(mailbox),
        onTyping: (mailbox, from): void => port.noteTyping(mailbox, from),
      });
    });
    this.#owners = late(async () => {
      const { OwnerWatch: Loaded } = await import("./owner-watch.ts");
      return new Loaded(context, onQueued);
    });
    this.#bases = late(async () => {
      const { BaseWriter: Loaded } = await import("./base-writer.ts");
      return new Loaded(context, onQueued);
    });
    this.#admission = late(async () => {
      const { Admission: Loaded } = await import("./admission.ts");
      return new Loaded(context, onQueued);
    });
    this.#joining = late(async () => {
      const { Joining: Loaded } = await import("./joining.ts");
      return new Loaded(context, onQueued);
    });
    this.#gaps = late(async () => {
      const { GapRequester: Loaded } = await import("../receiving/gap-requester.ts");
      return new Loaded(context, onQueued);
    });
    this.#blocks = late(async () => {
      const { BlockReports: Loaded } = await import("../receiving/block-reports.ts");
      const reports = new Loaded(context);
      await reports.load();
      return reports;
    });
    this.#files = late(async () => {
      const { Files: Loaded } = await import("../commands/files/file-commands.ts");
      return new Loaded(context, onQueued);
    });
    this.#scheduling = late(async () => {
      const { Scheduling: Loaded } = await import("../commands/scheduling/scheduling.ts");
      return new Loaded(context, port);
    });
  }

  get files(): Promise<Files> {
    return this.#files.load();
  }

  get scheduling(): Promise<Scheduling> {
    return this.#scheduling.load();
  }

  get joining(): Promise<Joining> {
    return this.#joining.load();
  }

  /** The run has begun: contacts are known. Continues what was downloaded when the program ended. */
  async begin(): Promise<void> {
    this.#isReady = true;
    this.#checkGaps();
    this.#checkPairs();
    this.checkOwners();
    this.checkBases();
    this.#checkAdmission();
    this.checkAsked();
    this.checkScheduled();
    await this.#checkFiles([DOWNLOADS_KEY, FILE_BOXES_KEY]);
    await this.#checkBlocks();
  }

  /** Loads what downloads and stores files where there is something for it. */
  async #checkFiles(keys: readonly string[]): Promise<void> {
    if (this.#files.loaded !== undefined) return this.#files.loaded.checkDownloads();
    const lists = await Promise.all(keys.map((key) => this.#context.store.readMeta<readonly unknown[]>(key)));
    if (lists.some((list = []) => list.length > 0)) this.#files.use((files) => files.checkDownloads());
  }

  /** Something has come. */
  check(): void {
    this.#checkGaps();
    this.#checkPairs();
    this.checkBoxes();
    this.checkOwners();
    this.checkBases();
    this.#checkAdmission();
    this.checkAsked();
    // Something that has come may be a file that is to be fetched.
    void this.#checkFiles([DOWNLOADS_KEY]).catch(() => undefined);
  }

  /** From the first gap on. */
  #checkGaps(): void {
    if (this.#gaps.loaded !== undefined || this.#context.streams.withGap.length > 0) this.#gaps.use((gaps) => gaps.check());
  }

  /** The newest report of each contact; the same list while none changes. */
  get blockReports(): readonly BlockReport[] {
    return this.#blocks.loaded?.all ?? NO_REPORTS;
  }

  /** A device of a person reports a block. */
  noteBlock(person: PublicKeyHex, block: Checkpoint): void {
    this.#blocks.use((blocks) => blocks.receive(person, block));
  }

  /** From the first report on. */
  async #checkBlocks(): Promise<void> {
    if ((await this.#context.store.readMeta<unknown>(BLOCK_REPORTS_KEY)) !== undefined) await this.#blocks.load();
  }

  /** From the first pair on. */
  #checkPairs(): void {
    if (!this.#context.pairs.isEmpty && this.#isReady) this.#pairs.use((pairs) => pairs.check());
  }

  /** From the first pair on, and while any mailbox is open. */
  checkBoxes(): void {
    const { pairs, boxes } = this.#context;
    if ((!pairs.isEmpty || boxes.all.length > 0) && this.#isReady) this.#boxes.use((keeper) => keeper.check());
  }

  /** From the first group on whose owner names another one. */
  checkOwners(): void {
    const isNeeded = this.#owners.loaded !== undefined || this.#context.registry.passedGroups.length > 0;
    if (isNeeded && this.#isReady) this.#owners.use((watch) => watch.check());
  }

  /** From the first group on that one owns, and whose log has grown. */
  checkBases(): void {
    const { registry, account } = this.#context;
    if (this.#isReady && registry.longGroups(account.masterPub).length > 0) this.#bases.use((writer) => writer.check());
  }

  /** From the first request on that waits. */
  #checkAdmission(): void {
    const isNeeded = this.#admission.loaded !== undefined || this.#context.registry.askedGroups.length > 0;
    if (isNeeded && this.#isReady) this.#admission.use((admission) => admission.check());
  }

  /** While this device asks to be let into a group. */
  checkAsked(): void {
    const isNeeded = this.#context.registry.askedLinks.some(({ secret }) => secret !== "");
    if (isNeeded && this.#isReady) this.#joining.use((joining) => joining.check());
  }

  /** While something waits for its time. */
  checkScheduled(): void {
    if (this.#context.registry.scheduled.length > 0 && this.#isReady) this.#scheduling.use((scheduling) => scheduling.check());
  }

  /** A conversation is about to be deleted. */
  endCopies(conversation: ConversationId): void {
    this.#files.loaded?.endCopies(conversation);
  }

  /** The connection to the node is gone. */
  forgetNode(): void {
    this.#boxes.loaded?.forgetNode();
  }

  /** The connection to the node is there again: it may be another node. */
  retryNow(): void {
    for (const { loaded } of [
      this.#pairs,
      this.#boxes,
      this.#owners,
      this.#bases,
      this.#admission,
      this.#joining,
      this.#files,
      this.#scheduling,
    ])
      loaded?.retryNow();
    if (this.#scheduling.loaded === undefined) this.checkScheduled();
  }

  stop(): void {
    for (const part of [this.#gaps, this.#blocks, this.#pairs, this.#boxes, this.#owners, this.#bases]) part.stop();
    for (const part of [this.#admission, this.#joining, this.#files, this.#scheduling]) part.stop();
  }
}
