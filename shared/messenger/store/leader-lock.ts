// One tab of a browser runs the messenger: the one that holds a Web Lock. The browser frees it when the tab ends, however it ends.

/** The part of navigator.locks that is used here. */
export interface LockRequester {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    callback: (lock: unknown) => Promise<void>,
  ): Promise<unknown>;
}

/** Gives a held lock back. */
export type ReleaseLock = () => void;

/** Takes the lock if it is free. */
export function tryLock(locks: LockRequester, name: string): Promise<ReleaseLock | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock !== null) return holdUntilReleased(resolve);
        resolve(undefined);
        return Promise.resolve();
      })
      .catch(reject);
  });
}

/** Waits for the lock; undefined when the signal ended the waiting. */
export function waitForLock(locks: LockRequester, name: string, signal: AbortSignal): Promise<ReleaseLock | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { signal }, () => holdUntilReleased(resolve))
      .catch((error: unknown) => (signal.aborted ? resolve(undefined) : reject(error)));
  });
}

function holdUntilReleased(onHeld: (release: ReleaseLock) => void): Promise<void> {
  return new Promise((release) => onHeld(() => release()));
}
