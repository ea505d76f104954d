// Programs in the shell: the gateway, what the keyring says of connections, and the window in which the person decides.
import type { DesktopAppsState, OfferedPerson } from "#shared/desktop/desktop-apps.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { GatewayHost } from "./gateway-host.ts";
import type { KeyringApps } from "./keyring-apps.ts";

export interface AppsDeskDependencies {
  readonly gateway: GatewayHost;
  readonly keyring: KeyringApps;
}

/** Everything of programs, between the app's start and its end. */
export class AppsDesk {
  readonly gateway: GatewayHost;
  readonly keyring: KeyringApps;

  constructor({ gateway, keyring }: AppsDeskDependencies) {
    this.gateway = gateway;
    this.keyring = keyring;
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

  /** Opens the window for what waits. */
  openWindow(people: readonly OfferedPerson[]): boolean {
    throw new CodedError("UNAVAILABLE", `The window for ${people.length} people is not there yet`);
  }

  /** The keyring's process has started: what had a port to it gets a new one. */
  keyringStarted(): void {
    this.keyring.connect();
    this.gateway.connectKeyring();
  }

  /** No more questions, and the gateway ends. */
  async close(): Promise<void> {
    this.keyring.close();
    await this.gateway.setWanted(false);
  }
}
