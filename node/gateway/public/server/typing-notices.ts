// Typing notices between the clients of all processes over one database. They are lost where a connection is away, or too many come at once.
import { TypingGate } from "#node/network/flow/typing-gate.ts";
import { TypingExchange, type TypingNotice } from "#node/relay/typing-exchange.ts";
import { NOTICE_BYTES, NoticeChannel, type NoticeChannelOptions } from "#node/storage/mailbox/sharing/postgres/notice-channel.ts";
import { fromHex, toBase64, toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import { TYPING_A_NOTICE, TYPING_PAUSE_MS, TYPING_WAITING } from "../gateway-limits.ts";
import { SharedNotices } from "./shared-notices.ts";

export interface TypingNoticesDependencies extends Pick<NoticeChannelOptions, "database"> {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly random: RandomBytes;
  readonly onError: (error: unknown, what: string) => void;
}

const CHANNEL = "parley_typing";
const PROCESS_BYTES = 8;
const KEY_BYTES = 32;

/** Brings the notices of clients here to other processes, and theirs to the clients here. */
export class TypingNotices {
  /** What connections of clients use. */
  readonly exchange = new TypingExchange((notice) => this.#add(notice));
  readonly #dependencies: TypingNoticesDependencies;
  readonly #channel: NoticeChannel;
  readonly #gate = new TypingGate();
  /** By it a process knows its own texts, which its clients have already. */
  readonly #process: string;
  readonly #waiting = new SharedNotices(TYPING_WAITING);
  #cancel: (() => void) | undefined;
  #isSending = false;
  #isClosed = false;

  constructor(dependencies: TypingNoticesDependencies) {
    const { database, random, onError } = dependencies;
    this.#dependencies = dependencies;
    this.#process = toHex(random(PROCESS_BYTES));
    this.#channel = new NoticeChannel({
      database,
      name: CHANNEL,
      onNotice: (text): void => this.#receive(text),
      onError: (error): void => onError(error, "Typing notices of other processes are not heard"),
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#channel.close();
  }

  #add(notice: TypingNotice): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    if (this.#isClosed || !this.#waiting.hasRoomFor(notice) || !this.#gate.pass(notice, nowMs)) return;
    this.#waiting.add(notice);
    if (!this.#isSending && this.#cancel === undefined) void this.#send();
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    this.#cancel = undefined;
    if (this.#waiting.size === 0) return;
    this.#isSending = true;
    const notices = this.#waiting.take(TYPING_A_NOTICE);
    // Whether the database is away is said by what needs it more.
    await this.#channel.send(textOf(this.#process, notices)).catch(() => undefined);
    this.#isSending = false;
    if (!this.#isClosed) this.#cancel = this.#dependencies.timers.setTimer(TYPING_PAUSE_MS, () => void this.#send());
  }

  #receive(text: string): void {
    const [process, body = ""] = text.split(":", 2);
    if (process === this.#process) return;
    for (const notice of noticesOf(body)) this.exchange.receive(notice);
  }
}

function textOf(process: string, notices: readonly TypingNotice[]): string {
  const bytes = Buffer.concat(notices.flatMap(({ to, from }) => [fromHex(to), fromHex(from)]));
  return `${process}:${toBase64(bytes)}`;
}

/** Nothing of a text of another form. */
function noticesOf(body: string): readonly TypingNotice[] {
  const bytes = body.length > NOTICE_BYTES ? undefined : tryFromBase64(body);
  if (bytes === undefined || bytes.length % (2 * KEY_BYTES) !== 0) return [];
  const keyAt = (at: number): string => toHex(bytes.subarray(at, at + KEY_BYTES));
  return Array.from({ length: bytes.length / (2 * KEY_BYTES) }, (_, n) => ({
    to: keyAt(2 * KEY_BYTES * n),
    from: keyAt(2 * KEY_BYTES * n + KEY_BYTES),
  }));
}
