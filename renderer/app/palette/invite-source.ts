// Invite links of groups in the palette: what a pasted one leads to, and where one is pasted.
import { useNavigate } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import { useCallback } from "react";
import { type Command, type CommandSource, matchCommands } from "#renderer/lib/commands/command-store.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { dataOfInvite } from "#renderer/lib/people/group-invite.ts";

/** Commands for what is typed; `open` gets what is behind the `#` of a link, "" for none. */
export function inviteCommands(query: string, t: Translate, open: (data: string) => void): readonly Command[] {
  const data = dataOfInvite(query);
  if (data !== undefined) return [{ id: "group-invite", group: "jump", label: t("inbox.inviteCard"), icon: Link2, run: () => open(data) }];
  const join: Command = {
    id: "group-join",
    group: "actions",
    label: t("inbox.join"),
    icon: Link2,
    keywords: t("chat.link"),
    run: () => open(""),
  };
  return matchCommands([join], query);
}

export function useInviteSource(): CommandSource {
  const t = useMessages();
  const navigate = useNavigate();
  return useCallback((query) => inviteCommands(query, t, (hash) => void navigate({ to: "/inbox/join", hash })), [t, navigate]);
}
