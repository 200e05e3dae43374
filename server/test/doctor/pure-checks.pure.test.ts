/** Checks of faults that cannot be provoked on this machine: they receive what the server reports. */
import { describe, expect, it } from 'vitest';
import { checkClock } from '../../src/cli/doctor/check-clock.ts';
import { serverFindings } from '../../src/cli/doctor/check-database.ts';
import { checkOrigins } from '../../src/cli/doctor/check-origins.ts';
import { reportAsText, reportOf } from '../../src/cli/doctor/findings.ts';

const levels = (findings: readonly { readonly level: string }[]): string[] => findings.map(({ level }) => level);

describe('The clock against the database', () => {
  it.each([
    { what: 'the same time', reading: { askedAt: 10_000, theirs: 10_050, answeredAt: 10_100 }, level: 'ok' },
    { what: 'two seconds ahead', reading: { askedAt: 12_000, theirs: 10_000, answeredAt: 12_000 }, level: 'ok' },
    { what: 'three seconds ahead', reading: { askedAt: 13_000, theirs: 10_000, answeredAt: 13_000 }, level: 'warning' },
    {
      what: 'three seconds behind',
      reading: { askedAt: 10_000, theirs: 13_000, answeredAt: 10_000 },
      level: 'warning',
    },
    {
      what: 'three seconds within the time of a slow answer',
      reading: { askedAt: 10_000, theirs: 10_000, answeredAt: 16_000 },
      level: 'ok',
    },
  ])('$what is $level', ({ reading, level }) => {
    expect(levels(checkClock(reading))).toEqual([level]);
  });

  it('reports by how much and in which direction the clock of this machine is off', () => {
    const [ahead] = checkClock({ askedAt: 70_000, theirs: 10_000, answeredAt: 70_200 });
    expect(ahead?.says).toContain('60.1 seconds ahead of');
    const [behind] = checkClock({ askedAt: 10_000, theirs: 70_000, answeredAt: 10_000 });
    expect(behind?.says).toContain('60.0 seconds behind');
  });
});

describe('The facts of a PostgreSQL server', () => {
  const healthy = {
    serverVersion: 150_020,
    synchronousCommit: 'on',
    isStandby: false,
    hasUnawaitedStandby: false,
    isStandbyMissing: false,
    hasFsync: true,
    encoding: 'UTF8',
    mayCreate: true,
  };

  it.each([
    { what: 'a healthy server', facts: {}, found: ['ok'] },
    { what: 'a server older than 15', facts: { serverVersion: 140_013 }, found: ['error'] },
    { what: 'a standby that no commit waits for', facts: { hasUnawaitedStandby: true }, found: ['warning'] },
    { what: 'a missing standby that commits wait for', facts: { isStandbyMissing: true }, found: ['warning'] },
    { what: 'a read-only standby', facts: { isStandby: true, mayCreate: false }, found: ['error'] },
    { what: 'synchronous_commit off', facts: { synchronousCommit: 'off' }, found: ['error'] },
    { what: 'synchronous_commit local', facts: { synchronousCommit: 'local' }, found: ['ok'] },
    { what: 'another encoding than UTF-8', facts: { encoding: 'LATIN1' }, found: ['error'] },
    { what: 'fsync off', facts: { hasFsync: false }, found: ['warning'] },
    { what: 'a role without the right to create', facts: { mayCreate: false }, found: ['warning'] },
  ])('$what', ({ facts, found }) => {
    expect(levels(serverFindings({ ...healthy, ...facts }))).toEqual(found);
  });
});

