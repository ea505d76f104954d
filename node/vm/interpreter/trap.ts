/** What a module traps by when it is interpreted; the engine has its RuntimeError. */
export class Trap extends Error {
  constructor(message = "") {
    super(message);
    this.name = "Trap";
  }
}
