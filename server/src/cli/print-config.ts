/**
 * Printing the configuration: what this process would run with (`print-config`), and the documentation of every
 * variable (`print-config-docs`, which writes `.env.example` and `docs/configuration.md`).
 */
import { unescape as decoded } from 'node:querystring';
import type { Config } from '../config/config.ts';
import { variables } from '../config/variables.ts';

/** The configuration with its secrets hidden, ready for JSON. */
export const shownConfig = (config: Config): Record<string, unknown> => ({
  ...config,
  secrets: config.secrets.map(() => '[set]'),
  databaseUrl: config.databaseUrl === undefined ? null : withoutPassword(config.databaseUrl),
  redisUrl: config.redisUrl === undefined ? null : withoutPassword(config.redisUrl),
  smtpUrl: config.smtpUrl === undefined ? null : withoutPassword(config.smtpUrl),
  externalProvider: config.externalProvider === null ? null : { ...config.externalProvider, clientSecret: '[set]' },
  stripe: {
    webhookSecret: config.stripe.webhookSecret === undefined ? null : '[set]',
    secretKey: config.stripe.secretKey === undefined ? null : '[set]',
    apiBase: config.stripe.apiBase,
  },
  // A key may stand in its path too.
  otlpEndpoint: config.otlpEndpoint === undefined ? null : new URL(config.otlpEndpoint).origin,
  metrics: { ...config.metrics, token: config.metrics.token === undefined ? null : '[set]' },
  authCookieDomain: config.authCookieDomain ?? null,
  sessionCookieDomain: config.sessionCookieDomain ?? null,
  superAdmin: config.superAdmin === null ? null : { email: config.superAdmin.email },
});

const withoutPassword = (text: string): string => {
  const url = new URL(text);
  // Some mail servers take one token as both.
  if (url.password !== '' && decoded(url.username) === decoded(url.password)) url.username = 'hidden';
  if (url.password !== '') url.password = 'hidden';
  url.search = '';
  url.hash = '';
  return url.toString();
};

export const configAsText = (config: Config): string =>
  Object.entries(shownConfig(config))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('');

export const configDocs = (format: 'env' | 'markdown'): string => (format === 'env' ? envExample() : markdown());

const envExample = (): string =>
  [
    '# Every variable of Gatehouse, with its default. With none set, `npm start` runs a development instance.',
    '# Printed from server/src/config/variables.ts by `npm run docs:print`; docs/configuration.md says the same as a table.',
    '# Nothing reads a file by itself: npx node --env-file=.env server/src/main.ts serve',
    ...Object.entries(variables).map(
      ([name, { meaning, shownDefault }]) => `\n# ${meaning}\n# Default: ${shownDefault}\n#${name}=`,
    ),
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
    'never its value. A variable that looks like a slip of a known name is a warning. `gatehouse print-config` shows',
    'what a process would run with, secrets hidden.',
    '',
    'No file is read by itself. To keep variables in one, copy `.env.example` to `.env`, and after `npm install` run',
    '`npx node --env-file=.env server/src/main.ts serve` instead of `npm start`.',
    '',
    '| Variable | Default | Meaning |',
    '| - | - | - |',
    ...Object.entries(variables).map(
      ([name, { meaning, shownDefault, secret }]) =>
        `| \`${name}\` | ${shownDefault} | ${meaning}${secret === true ? ' Secret.' : ''} |`,
    ),
    '',
  ].join('\n');
