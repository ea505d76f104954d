// Says that the store on this disk is not as it was written last, until the person has seen to it.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import type { MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import styles from "../inbox.module.css";

const NOTES = {
  records: "notices.storeRecords",
  store: "notices.storeOlder",
  vault: "notices.storeVault",
  messages: "notices.storeMessages",
  device: "notices.deviceSetBack",
} as const;

interface StoreNoteProps {
  readonly finding: MessengerSnapshot["storeFindings"][number];
}

export function StoreNote(props: StoreNoteProps): ReactElement {
  return (
    <WithAllWords>
      <Note {...props} />
    </WithAllWords>
  );
}

function Note({ finding }: StoreNoteProps): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const acknowledge = (): void => void messenger?.acknowledgeStore().catch(() => undefined);
  return (
    <div className={styles.note}>
      <Banner
        tone="warning"
        actions={
          <Button size="small" onClick={acknowledge}>
            {t("notices.storeSeen")}
          </Button>
        }
      >
        {t(NOTES[finding])}
      </Banner>
    </div>
  );
}
