// A response that is JSON text already: it is sent as it is, without another turn through a serialiser.

/** JSON text of a response. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