describe('Public suffixes, under which domains are registered', () => {
  const origins = (host: string, authCookieDomain: string | undefined) => ({
    baseUrl: `https://api.${host}`,
    frontendUrl: `https://app.${host}`,
    authCookieDomain,
    sessionCookieDomain: undefined,
    isHardened: true,
  });

  it('allow no cookie, and are not a domain that two hosts share', () => {
    for (const domain of ['github.io', 'co.uk', 'com'])
      expect(checkOrigins(origins(domain, `.${domain}`), { origins: [] }).map(({ says }) => says)).toEqual([
        expect.stringContaining(`AUTH_COOKIE_DOMAIN is ${domain},`),
        expect.stringContaining('share no domain'),
      ]);
  });

  it('allow no cookie of helper sessions either', () => {
    const withBoth = { ...origins('me.co.uk', 'me.co.uk'), sessionCookieDomain: 'co.uk' };
    expect(checkOrigins(withBoth, { origins: [] })).toMatchObject([
      { level: 'error', says: expect.stringContaining('SESSION_COOKIE_DOMAIN is co.uk,') as string },
    ]);
  });

  it('are valid with one more label', () => {
    for (const domain of ['me.github.io', 'me.co.uk', 'me.com'])
      expect(levels(checkOrigins(origins(domain, domain), { origins: [] }))).toEqual(['ok']);
  });

  it('are named when the cookie domain is missing', () => {
    expect(checkOrigins(origins('me.co.uk', undefined), { origins: [] })).toMatchObject([
      { fix: 'Set AUTH_COOKIE_DOMAIN to me.co.uk.' },
    ]);
  });
});

describe('The front ends of the application', () => {
  const config = {
    baseUrl: 'https://api.acme.example',
    frontendUrl: 'https://api.acme.example',
    authCookieDomain: undefined,
    sessionCookieDomain: undefined,
    isHardened: true,
  };

  // Contract: application#origins-of-another-site — Of an origin that is not same-site with BASE_URL, doctor warns
  it.each([
    { origin: 'https://app.acme.example', level: 'ok' },
    { origin: 'https://app.acme.example:8443', level: 'ok' },
    { origin: 'https://acme.example', level: 'ok' },
    { origin: 'http://app.acme.example', level: 'warning' },
    { origin: 'https://app.other.example', level: 'warning' },
    { origin: 'https://notacme.example', level: 'warning' },
  ])('at $origin are $level for https://api.acme.example', ({ origin, level }) => {
    expect(levels(checkOrigins(config, { origins: [origin] }))).toEqual([level]);
  });

  it.each([
    { base: 'https://one.github.io', origin: 'https://two.github.io', level: 'warning' },
    { base: 'http://localhost:4000', origin: 'http://localhost:5173', level: 'ok' },
    { base: 'http://localhost:4000', origin: 'http://127.0.0.1:5173', level: 'warning' },
  ])('at $origin are $level for $base', ({ base, origin, level }) => {
    const here = { ...config, baseUrl: base, frontendUrl: base, isHardened: false };
    expect(levels(checkOrigins(here, { origins: [origin] }))).toEqual([level]);
  });

  it('are each named when browsers send no cookies from them', () => {
    const found = checkOrigins(config, { origins: ['https://a.one.example', 'https://b.two.example'] });
    expect(found.map(({ says }) => says)).toEqual([
      expect.stringContaining('https://a.one.example,'),
      expect.stringContaining('https://b.two.example,'),
    ]);
  });
});

describe('The printed list', () => {
  const report = reportOf([
    { check: 'mail', level: 'warning', says: 'A warning.', fix: 'Fix it.' },
    { check: 'configuration', level: 'ok', says: 'Fine.', fix: null },
    { check: 'database', level: 'error', says: 'An error.', fix: 'Fix that.' },
  ]);

  it('names each level in a word at its mark, in the order of the subjects, with totals', () => {
    expect(
      reportAsText(report, false)
        .split('\n')
        .map((line) => line.trim().replaceAll(/ +/g, ' ')),
    ).toEqual([
      '✓ ok configuration Fine.',
      '✗ error database An error.',
      'Fix: Fix that.',
      '! warning mail A warning.',
      'Fix: Fix it.',
      '',
      '1 error, 1 warning, 1 ok.',
      '',
    ]);
  });

  it('colours only the marks, and only on request', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these colour a terminal
    const escapes = /\u001b\[\d+m/g;
    expect(reportAsText(report, false)).not.toMatch(escapes);
    const coloured = reportAsText(report, true);
    expect(coloured.match(escapes)).toHaveLength(6);
    expect(coloured.replaceAll(escapes, '')).toBe(reportAsText(report, false));
  });
});
