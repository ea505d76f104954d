// The preload script: gives the page the few calls of the desktop, its port to the keyring and that to the gateway, and nothing else of
// Electron.
import { contextBridge, type IpcRendererEvent, ipcRenderer } from "electron";
import {
  APPS_CHANNEL,
  APPS_PORT_MESSAGE,
  CALL_CHANNEL,
  DESKTOP_GLOBAL,
  EVENT_CHANNEL,
  KEYRING_CHANNEL,
  KEYRING_PORT_MESSAGE,
} from "#shared/desktop/channels.ts";
import type { DesktopApi, DesktopEvent } from "#shared/desktop/desktop-api.ts";
import { importStoreKey } from "./import-store-key.ts";
import { type BridgePort, bridgeKeyring } from "./keyring-bridge.ts";

/** What a call comes back as. */
type CallResult = { readonly value: unknown } | { readonly error: string };

const api: Pick<DesktopApi, "onEvent"> & { call(name: string, input: unknown): Promise<unknown> } = {
  call: async (name, input) => {
    const result = (await ipcRenderer.invoke(CALL_CHANNEL, name, input)) as CallResult;
    if ("error" in result) throw new Error(result.error);
    return result.value;
  },
  onEvent: (listener) => {
    const onEvent = (_: IpcRendererEvent, event: DesktopEvent): void => listener(event);
    ipcRenderer.on(EVENT_CHANNEL, onEvent);
    return () => void ipcRenderer.off(EVENT_CHANNEL, onEvent);
  },
};

contextBridge.exposeInMainWorld(DESKTOP_GLOBAL, api);

ipcRenderer.on(KEYRING_CHANNEL, ({ ports: [keyring] }) => {
  if (keyring === undefined) return;
  const { port1, port2 } = new MessageChannel();
  bridgeKeyring(bridgePort(port1), bridgePort(keyring), importStoreKey);
  window.postMessage(KEYRING_PORT_MESSAGE, window.location.origin, [port2]);
});

// The gateway asks for messages over it and gets no more than the page gives: nothing has to be kept from either.
ipcRenderer.on(APPS_CHANNEL, ({ ports: [gateway] }) => {
  if (gateway !== undefined) window.postMessage(APPS_PORT_MESSAGE, window.location.origin, [gateway]);
});

function bridgePort(port: MessagePort): BridgePort {
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage: (listener): void => {
      port.addEventListener("message", ({ data }) => listener(data));
      port.start();
    },
  };
}
