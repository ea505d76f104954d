// Scripts of the browser: the isolated world in which the preload script runs, and the page's own world. Their functions are sent as
// text, so each is complete in itself.

/** Isolated world: gives the preload script its `electron`, over one function to the main process and one from it. */
export function isolatedWorld(runPreload: (require: (name: string) => unknown) => void): void {
  type Listener = (event: { readonly ports: readonly MessagePort[] }, ...args: unknown[]) => void;
  const scope = globalThis as unknown as { standInSend(text: string): void; standInReceive(text: string): void };
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<number, (value: unknown) => void>();
  const ports = new Map<number, MessagePort>();
  const removers = new Map<number, () => unknown>();
  let lastId = 0;

  const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const encode = (value: unknown): string =>
    JSON.stringify(value, (_, part: unknown) => (part instanceof Uint8Array ? { $bytes: toBase64(part) } : part));
  const decode = (text: string): Record<string, unknown> =>
    JSON.parse(text, (_, part: unknown) =>
      typeof part === "object" && part !== null && "$bytes" in part ? fromBase64(String(part.$bytes)) : part,
    );
  const openPort = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = ({ data }): void => scope.standInSend(encode({ kind: "port", id, data }));
    ports.set(id, port2);
    return port1;
  };

  scope.standInReceive = (text): void => {
    const message = decode(text);
    if (message.kind === "port") ports.get(message.id as number)?.postMessage(message.data);
    else if (message.kind === "result") waiting.get(message.id as number)?.(message.value);
    else
      for (const listener of listeners.get(message.channel as string) ?? [])
        listener({ ports: (message.ports as number[]).map(openPort) }, ...(message.args as unknown[]));
  };

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]): Promise<unknown> =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        scope.standInSend(encode({ kind: "invoke", id: lastId, channel, args }));
      }),
    on: (channel: string, listener: Listener): void => {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    },
    off: (channel: string, listener: Listener): void => void listeners.get(channel)?.delete(listener),
  };

  const answer = (id: number, part: object): void => {
    document.dispatchEvent(new CustomEvent("standin:answer", { detail: JSON.stringify({ id, ...part }) }));
  };
  const restore = (arg: unknown): unknown => {
    const callback = (arg as { readonly $callback?: number } | null)?.$callback;
    if (callback === undefined) return arg;
    return (value: unknown): void => {
      document.dispatchEvent(new CustomEvent("standin:callback", { detail: JSON.stringify({ callback, value }) }));
    };
  };
  const callApi = async (id: number, method: ((...args: unknown[]) => unknown) | undefined, args: readonly unknown[]): Promise<void> => {
    try {
      const value = await method?.(...args.map(restore));
      const isRemover = typeof value === "function";
      if (isRemover) removers.set(id, value as () => unknown);
      answer(id, { value: isRemover ? null : (value ?? null) });
    } catch (error) {
      answer(id, { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const contextBridge = {
    exposeInMainWorld: (key: string, api: Record<string, (...args: unknown[]) => unknown>): void => {
      document.addEventListener(`standin:${key}`, (event) => {
        const order = JSON.parse((event as CustomEvent<string>).detail) as { id: number; name: string; args: unknown[]; remove?: number };
        if (order.remove === undefined) void callApi(order.id, api[order.name], order.args);
        else removers.get(order.remove)?.();
      });
      document.dispatchEvent(new CustomEvent("standin:expose", { detail: JSON.stringify({ key, names: Object.keys(api) }) }));
    },
  };

  runPreload((name) => {
    if (name !== "electron") throw new Error(`module not found: ${name}`);
    return { contextBridge, ipcRenderer };
  });
}

/** The page's own world: makes what the preload script exposes, as copies, never as objects of the other world. */
export function pageWorld(): void {
  const answers = new Map<number, (answer: { readonly value?: unknown; readonly error?: string }) => void>();
  const callbacks = new Map<number, (value: unknown) => void>();
  let lastId = 0;
  document.addEventListener("standin:answer", (event) => {
    const answer = JSON.parse((event as CustomEvent<string>).detail) as { id: number; value?: unknown; error?: string };
    answers.get(answer.id)?.(answer);
    answers.delete(answer.id);
  });
  document.addEventListener("standin:callback", (event) => {
    const { callback, value } = JSON.parse((event as CustomEvent<string>).detail) as { callback: number; value: unknown };
    callbacks.get(callback)?.(value);
  });
  document.addEventListener("standin:expose", (event) => {
    const { key, names } = JSON.parse((event as CustomEvent<string>).detail) as { key: string; names: string[] };
    const dispatch = (detail: object): boolean =>
      document.dispatchEvent(new CustomEvent(`standin:${key}`, { detail: JSON.stringify(detail) }));
    const call = (name: string, args: unknown[]): unknown => {
      lastId += 1;
      const id = lastId;
      const sent = args.map((arg) => {
        if (typeof arg !== "function") return arg;
        callbacks.set(id, arg as (value: unknown) => void);
        return { $callback: id };
      });
      const takesCallback = sent.some((arg, index) => arg !== args[index]);
      const answered = new Promise((resolve, reject) => {
        answers.set(id, ({ value, error }) => (error === undefined ? resolve(value) : reject(new Error(error))));
      });
      dispatch({ id, name, args: sent });
      if (!takesCallback) return answered;
      return (): void => {
        callbacks.delete(id);
        dispatch({ remove: id });
      };
    };
    const api = Object.fromEntries(names.map((name) => [name, (...args: unknown[]): unknown => call(name, args)]));
    Object.defineProperty(globalThis, key, { value: Object.freeze(api), enumerable: true });
  });
}
