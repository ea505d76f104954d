// A lasting note whose way out is a section of the settings.
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { Banner, type BannerProps } from "./banner.tsx";

interface SettingsNoticeProps extends Pick<BannerProps, "tone" | "title" | "children"> {
  readonly section: "account" | "desktop" | "devices" | "security";
  /** Words of the way out. */
  readonly action: string;
}

export function SettingsNotice({ section, action, ...banner }: SettingsNoticeProps): ReactElement {
  return (
    <Banner
      flush
      {...banner}
      actions={
        <ButtonLink size="small" to="/settings/$section" params={{ section }}>
          {action}
        </ButtonLink>
      }
    />
  );
}
