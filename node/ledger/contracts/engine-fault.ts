/** Thrown by a machine whose engine failed at a call: what came of it says nothing of the call, which another machine can run. */
export class EngineFault extends Error {
  constructor(cause: unknown) {
    super("The engine failed at a contract", { cause });
    this.name = "EngineFault";
  }
}
