// Where notices of the system are shown: by the desktop shell, or by the browser where the person has chosen that. None where there is none.
import { create } from "zustand";
import type { DesktopNotice } from "#shared/desktop/desktop-api.ts";

export interface NoticePort {
  show(notice: DesktopNotice): void;
  /** What it says was read. */
  clear(conversation: string): void;
}

interface NoticePortStore {
  readonly port: NoticePort | null;
}

export const useNoticePort = create<NoticePortStore>()(() => ({ port: null }));
