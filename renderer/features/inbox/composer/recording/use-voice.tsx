// The button that records in a composer, and what stands in its place while one does.
import { Mic } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import { canRecord, type Recording } from "./recorder.ts";
import type { VoiceRecorderProps } from "./voice-recorder.tsx";

const VoiceRecorder = lazy(
  async (): Promise<{ readonly default: ComponentType<VoiceRecorderProps> }> => ({
    default: (await import("./voice-recorder.tsx")).VoiceRecorder,
  }),
);

/** A button that is let go of after this time was held: it was meant to record meanwhile. */
const HOLD_MS = 500;

export interface VoiceOptions {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly maySend: boolean;
  readonly onSent: () => void;
}

export interface VoiceParts {
  /** Another one where nothing can be recorded or sent. */
  readonly button: ReactElement;
  readonly isRecording: boolean;
  readonly recorder: ReactElement;
}

/** A click begins; holding the button ends with letting go of it. */
export function useVoice({ id, messenger, maySend, onSent }: VoiceOptions, otherwise: ReactElement): VoiceParts {
  const t = useMessages();
  const toasts = useToasts();
  const hasWords = useAllWords();
  const [state, setState] = useState<"idle" | "recording" | "letGo">("idle");
  const close = (): void => {
    setState("idle");
    requestAnimationFrame(focusComposer);
  };
  const send = ({ bytes, mediaType, voice }: Recording): void => {
    close();
    onSent();
    const name = `voice-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.${mediaType.split("/")[1]}`;
    messenger.sendFile(id, { name, mediaType, bytes, caption: "", image: null, voice }).catch(toasts.showError);
  };
  const button = (
    <IconButton
      icon={Mic}
      label={t("chat.record")}
      onPointerDown={(event): void => {
        if (event.button !== 0) return;
        setState("recording");
        whenLetGo(() => setState((now) => (now === "recording" ? "letGo" : now)));
      }}
      onClick={(): void => setState((now) => (now === "idle" ? "recording" : now))}
    />
  );
  return {
    button: maySend && hasWords && canRecord() ? button : otherwise,
    isRecording: state !== "idle",
    recorder: (
      <Suspense fallback={null}>
        <VoiceRecorder isLetGo={state === "letGo"} onSend={send} onClose={close} />
      </Suspense>
    ),
  };
}

/** Waits for the end of a press, and says whether that was one of holding: the recorder may be there only after a short one. */
function whenLetGo(onHeld: () => void): void {
  const since = performance.now();
  const over = new AbortController();
  const onUp = (): void => {
    over.abort();
    if (performance.now() - since > HOLD_MS) onHeld();
  };
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, onUp, { signal: over.signal });
}
