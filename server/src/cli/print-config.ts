/**
 * Prints the configuration of this process (`print-config`), and the documentation of every variable, for
 * `.env.example` and `docs/configuration.md` (`print-config-docs`).
 */
import { unescape as decoded } from 'node:querystring';
import type { Config } from '../config/config.ts';
import { type Secrecy, type Variable, variableFamilies } from '../config/variable.ts';
import meanings from '../config/variable-meanings.json' with { type: 'json' };
import { variables } from '../config/variables.ts';
import { addressesOf } from '../kernel/postgres-address.ts';

type Shown = string | number | boolean | null | readonly string[];

/** By variable name, with secrets hidden; ready for JSON. Null: the variable has no value and no default. */
export const shownConfig = ({ values, externalProvider, resourceSecrets }: Config): Readonly<Record<string, Shown>> => {
  const byName: Readonly<Record<string, Shown | undefined>> = {
    ...values,
    // Without a client there is no provider, and the defaults of its issuer and name have no effect.
    ...(externalProvider === null ? { GOOGLE_ISSUER: null, GOOGLE_DISPLAY_NAME: null } : {}),
  };
  const names = Object.entries(variables).map(([name, { secret }]): [string, Shown] => [
    name,
    withoutSecret(byName[name] ?? null, secret),
  ]);
  const secrets = Array.from(resourceSecrets, ([name, list]): [string, Shown] => [
    `RESOURCE_SECRET_${name.toUpperCase()}`,
    withoutSecret(list, variableFamilies.RESOURCE_SECRET_.secret),
  ]);
  return Object.fromEntries([...names, ...secrets]);
};

const hidden = '[set]';

const withoutSecret = (value: Shown, secret: Secrecy | undefined): Shown => {
  if (secret === undefined || value === null) return value;
  if (secret === 'all') return Array.isArray(value) ? value.map(() => hidden) : hidden;
  if (secret === 'path') return new URL(String(value)).origin;
  return addressesOf(String(value)).map(withoutPassword).join(',');
};

const withoutPassword = (text: string): string => {
  const url = new URL(text);
  // Some mail servers take one token as both user and password.
  if (url.password !== '' && decoded(url.username) === decoded(url.password)) url.username = 'hidden';
  if (url.password !== '') url.password = 'hidden';
  url.search = '';
  url.hash = '';
  return url.toString();
};

/** The same as `NAME=value` lines: lists are comma-separated, and the value is empty when there is none. */
export const configAsText = (config: Config): string =>
  Object.entries(shownConfig(config))
    .map(([name, value]) => `${name}=${asText(value)}\n`)
    .join('');

const asText = (value: Shown): string => (typeof value === 'object' ? (value ?? []).join(',') : String(value));

const meaningOf: Readonly<Record<string, string>> = meanings satisfies Readonly<
  Record<keyof typeof variables | keyof typeof variableFamilies, string>
>;

const withMeaning = (key: string, name: string, of: Variable<unknown>) => ({
  ...of,
  name,
  meaning: meaningOf[key] ?? '',
});

/** Every variable, and each family as one with a name in place of its own. */
const documented = [
  ...Object.entries(variables).map(([name, variable]) => withMeaning(name, name, variable)),
  ...Object.entries(variableFamilies).map(([prefix, family]) =>
    withMeaning(prefix, `${prefix}${family.placeholder}`, family),
  ),
];

export const configDocs = (format: 'env' | 'markdown'): string => (format === 'env' ? envExample() : markdown());

const envExample = (): string =>
  [
    '# Every variable of Gatehouse, with its default. With none set, `npm start` runs a development instance.',
    '# Printed from server/src/config/variables.ts by `npm run docs:print`; docs/configuration.md says the same as a table.',
    '# No command loads this file by itself: npm run build:portal, then npx node --env-file=.env server/src/main.ts serve',
    ...documented.map(({ name, meaning, shownDefault }) => `\n# ${meaning}\n# Default: ${shownDefault}\n#${name}=`),
    '',
  ].join('\n');

const markdown = (): string =>
  [
    '# Configuration',
    '',
    'Printed from `server/src/config/variables.ts` by `npm run docs:print`; do not edit by hand.',
    '',
    'Environment variables, read once at start. With none set, `npm start` runs a development instance. A value that',
    'is missing or weak keeps production and staging from starting, with exit code 78 and the name of the variable,',
    'never its value. A name that looks like a misspelled variable causes a warning. `gatehouse print-config` shows',
    'the effective configuration, with secrets hidden.',
    '',
    'A value is taken as it arrives. One in quotation marks, which `docker --env-file` keeps, with a carriage return, or',
    'with whitespace before or after it is refused in every mode, with exit code 78.',
    '',
    'No file is loaded by itself. To keep variables in one, copy `.env.example` to `.env`, and in place of `npm start` run',
    '`npm run build:portal`, which also installs the dependencies, then',
    '`npx node --env-file=.env server/src/main.ts serve`.',
    '',
    '| Variable | Default | Meaning |',
    '| - | - | - |',
    ...documented.map(
      ({ name, meaning, shownDefault, secret }) =>
        `| \`${name}\` | ${shownDefault} | ${meaning}${secret === undefined ? '' : ' Secret.'} |`,
    ),
    '',
  ].join('\n');
