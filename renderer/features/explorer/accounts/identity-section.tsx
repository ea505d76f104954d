// What an account has published: name, encryption key, devices. Nothing is shown for an account that has published nothing.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Published name, keys and devices. */
export function IdentitySection(props: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const { publicKey } = props;
  const t = useMessages();
  const queries = useNodeQueries();
  const { data: identity, isPending } = useQuery(queries.identity(publicKey));
  const { data: devices, isPending: areDevicesPending } = useQuery(queries.devices(publicKey));
  const { data: username, isPending: isNamePending } = useQuery(useNetworkQueries().username(publicKey));
  if (isPending || areDevicesPending || isNamePending) return <Pending />;
  const hasName = typeof username === "string";
  if (identity === undefined || devices === undefined || (!identity.registered && devices.length === 0 && !hasName)) return null;
  return (
    <Section title={t("explorer.identity")} hint={t("explorer.identityHint")}>
      <KeyValueList
        rows={[
          ...(hasName ? [{ label: t("common.username"), value: `@${username}`, strong: true }] : []),
          ...(identity.nickname === "" ? [] : [{ label: t("common.name"), value: identity.nickname }]),
          { label: t("common.publicKey"), value: <Copyable text={publicKey} label={t("explorer.copyKey")} /> },
          ...(identity.x25519_pub === ""
            ? []
            : [
                {
                  label: t("common.encryptionKey"),
                  value: <Copyable text={identity.x25519_pub} label={t("explorer.copyKey")} />,
                },
              ]),
          ...devices.map((device, index) => ({
            label: t("explorer.device", { number: index + 1 }),
            value: (
              <>
                {device.device_name} · <Time at={device.added_at * 1_000} />
              </>
            ),
          })),
        ]}
      />
    </Section>
  );
}
