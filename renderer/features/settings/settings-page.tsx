// The settings: sections on the left, one of them on the right.
import { useNavigate, useParams } from "@tanstack/react-router";
import {
  AppWindow,
  Bell,
  Blocks,
  Coins,
  DatabaseBackup,
  HardDrive,
  IdCard,
  Info,
  type LucideIcon,
  MonitorSmartphone,
  Network,
  Palette,
  Phone,
  PiggyBank,
  ShieldCheck,
  UserRound,
  VenetianMask,
} from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { BackToList, PageScroll, Panes } from "#renderer/components/layout/panes.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useWaitingPrograms } from "#renderer/lib/desktop/use-apps-state.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { AboutSection } from "./about-section.tsx";
import { AccountSection } from "./account/account-section.tsx";
import { ProfileSection } from "./account/profile-section.tsx";
import { AppearanceSection } from "./appearance-section.tsx";
import { AppsSection } from "./apps/apps-section.tsx";
import { BackupSection } from "./backup/backup-section.tsx";
import { DesktopSection } from "./desktop/desktop-section.tsx";
import { DevicesSection } from "./devices/devices-section.tsx";
import { NetworkSection } from "./network-section.tsx";
import { NotificationsSection } from "./notifications/notifications-section.tsx";
import { CurrencySection } from "./rates/currency-section.tsx";
import { isSettingsSection, SETTINGS_SECTIONS, type SettingsSection } from "./sections.ts";
import { CallsSection } from "./security/calls-section.tsx";
import { PrivacySection } from "./security/privacy-section.tsx";
import { SecuritySection } from "./security/security-section.tsx";
import { SpendingSection } from "./security/spending-section.tsx";
import styles from "./settings.module.css";
import { StorageSection } from "./storage/storage-section.tsx";

const ICONS: Readonly<Record<SettingsSection, LucideIcon>> = {
  profile: UserRound,
  account: IdCard,
  devices: MonitorSmartphone,
  apps: Blocks,
  security: ShieldCheck,
  spending: PiggyBank,
  currency: Coins,
  privacy: VenetianMask,
  calls: Phone,
  notifications: Bell,
  storage: HardDrive,
  backup: DatabaseBackup,
  appearance: Palette,
  network: Network,
  desktop: AppWindow,
  about: Info,
};

const VIEWS: Readonly<Record<SettingsSection, () => ReactElement | null>> = {
  profile: ProfileSection,
  account: AccountSection,
  devices: DevicesSection,
  apps: AppsSection,
  security: SecuritySection,
  spending: SpendingSection,
  currency: CurrencySection,
  privacy: PrivacySection,
  calls: CallsSection,
  notifications: NotificationsSection,
  storage: StorageSection,
  backup: BackupSection,
  appearance: AppearanceSection,
  network: NetworkSection,
  desktop: DesktopSection,
  about: AboutSection,
};

export function SettingsPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { section: requested } = useParams({ strict: false });
  const isChosen = requested !== undefined && isSettingsSection(requested);
  const section = isChosen ? requested : "profile";
  const waiting = useWaitingPrograms();
  const View = VIEWS[section];
  const offered = SETTINGS_SECTIONS.filter((name) => name !== "desktop" || desktopApi() !== undefined);
  return (
    <Panes
      shows={isChosen ? "detail" : "list"}
      list={
        <>
          <PageHeader level="pane" title={t("settings.title")} />
          <nav className={styles.sections} aria-label={t("settings.title")}>
            {offered.map((name) => {
              const Icon = ICONS[name];
              return (
                <ListRowLink
                  key={name}
                  to="/settings/$section"
                  params={{ section: name }}
                  aria-current={name === section ? "page" : undefined}
                  leading={<Icon size={17} aria-hidden="true" className={shared.muted} />}
                  heading={t(`settings.${name}`)}
                  trailing={name === "apps" && waiting > 0 ? <Badge tone="solid">{waiting}</Badge> : undefined}
                />
              );
            })}
          </nav>
        </>
      }
      detail={
        <>
          <PageHeader title={t(`settings.${section}`)} leading={<BackToList onBack={(): void => void navigate({ to: "/settings" })} />} />
          <PageScroll key={section}>
            <View />
          </PageScroll>
        </>
      }
    />
  );
}
