// Warns when the node of a contact knows another block than one's own: one of the two is shown a false chain, or their program lies.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { isContradiction } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** One notice for all of them, until it is dismissed or a later block is alike. */
export function BlockNotice(): ReactElement | null {
  const blockReports = useMessengerValue((messenger) => messenger.blockReports);
  const [dismissed, setDismissed] = useState<readonly PublicKeyHex[]>([]);
  const shown = blockReports.filter((report) => isContradiction(report) && !dismissed.includes(report.person));
  const newest = shown.at(-1);
  if (newest === undefined) return null;
  return (
    <Contradiction
      person={newest.person}
      height={newest.height}
      others={shown.length - 1}
      onDismiss={(): void => setDismissed([...dismissed, ...shown.map(({ person }) => person)])}
    />
  );
}

interface ContradictionProps {
  readonly person: PublicKeyHex;
  readonly height: number;
  /** More contacts whose nodes know other blocks. */
  readonly others: number;
  readonly onDismiss: () => void;
}

function Contradiction({ person, height, others, onDismiss }: ContradictionProps): ReactElement {
  const t = useMessages();
  const name = useLabelOf(person);
  return (
    <Banner
      flush
      tone="warning"
      title={t("notices.otherBlock", { name, height })}
      actions={
        <>
          <ButtonLink size="small" to="/node">
            {t("notices.otherBlockNode")}
          </ButtonLink>
          <Button size="small" variant="ghost" onClick={onDismiss}>
            {t("common.dismiss")}
          </Button>
        </>
      }
    >
      {t("notices.otherBlockText")} {others > 0 && t("notices.otherBlockMore", { count: others })}
    </Banner>
  );
}
