// A response that is JSON text already: it is sent as it is, without another turn through a serialiser.

/** JSON text of a response. */
export class JsonText {
  readonly text: string;
  /** Gas that was used for it beside what it says itself. */
  readonly gasBeside: number;

  constructor(text: string, gasBeside = 0) {
    this.text = text;
    this.gasBeside = gasBeside;
  }
}
