/** Values of variables with quotation marks, carriage returns or whitespace that a file of variables added. */
import { describe, expect, it } from 'vitest';
import { ConfigRefused, readConfig } from '../../src/config/config.ts';
import { variables } from '../../src/config/variables.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';

const secret = 'canary.Zk3vQ9xw7Rb2TnLpYs8MdHf5Jc1Ga6Ue';

const production: Environment = {
  NODE_ENV: 'production',
  BASE_URL: 'https://id.example.com',
  FRONTEND_URL: 'https://app.example.com',
  DATABASE_URL: 'postgres://gatehouse:canary@127.0.0.1:1/gatehouse',
  GATEHOUSE_SECRET: secret,
  SMTP_URL: 'smtps://mailer:canary@mail.example.com',
  MAIL_FROM: 'Gatehouse <no-reply@example.com>',
  SUPER_ADMIN_EMAIL: 'canary@example.com',
  SUPER_ADMIN_PASSWORD: 'Canary.7canary',
  GOOGLE_CLIENT_ID: 'canary',
  GOOGLE_CLIENT_SECRET: 'canary',
  STRIPE_SECRET_KEY: 'sk_canary',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary',
  RESOURCE_SECRET_NOTES: secret,
};

const quoted = 'has quotation marks around its value';
const returned = 'has a carriage return in its value';
const spaced = 'has whitespace before or after its value';

/** [what is wrong, the beginning of the sentence, the value as it arrives]. */
const additions: readonly (readonly [string, string, (value: string) => string])[] = [
  ['double quotation marks', quoted, (value) => `"${value}"`],
  ['single quotation marks', quoted, (value) => `'${value}'`],
  ['quotation marks and a carriage return', quoted, (value) => `"${value}"\r`],
  ['a carriage return', returned, (value) => `${value}\r`],
  ['the line end of Windows', returned, (value) => `${value}\r\n`],
  ['a line feed', spaced, (value) => `${value}\n`],
  ['a blank before it', spaced, (value) => ` ${value}`],
  ['a tab after it', spaced, (value) => `${value}\t`],
  ['a byte order mark', spaced, (value) => `\uFEFF${value}`],
];

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    readConfig(environment, () => '');
    return [];
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
};

const sentences = (name: string, beginning: string): unknown[] => [
  expect.stringMatching(new RegExp(`^${name} ${beginning}[,:] .+\\.$`)),
];

describe.each(additions)('A value with %s is refused', (_title, beginning, arrives) => {
  it.each(Object.entries(production))('in %s, which is named, and nothing else is', (name, value = '') => {
    const problems = problemsOf({ ...production, [name]: arrives(value) });
    expect(problems).toEqual(sentences(name, beginning));
    expect(problems.join()).not.toMatch(/canary/i);
  });

  it('in every variable', () => {
    for (const name of Object.keys(variables)) {
      // The value may have a further fault: no variable accepts every text.
      const problems = problemsOf({ [name]: arrives('canary') });
      expect(problems).toEqual(expect.arrayContaining(sentences(name, beginning)));
      expect(problems.join()).not.toContain('canary');
    }
  });

  it('where it is the whole value', () => {
    expect(problemsOf({ DEFAULT_PRODUCT: arrives('') })).toEqual(sentences('DEFAULT_PRODUCT', beginning));
  });
});

it('The other problems of the configuration are named beside it', () => {
  expect(problemsOf({ ...production, NODE_ENV: '"production"', MAIL_FROM: '', PORT: 'canary\r' })).toEqual([
    ...sentences('NODE_ENV', quoted),
    ...sentences('PORT', returned),
    'MAIL_FROM is required in production and staging.',
  ]);
});

it.each(['serve', 'migrate', 'print-config'])('%s ends with 78 and a sentence, without the value', async (command) => {
  const environment = { ...production, STRIPE_WEBHOOK_SECRET: '"whsec_canary"' };
  const { code, stdout, stderr } = await runHere([command], environment);
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  STRIPE_WEBHOOK_SECRET has quotation marks around its value, which count as a part of it: remove them; docker --env-file keeps them.',
  ]);
  expect(stderr).not.toContain('canary');
});

it('Quotation marks and whitespace inside a value are a part of it', () => {
  const values: Environment = {
    ...production,
    MAIL_FROM: '"Gatehouse, Inc." <no-reply@example.com>',
    SUPER_ADMIN_PASSWORD: '"Canary" 7 \'canary',
    GATEHOUSE_SECRET: `${secret} ,\n${secret}`,
  };
  expect(readConfig(values, () => '').values).toMatchObject({
    MAIL_FROM: values['MAIL_FROM'],
    SUPER_ADMIN_PASSWORD: values['SUPER_ADMIN_PASSWORD'],
    GATEHOUSE_SECRET: [secret, secret],
  });
});
