// Ids of processes that tests send signals to. Never 0: that is the group of the test itself, with everything that it started.

/** The id of a process that runs. @throws Error when there is none */
export function knownPid(pid: number | undefined, name: string): number {
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 0) throw new Error(`No process "${name}" with an id runs: ${pid}`);
  return pid;
}
