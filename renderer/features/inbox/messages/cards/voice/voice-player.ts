// What is played: one recording at a time, wherever one is in the app, and after it the next one of its chat.
import { create } from "zustand";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isWhole } from "../../../viewer/shown-pictures.ts";
import { isVoiceNote, loadVoice, voiceAddress } from "./voice-file.ts";

/** How fast one can listen. */
export const RATES = [1, 1.5, 2] as const;
export type Rate = (typeof RATES)[number];

/** A recording of a chat. */
export interface Track {
  readonly conversation: ConversationId;
  readonly key: MessageKey;
  readonly at: number;
  /** Who spoke; null for oneself. */
  readonly author: PublicKeyHex | null;
  /** As its message states it, milliseconds. */
  readonly durationMs: number;
}

interface PlayerStore {
  readonly track: Track | null;
  readonly isPlaying: boolean;
  readonly positionMs: number;
  readonly rate: Rate;
  /** The recording that could not be played last. */
  readonly failed: MessageKey | null;
}

export const useVoicePlayer = create<PlayerStore>()(() => ({ track: null, isPlaying: false, positionMs: 0, rate: 1, failed: null }));

interface Sound {
  readonly audio: HTMLAudioElement;
  readonly address: string;
  /** Ends watching its message. */
  readonly unwatch: () => void;
}

let sound: Sound | undefined;
/** Counts what was begun: what is loaded for something else than the last is dropped. */
let attempt = 0;

/** The recording of a message, or undefined for another message and while it is not whole. */
export function trackOf(conversation: ConversationId, message: ChatMessage): Track | undefined {
  const { key, at, body, direction, author } = message;
  if (body.kind !== "attachment" || !isVoiceNote(body) || !isWhole(message)) return undefined;
  return { conversation, key, at, author: direction === "out" ? null : (author ?? conversation), durationMs: body.voice.durationMs };
}

/** Plays a recording from a position on, milliseconds. What played before ends. */
export async function playVoice(messenger: Messenger, message: ChatMessage, track: Track, positionMs = 0): Promise<void> {
  stopVoice();
  attempt += 1;
  const mine = attempt;
  useVoicePlayer.setState({ track, isPlaying: true, positionMs, failed: null });
  try {
    const { body } = message;
    const bytes = await messenger.readFile(track.key);
    if (mine !== attempt) return;
    if (bytes === undefined || body.kind !== "attachment") throw new Error("The recording is not here");
    const opened: Sound = { audio: new Audio(), address: voiceAddress(bytes, body), unwatch: watch(messenger, track) };
    sound = opened;
    await loadVoice(opened.audio, opened.address);
    if (mine !== attempt) return;
    follow(messenger, opened.audio, track);
    opened.audio.currentTime = positionMs / 1000;
    opened.audio.playbackRate = useVoicePlayer.getState().rate;
    if (useVoicePlayer.getState().isPlaying) await opened.audio.play();
  } catch {
    if (mine !== attempt) return;
    stopVoice();
    useVoicePlayer.setState({ failed: track.key });
  }
}

/** Goes on, or waits. */
export function pauseVoice(isPaused: boolean): void {
  useVoicePlayer.setState({ isPlaying: !isPaused });
  if (isPaused) sound?.audio.pause();
  else void sound?.audio.play().catch(() => undefined);
}

export function seekVoice(positionMs: number): void {
  useVoicePlayer.setState({ positionMs });
  if (sound !== undefined && sound.audio.readyState > 0) sound.audio.currentTime = positionMs / 1000;
}

/** The next faster one; after the fastest the usual one. */
export function changeRate(): void {
  const { rate } = useVoicePlayer.getState();
  const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1;
  useVoicePlayer.setState({ rate: next });
  if (sound !== undefined) sound.audio.playbackRate = next;
}

/** Ends what is played, and lets go of it. */
export function stopVoice(): void {
  attempt += 1;
  useVoicePlayer.setState({ track: null, isPlaying: false, positionMs: 0 });
  if (sound === undefined) return;
  sound.audio.pause();
  sound.audio.removeAttribute("src");
  sound.audio.load();
  URL.revokeObjectURL(sound.address);
  sound.unwatch();
  sound = undefined;
}

/** What is deleted or disappears is heard no longer. */
function watch(messenger: Messenger, track: Track): () => void {
  const view = messenger.openConversation(track.conversation);
  const mine = attempt;
  let unsubscribe = (): void => undefined;
  const check = (): void => {
    const isThere = view.getSnapshot().messages.some((message) => message.key === track.key && trackOf(track.conversation, message));
    if (!isThere && mine === attempt) stopVoice();
  };
  void view.loadBack(track.at - 1).then(() => {
    if (mine !== attempt) return;
    unsubscribe = view.subscribe(check);
    check();
  });
  return (): void => {
    unsubscribe();
    view.close();
  };
}

function follow(messenger: Messenger, audio: HTMLAudioElement, track: Track): void {
  const isCurrent = (): boolean => sound?.audio === audio;
  audio.addEventListener("timeupdate", () => {
    if (isCurrent()) useVoicePlayer.setState({ positionMs: audio.currentTime * 1000 });
  });
  // The browser pauses by itself, too: for a call, or by a key of the keyboard.
  for (const name of ["play", "pause"])
    audio.addEventListener(name, () => {
      if (isCurrent() && !audio.ended) useVoicePlayer.setState({ isPlaying: !audio.paused });
    });
  audio.addEventListener("ended", () => {
    if (isCurrent()) void playNext(messenger, track);
  });
}

async function playNext(messenger: Messenger, ended: Track): Promise<void> {
  const mine = attempt;
  const next = await nextTrack(messenger, ended).catch(() => undefined);
  if (mine !== attempt) return;
  if (next === undefined) stopVoice();
  else await playVoice(messenger, next.message, next.track);
}

/** The recording after one in its chat. */
async function nextTrack(
  messenger: Messenger,
  { conversation, key, at }: Track,
): Promise<{ readonly message: ChatMessage; readonly track: Track } | undefined> {
  const view = messenger.openConversation(conversation);
  try {
    await view.loadOlder();
    await view.loadBack(at);
    const { messages } = view.getSnapshot();
    const index = messages.findIndex((message) => message.key === key);
    for (const message of index < 0 ? [] : messages.slice(index + 1)) {
      const track = trackOf(conversation, message);
      if (track !== undefined) return { message, track };
    }
    return undefined;
  } finally {
    view.close();
  }
}
