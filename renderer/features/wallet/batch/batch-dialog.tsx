// Paying several people: their lines, one review of all of them, and how far they are. A batch that is under way comes first.
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useBatchStore } from "#renderer/lib/transactions/sending/batch-store.ts";
import { useBatchDraft } from "./batch-draft.ts";
import { BatchEntry } from "./batch-entry.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { BatchReview } from "./batch-review.tsx";
import type { TypedRow } from "./read-rows.ts";

/** The dialog, open as long as its route is. */
export function BatchDialog(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { isOpen, batch, error } = useBatchStore();
  const draft = useBatchDraft();
  const [rows, setRows] = useState<readonly TypedRow[]>();
  const title = batch === undefined ? (rows === undefined ? "batch.page" : "batch.reviewTitle") : "batch.progressTitle";
  const close = (): void => void navigate({ to: "/wallet" });
  return (
    <Dialog open keepOpen wide onOpenChange={close} title={t(title)}>
      {!isOpen && error === undefined && <SkeletonRows count={3} />}
      {!isOpen && error !== undefined && <Banner tone="danger" title={errorInWords(t, error).title} />}
      {isOpen && batch !== undefined && <BatchProgress batch={batch} onDone={close} />}
      {isOpen && batch === undefined && rows === undefined && (
        <BatchEntry draft={draft} onChange={(changes): void => useBatchDraft.setState(changes)} onReady={setRows} />
      )}
      {isOpen && batch === undefined && rows !== undefined && (
        <BatchReview typed={rows} fee={draft.fee} onBack={(): void => setRows(undefined)} />
      )}
    </Dialog>
  );
}
