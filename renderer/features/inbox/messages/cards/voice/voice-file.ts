// The sound of a recording at an address that the page can play: only formats that are sound, whatever its sender calls it.
import type { StoredAttachment } from "#shared/messenger/model/message.ts";

const PLAYED_TYPES: ReadonlySet<string> = new Set(["audio/webm", "audio/ogg", "audio/mp4"]);
/** Later than any recording ends, seconds. */
const BEYOND_S = 1e7;

/** A file with a recording that can be played. */
export type VoiceAttachment = StoredAttachment & Required<Pick<StoredAttachment, "voice">>;

export function isVoiceNote(body: StoredAttachment): body is VoiceAttachment {
  return body.voice !== undefined && PLAYED_TYPES.has(body.mediaType);
}

/** Address in memory, to be given back by `URL.revokeObjectURL`. */
export function voiceAddress(bytes: Uint8Array, { mediaType }: Pick<StoredAttachment, "mediaType">): string {
  return URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
}

/**
 * Loads a recording into an element and has its length measured: what a browser records does not state it, and without it no place in it
 * can be sought. @throws Error when it cannot be decoded
 */
export async function loadVoice(audio: HTMLAudioElement, address: string): Promise<void> {
  await once(audio, "loadedmetadata", () => {
    audio.src = address;
  });
  if (Number.isFinite(audio.duration)) return;
  await once(audio, "durationchange", () => {
    audio.currentTime = BEYOND_S;
  });
  await once(audio, "seeked", () => {
    audio.currentTime = 0;
  });
}

function once(audio: HTMLAudioElement, name: string, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (finish: () => void) => (): void => {
      over.abort();
      finish();
    };
    audio.addEventListener(name, end(resolve), { signal: over.signal });
    audio.addEventListener(
      "error",
      end(() => reject(new Error("The recording cannot be decoded"))),
      { signal: over.signal },
    );
    audio.addEventListener(
      "emptied",
      end(() => reject(new Error("Another recording is loaded"))),
      { signal: over.signal },
    );
    begin();
  });
}
