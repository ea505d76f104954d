// Programs in the shell: the gateway, what the keyring says of connections, the window in which the person decides, and the notice of it.
import type { AppsOverview } from "#shared/apps/messages/approval-api.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import type { AppNotices } from "./app-notices.ts";
import type { ApprovalWindow } from "./approval-window.ts";
import type { GatewayHost } from "./gateway-host.ts";
import type { KeyringApps } from "./keyring-apps.ts";

export interface AppsDeskDependencies {
  readonly gateway: GatewayHost;
  readonly keyring: KeyringApps;
  readonly window: ApprovalWindow;
  readonly notices: AppNotices;
  /** The interface gets the new state. */
  readonly onChange: (state: DesktopAppsState) => void;
}

/** Everything of programs, between the app's start and its end. */
export class AppsDesk {
  readonly gateway: GatewayHost;
  readonly keyring: KeyringApps;
  readonly window: ApprovalWindow;
  readonly #notices: AppNotices;
  readonly #onChange: (state: DesktopAppsState) => void;

  constructor({ gateway, keyring, window, notices, onChange }: AppsDeskDependencies) {
    this.gateway = gateway;
    this.keyring = keyring;
    this.window = window;
    this.#notices = notices;
    this.#onChange = onChange;
  }

  /** As the interface may see it. */
  get state(): DesktopAppsState {
    const { lock, request, approvals, connections, ended } = this.keyring.overview;
    return {
      gateway: this.gateway.state,
      lock,
      request: request === null ? null : { name: request.name, expiresAtMs: request.expiresAtMs },
      approvals: approvals.map(({ name, expiresAtMs }) => ({ name, expiresAtMs })),
      connections,
      ended,
    };
  }

  /** Switches programs on or off. Off, none is served when this returns, and nothing that one asked for can be agreed to any more. */
  async setWanted(isWanted: boolean): Promise<void> {
    await this.gateway.setWanted(isWanted);
    if (!isWanted) await this.keyring.dismiss();
  }

  /** Something else is there than before. */
  changed(overview?: AppsOverview): void {
    if (overview !== undefined) this.#notices.update(overview);
    this.#onChange(this.state);
  }

  /** The keyring's process has started: what had a port to it gets a new one, and an open window begins again. */
  keyringStarted(): void {
    this.window.close();
    this.keyring.connect();
    this.gateway.connectKeyring();
  }

  /** It has ended by itself. */
  keyringEnded(): void {
    this.keyring.disconnect();
    this.gateway.keyringEnded();
    this.window.close();
  }

  /** Nothing more is asked, and the gateway ends. */
  async close(): Promise<void> {
    this.keyring.close();
    this.window.close();
    await this.gateway.setWanted(false);
  }
}
