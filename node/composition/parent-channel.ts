// Talking to the process that started this node: a launcher or supervisor over IPC, or the desktop shell's utility process port.

/** What a node reports to its parent. */
export interface ReadyMessage {
  readonly type: "ready";
  readonly port: number;
  readonly url: string;
  readonly chain_id: string;
  /** What opens all of the node until it ends, as in its endpoint.json: the parent is of the same user. */
  readonly secret: string;
}

/** What it reports before, while it brings the data folder of an older version up to date. */
export interface UpdatingMessage {
  readonly type: "updating";
  /** Blocks that are done. */
  readonly done: number;
  readonly total: number;
}

export interface ParentChannel {
  ready(message: ReadyMessage): void;
  updating(message: UpdatingMessage): void;
  /** Calls back when the parent asks to stop (`{ type: "stop" }`) or, if `stopsWithParent`, when it has gone away. */
  onStop(listener: () => void): void;
  /** Calls back with every other message of the parent. */
  onMessage(listener: (message: unknown) => void): void;
  /** Lets go of the channel, so that it does not keep the process alive. */
  close(): void;
}

interface UtilityPort {
  on(event: "message", listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** The channel of this process, or undefined when it was started without one. */
export function openParentChannel(stopsWithParent: boolean): ParentChannel | undefined {
  const port = (process as { readonly parentPort?: UtilityPort }).parentPort;
  if (port !== undefined && port !== null) return utilityChannel(port);
  return process.connected ? ipcChannel(stopsWithParent) : undefined;
}

function utilityChannel(port: UtilityPort): ParentChannel {
  return {
    ready: (message) => port.postMessage(message),
    updating: (message) => port.postMessage(message),
    onStop: (listener) =>
      port.on("message", ({ data }) => {
        if (isStop(data)) listener();
      }),
    onMessage: (listener) =>
      port.on("message", ({ data }) => {
        if (!isStop(data)) listener(data);
      }),
    close: () => undefined,
  };
}

function ipcChannel(stopsWithParent: boolean): ParentChannel {
  return {
    ready: (message) => void process.send?.(message),
    updating: (message) => void process.send?.(message),
    onStop(listener): void {
      process.on("message", (message) => {
        if (isStop(message)) listener();
      });
      if (stopsWithParent) process.once("disconnect", listener);
    },
    onMessage: (listener) =>
      void process.on("message", (message) => {
        if (!isStop(message)) listener(message);
      }),
    close(): void {
      process.removeAllListeners("disconnect");
      if (process.connected) process.disconnect();
    },
  };
}

function isStop(message: unknown): boolean {
  return typeof message === "object" && message !== null && "type" in message && message.type === "stop";
}
