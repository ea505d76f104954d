// Checkpoints from people one knows: the newest blocks that the nodes of verified contacts reported in their messages.
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { BlockReport } from "#shared/messenger/model/conversation.ts";
import { formatCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import styles from "../node.module.css";

/** Newest reports that are offered. */
const MOST = 3;

interface ReportedCheckpointsProps {
  /** Takes one over, as `height:hash`. */
  readonly onChoose: (checkpoint: string) => void;
}

/** Nothing where no verified contact has reported a block. */
export function ReportedCheckpoints({ onChoose }: ReportedCheckpointsProps): ReactElement | null {
  const t = useMessages();
  const blockReports = useMessengerValue((messenger) => messenger.blockReports);
  const notes = usePeopleNotes((store) => store.notes);
  const reports = blockReports.filter(({ person }) => notes[person]?.isVerified === true).sort((one, other) => other.height - one.height);
  if (reports.length === 0) return null;
  return (
    <div className={styles.reported}>
      <p>{t("node.checkpointReports")}</p>
      <ul>
        {reports.slice(0, MOST).map((report) => (
          <ReportRow key={report.person} report={report} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

function ReportRow({ report, onChoose }: ReportedCheckpointsProps & { readonly report: BlockReport }): ReactElement {
  const t = useMessages();
  const name = useLabelOf(report.person);
  return (
    <li>
      <span>
        {t("node.checkpointReport", { name, height: report.height })} · <Time at={report.at} />
      </span>
      <Button size="small" onClick={(): void => onChoose(formatCheckpoint(report))}>
        <span aria-hidden="true">{t("node.checkpointUse")}</span>
        <VisuallyHidden>{t("node.checkpointUseOf", { name })}</VisuallyHidden>
      </Button>
    </li>
  );
}
