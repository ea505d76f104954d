// Buttons by which a person chooses a picture, or removes it. Metadata is removed: nothing but the pixels of a small square leaves.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useRef } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { squarePicture } from "#renderer/lib/people/square-picture.ts";

export interface PictureChoiceProps {
  readonly hasPicture: boolean;
  /** Stores a small WebP, or with no bytes that there is none any more. */
  readonly onChoose: (data: Uint8Array) => Promise<void>;
  /** What is said once that was done; undefined where it is seen. */
  readonly savedTitle?: string;
}

export function PictureChoice({ hasPicture, onChoose, savedTitle }: PictureChoiceProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const field = useRef<HTMLInputElement>(null);
  const choice = useRef<HTMLElement>(null);
  const save = useMutation({
    mutationFn: async (file: Blob | null) => {
      const data = file === null ? new Uint8Array() : await squarePicture(file);
      if (data !== undefined) await onChoose(data);
      return data !== undefined;
    },
    onSuccess: (isPicture) => {
      if (!isPicture) toasts.show({ title: t("settings.pictureUnreadable"), tone: "danger" });
      else if (savedTitle !== undefined) toasts.show({ id: "profile", title: savedTitle, tone: "success" });
    },
    onError: toasts.showError,
  });
  return (
    <>
      <Button ref={choice} size="small" busy={save.isPending} onClick={(): void => field.current?.click()}>
        {t(hasPicture ? "settings.pictureChange" : "settings.pictureChoose")}
      </Button>
      {hasPicture && (
        <Button
          size="small"
          variant="ghost"
          disabled={save.isPending}
          onClick={(): void => {
            // This button goes with the picture.
            choice.current?.focus();
            save.mutate(null);
          }}
        >
          {t("settings.pictureRemove")}
        </Button>
      )}
      <VisuallyHidden>
        <input
          ref={field}
          type="file"
          accept="image/*"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event): void => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file !== undefined) save.mutate(file);
          }}
        />
      </VisuallyHidden>
    </>
  );
}
