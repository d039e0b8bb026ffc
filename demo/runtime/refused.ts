/** A request that is answered with an error on purpose. `kind` is OpenTelemetry's `error.type`. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly kind: string;

  constructor(status: number, message: string, kind: string = String(status)) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}
