// A message that waits for one device of the other person, which has begun a new chain and shown no card of that yet.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { DeviceOfPerson } from "#shared/messenger/model/message.ts";
import { deviceProblemInWords } from "./message-problem.ts";

interface WaitingForDeviceProps {
  readonly of: DeviceOfPerson;
  readonly className: string | undefined;
}

/** Names the device as its person has published it. */
export function WaitingForDevice({ of: { person, device }, className }: WaitingForDeviceProps): ReactElement {
  const t = useMessages();
  const { data: devices = [] } = useQuery(useNodeQueries().devices(person));
  const reason = deviceProblemInWords(t, devices.find(({ x25519_pub_key: key }) => key === device)?.device_name);
  return <p className={className}>{t("inbox.waiting", { reason })}</p>;
}
