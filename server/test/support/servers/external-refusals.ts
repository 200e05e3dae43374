/** Checks of every refusal during an external sign-in, for any cause. */
import { expect } from 'vitest';
import type { ExternalRefusalCode } from '../../../src/kernel/errors.ts';
import { expectNothingStored } from '../checks/refusals.ts';
import type { PageAnswer } from '../clients/cookie-jar.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One line of the log, parsed. */
type LogLine = Readonly<Record<string, unknown>>;

const linesSince = (service: Pick<Service, 'logs'>, start: number): readonly LogLine[] =>
  service.logs.slice(start).map((line) => JSON.parse(line) as LogLine);

/** Texts this short could be in any line by chance. */
const shortestTelltale = 8;

/** Expects none of these texts in the later lines of the log, raw or URL-encoded. */
const expectUnlogged = (service: Pick<Service, 'logs'>, start: number, secrets: readonly string[]): void => {
  const text = service.logs.slice(start).join('');
  const telltales = secrets.filter((secret) => secret.length >= shortestTelltale);
  expect(telltales.filter((secret) => text.includes(secret) || text.includes(encoded(secret)))).toEqual([]);
};

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

export interface ExpectedRefusal {
  /** One of these: where an error is reported is not always where it occurred. */
  readonly codes: readonly ExternalRefusalCode[];
  /** Texts that no line of the log and no URL may contain; read afterwards. */
  readonly secrets: () => readonly string[];
}

/**
 * Runs a step of a browser that must lead to the sign-in page with a code and an id, with exactly one line of the log
 * that has both, and no other effect: no row, no mail, no cookie of a session.
 * @returns the query of that page
 */
export const expectExternalRefusal = async (
  service: Service,
  { codes, secrets }: ExpectedRefusal,
  act: () => Promise<PageAnswer>,
): Promise<URLSearchParams> => {
  const start = service.logs.length;
  const answer = await expectNothingStored(service, act);
  const query = expectRefusalPage(service, codes, answer);
  const lines = linesSince(service, start).filter(({ event }) => event !== 'request');
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'auth.external_refused',
      code: query.get('error'),
      correlationId: query.get('id'),
      ip: '127.0.0.1',
    }),
  ]);
  const known = secrets();
  expectUnlogged(service, start, known);
  expect(known.filter((secret) => secret !== '' && answer.location?.includes(encoded(secret)))).toEqual([]);
  return query;
};

/** The answer redirects the browser to the sign-in page, with one of these codes. */
export const expectRefusalPage = (
  service: Pick<Service, 'portalUrl'>,
  codes: readonly ExternalRefusalCode[],
  { status, location, headers, setCookies, text }: PageAnswer,
  expectedStatus: 302 | 303 = 302,
): URLSearchParams => {
  expect({ status, text }).toEqual({ status: expectedStatus, text: '' });
  const url = new URL(location ?? 'none:');
  expect(`${url.origin}${url.pathname}`).toBe(`${service.portalUrl}/signin`);
  expect([...url.searchParams.keys()].filter((name) => !['error', 'id', 'redirect'].includes(name))).toEqual([]);
  expect(codes).toContain(url.searchParams.get('error'));
  expect(url.searchParams.get('id')).toMatch(uuid);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(setCookies.filter((line) => line.startsWith('auth_'))).toEqual([]);
  return url.searchParams;
};
