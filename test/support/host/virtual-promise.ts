// Promises of virtual time, which knows none: all that is used of one is how to learn of its end, or of what went wrong on the way.

/** A promise that does the work when `schedule` calls back, and ends then. */
export function later(schedule: (callback: () => void) => void, work: () => void = (): void => undefined): Promise<void> {
  let fail = (error: unknown): void => {
    throw error;
  };
  const promise = {
    // biome-ignore lint/suspicious/noThenProperty: it stands in for a promise
    then: (done: () => void): object => {
      schedule(() => {
        try {
          work();
          done();
        } catch (error) {
          fail(error);
        }
      });
      return promise;
    },
    catch: (handler: (error: unknown) => void): void => {
      fail = handler;
    },
  };
  return promise as unknown as Promise<void>;
}

/** Does the work now. @returns its end, to be reported later. */
export function outcomeOf(work: () => void): () => void {
  try {
    work();
    return () => undefined;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
