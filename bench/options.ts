/** Options of the benchmark from the command line and the environment. */
import { parseArgs } from 'node:util';

const sections = [
  'me',
  'identity',
  'machine-tokens',
  'peers',
  'mcp',
  'mcp-calls',
  'refresh',
  'sign-in',
  'factors',
  'fairness',
  'process',
  'memory',
  'scale',
  'lists',
  'reports',
] as const;
export type Section = (typeof sections)[number];

export interface Options {
  /** Each round measures every variant once; medians are taken over the rounds. */
  readonly rounds: number;
  /** How long each variant is measured in a round. */
  readonly seconds: number;
  /** Total seconds to wait for other processes on this machine and to repeat disturbed measurements. */
  readonly timeLimit: number;
  readonly users: number;
  /** How many credentials the databases hold in the sections `scale` and `lists`: two or more sizes, smallest first. */
  readonly sizes: readonly number[];
  /** Whether `scale` also measures as many people as there are sessions. */
  readonly hasCrowd: boolean;
  /** bcrypt cost of the sign-ins. */
  readonly cost: number;
  readonly only: readonly Section[];
  /** Exit with 1 when a target is missed. */
  readonly isStrict: boolean;
  /** The PostgreSQL server; the benchmark creates its own databases there and drops them. */
  readonly serverUrl: string;
}

export const usage = `npm run bench -- [options]
  --rounds N     rounds, each measuring every variant once (default 5)
  --seconds N    seconds for each variant in a round (default 2)
  --time-limit N seconds in all to wait for others on this machine, and to repeat what they disturbed (default 60)
  --users N      seeded users, each with an organization and two sessions (default 1000)
  --sizes A,B    credentials in the databases of scale and lists, two or more, smallest first
                 (default 1000,100000,2000000)
  --crowd        scale also measures \`me\` of as many people as there are sessions, up to 100,000
  --cost N       bcrypt cost of the sign-ins, 10 to 15 (default 12)
  --only A,B     of ${sections.join(', ')} (default: all)
  --strict       exit with 1 when a target is missed
PostgreSQL: BENCH_DATABASE_URL, else DATABASE_URL, else postgres://postgres@127.0.0.1:5432/postgres`;

const defaultServer = 'postgres://postgres@127.0.0.1:5432/postgres';

/** @throws Error with one sentence about an invalid option; null for --help */
export const readOptions = (args: string[], environment: NodeJS.ProcessEnv): Options | null => {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      'time-limit': { type: 'string', default: '60' },
      users: { type: 'string', default: '1000' },
      sizes: { type: 'string', default: '1000,100000,2000000' },
      cost: { type: 'string', default: '12' },
      only: { type: 'string', default: sections.join(',') },
      crowd: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    rounds: wholeNumber('rounds', values.rounds, 1, 50),
    seconds: wholeNumber('seconds', values.seconds, 1, 60),
    timeLimit: wholeNumber('time-limit', values['time-limit'], 0, 3600),
    users: wholeNumber('users', values.users, 200, 20_000),
    sizes: sizesIn(values.sizes),
    hasCrowd: values.crowd,
    cost: wholeNumber('cost', values.cost, 10, 15),
    only: values.only.split(',').map(sectionOf),
    isStrict: values.strict,
    serverUrl: environment['BENCH_DATABASE_URL'] ?? environment['DATABASE_URL'] ?? defaultServer,
  };
};

const wholeNumber = (name: string, text: string, least: number, most: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
};

const sizesIn = (text: string): readonly number[] => {
  const sizes = text.split(',').map((size) => wholeNumber('sizes', size, 1000, 20_000_000));
  const areAscending = sizes.every((size, index) => index === 0 || size > (sizes[index - 1] ?? size));
  if (sizes.length > 1 && areAscending) return sizes;
  throw new Error('--sizes must be two or more, smallest first');
};

const sectionOf = (name: string): Section => {
  const found = sections.find((section) => section === name.trim());
  if (found === undefined) throw new Error(`--only takes ${sections.join(', ')}`);
  return found;
};
