// A mark beside the name in a chat: a device of someone in it has no key that goes after a while.
import { ShieldAlert } from "lucide-react";
import type { ReactElement } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { PeopleMark } from "./people-mark.tsx";

/** Nothing where all devices of the people in the chat have one, or nothing was sealed to them yet. */
export function TheftMark({ header }: { readonly header: ConversationHeader }): ReactElement {
  const people = useMessengerValue(({ openToTheft }) => openToTheft);
  return <PeopleMark header={header} people={people} icon={ShieldAlert} name="contacts.openToTheft" text="contacts.openToTheftText" />;
}
