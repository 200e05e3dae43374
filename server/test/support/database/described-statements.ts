/**
 * Asks an engine, over its wire protocol, for the types of a statement's parameters and columns, without running it.
 */
import type pg from 'pg';

export interface Described {
  /** Names of types. */
  readonly parameters: readonly string[];
  /** `name: type`, in order. */
  readonly columns: readonly string[];
}

/** The parts of node-postgres' connection that are used here; its types do not list them. */
interface Wire {
  parse(query: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  describe(what: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
  once(event: 'parameterDescription', listener: (message: { readonly dataTypeIDs: readonly number[] }) => void): void;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface Oids {
  parameters: readonly number[];
  fields: RowDescription['fields'];
}

/** Parse and Describe of the extended query protocol, in the queue of a client. */
class Description implements pg.Submittable {
  readonly answered: Promise<Oids>;
  readonly #text: string;
  readonly #oids: Oids = { parameters: [], fields: [] };
  #resolve: (oids: Oids) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
    this.answered = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    wire.once('parameterDescription', ({ dataTypeIDs }) => {
      this.#oids.parameters = dataTypeIDs;
    });
    wire.parse({ name: '', text: this.#text, types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#oids.fields = fields;
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#oids);
  }
}

/** @throws pg.DatabaseError where the engine refuses the statement */
const oidsOf = (client: pg.Client, text: string): Promise<Oids> => client.query(new Description(text)).answered;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * @param client of either engine
 * @param statements texts by name
 * @returns by name; the message of the engine in place of a statement that it refuses
 */
export const describeStatements = async (
  client: pg.Client,
  statements: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Described | string>> => {
  const { rows } = await client.query<{ oid: number; name: string }>(
    'SELECT oid::integer AS oid, oid::regtype::text AS name FROM pg_type',
  );
  const names = new Map(rows.map(({ oid, name }) => [oid, name]));
  const nameOf = (oid: number): string => names.get(oid) ?? `type ${oid}`;
  const described = new Map<string, Described | string>();
  for (const [name, text] of statements) {
    const answer = await oidsOf(client, text).catch(messageOf);
    described.set(
      name,
      typeof answer === 'string'
        ? answer
        : {
            parameters: answer.parameters.map(nameOf),
            columns: answer.fields.map((field) => `${field.name}: ${nameOf(field.dataTypeID)}`),
          },
    );
  }
  return described;
};
