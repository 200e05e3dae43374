/** Refusals: why a request failed, as a code of the service or of the connection. */

interface RefusalDetails {
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** A request that was refused, or that met no service. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /**
   * A code of the service, such as FORBIDDEN; `OFFLINE` when it could not be reached, `UNREADABLE` when the answer was
   * not one of the service.
   */
  declare readonly code: string;
  /** The fields of BAD_USER_INPUT: what is wrong, by field. */
  declare readonly fields: Readonly<Record<string, string>>;
  /** Id of the request in the service's log. */
  declare readonly correlationId: string | undefined;
  declare readonly retryAfterSeconds: number | undefined;
  /** Everything beside the message, as the service sent it: for example the `challenge` of SECOND_FACTOR_REQUIRED. */
  declare readonly extensions: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: RefusalDetails = {}) {
    super(message);
    Object.assign(this, { code, fields: {}, extensions: {}, ...details });
  }
}

/** @param codes without any, every refusal counts */
export const isRefusal = (error: unknown, ...codes: readonly string[]): error is Refusal =>
  error instanceof Refusal && (codes.length === 0 || codes.includes(error.code));

/** Wraps an unexpected error. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal('UNREADABLE', String(error), { cause: error });
