// What a person has published: name, encryption key, devices.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useProfileName } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

export function IdentitySection({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { data, error, isPending } = useQuery(useNodeQueries().identity(publicKey));
  const { data: username, isPending: isNamePending } = useQuery(useNetworkQueries().username(publicKey));
  const profileName = useProfileName(publicKey);
  const address = formatAddress(publicKey);
  const canReceive = data !== undefined && (data.registered || data.device_count > 0);
  return (
    <Section title={t("common.identity")}>
      {error !== null && data === undefined && <Banner tone="warning">{errorInWords(t, error).text}</Banner>}
      {/* A further label may widen the column of labels. */}
      <div data-at-once="">
        {(isPending || isNamePending) && <Pending />}
        <KeyValueList
          rows={[
            {
              label: t("common.address"),
              value: <Copyable text={address} label={t("common.copyAddress")} />,
            },
            ...(username === undefined || username === null ? [] : [{ label: t("common.username"), value: `@${username}`, strong: true }]),
            ...(profileName === undefined ? [] : [{ label: t("contacts.profileName"), value: profileName }]),
            ...(data === undefined
              ? []
              : [
                  { label: t("contacts.publishedName"), value: publishedName(data) ?? t("contacts.noName") },
                  { label: t("common.encryptionKey"), value: t(canReceive ? "contacts.keysYes" : "contacts.keysNo") },
                  { label: t("settings.devices"), value: t("contacts.deviceCount", { count: data.device_count }) },
                ]),
          ]}
        />
      </div>
    </Section>
  );
}

function publishedName({ nickname }: IdentityInfo): string | undefined {
  return nickname.trim() === "" ? undefined : nickname;
}
