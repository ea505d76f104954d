// Makes a member the owner of a group: an entry of its log, which counts once a payment to oneself that names it is in a block.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useCallback } from "react";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { OFFER_MS } from "#shared/protocol/groups/group-bounds.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The least that can be paid, µT: to oneself. */
const AMOUNT_UT = 1;

export interface PassGroupSheetProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly person: PublicKeyHex;
  readonly name: string;
  readonly onClose: () => void;
}

/** The sheet, open while it is shown. The entry is stored and sent before a node gets the payment. */
export function PassGroupSheet({ id, messenger, person, name, onClose }: PassGroupSheetProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["next-owner", id, person],
    queryFn: () => messenger.nextOwner(id, person),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // What is signed while the sheet has been open for long names a new entry, too.
    refetchInterval: OFFER_MS / 2,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  const onSigned = useCallback(async () => {
    if (data !== undefined) await messenger.passGroup(id, data);
  }, [messenger, id, data]);
  return (
    <IntentSheet
      intent={{ kind: "pay", to: masterPub, amountUt: AMOUNT_UT, memo: data?.memo ?? "" }}
      title={t("chat.groupOwnerTitle", { name })}
      sentence={t("chat.groupOwnerText", { name })}
      confirmLabel={t("chat.groupOwnerConfirm")}
      danger
      isChecking={data === undefined}
      onSigned={onSigned}
      onClose={onClose}
    >
      {data === undefined && !isFetching && error !== null && <ErrorState error={error} onRetry={(): void => void refetch()} />}
    </IntentSheet>
  );
}
