// A mark beside the name in a chat: nothing has proven that the devices of someone in it are theirs.
import { ShieldQuestionMark } from "lucide-react";
import type { ReactElement } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { PeopleMark } from "./people-mark.tsx";

/** Nothing where the devices of all people in the chat are proven, or none was looked up yet. */
export function UncheckedMark({ header }: { readonly header: ConversationHeader }): ReactElement {
  const people = useMessengerValue(({ uncheckedDevices }) => uncheckedDevices);
  const words = { name: "contacts.uncheckedDevices", text: "contacts.uncheckedDevicesText" } as const;
  return <PeopleMark header={header} people={people} icon={ShieldQuestionMark} {...words} />;
}
