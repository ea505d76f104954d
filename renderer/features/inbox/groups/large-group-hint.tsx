// Whom members with programs that know groups of 32 reach in a larger one.
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { OLDER_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";

/** Nothing where all programs know so many members. */
export function LargeGroupHint({ members }: { readonly members: number }): ReactElement | null {
  const t = useMessages();
  return members > OLDER_GROUP_MEMBERS ? <p className={shared.hint}>{t("chat.groupLarge", { count: OLDER_GROUP_MEMBERS })}</p> : null;
}
