/** What every refusal has in common: code and status, an answer that quotes nothing, and nothing that happened. */
import { expect } from 'vitest';
import { type RefusalCode, refusalStatus } from '../../src/kernel/errors.ts';
import type { Answer } from './clients.ts';
import type { Service } from './gatehouse.ts';

/** Without the record of connections: a refusal is what it is there to tell of, and it is written late. */
const tables = [
  'users',
  'external_exchanges',
  'helper_session_entries',
  'external_identities',
  'organizations',
  'organization_members',
  'subscriptions',
  'credentials',
  'payment_events',
  'rate_limits',
  'oauth_clients',
  'oauth_requests',
  'oauth_codes',
  'mcp_tool_audits',
] as const;

/** Last-seen instants are left out: earlier requests write them, late. */
const rowsOf = (table: string): string =>
  `SELECT '${table} ' || (to_jsonb(t) - 'last_seen_at' - 'last_seen_ip')::text AS line FROM ${table} t${
    table === 'helper_session_entries' ? withoutAttempts : ''
  }`;

/** An attempt at the outside provider is over once its browser came back, also when it is refused. */
const withoutAttempts = ` WHERE name NOT LIKE 'external:%'`;

const everyRow = `${tables.map(rowsOf).join(' UNION ALL ')} ORDER BY line`;

/** Every row of every table and every mail sent, one line each, to compare before and after. */
export const everythingStored = async (service: Service): Promise<readonly string[]> => {
  await service.mailsTo('');
  const rows = await service.sql<{ line: string }>(everyRow);
  const mailbox = await fetch(`${service.url}/dev/mailbox.json`);
  return [...rows.map(({ line }) => line), await mailbox.text()];
};

/** Texts so short would stand in any answer by accident. */
const shortestTelltale = 4;

/** No text that the request carried stands in the answer, as it is or as JSON writes it. */
export const expectNoEcho = (answer: Answer): void => {
  const telltales = answer.sent.filter((text) => text.length >= shortestTelltale);
  const echoes = telltales.filter(
    (text) => answer.text.includes(text) || answer.text.includes(JSON.stringify(text).slice(1, -1)),
  );
  expect(echoes).toEqual([]);
};

/** Runs what must leave every row and every mail as it was. */
export const expectNothingStored = async <T>(service: Service, work: () => Promise<T>): Promise<T> => {
  const before = await everythingStored(service);
  const result = await work();
  expect(await everythingStored(service)).toEqual(before);
  return result;
};

/** Runs a request that must change nothing, whatever it answers. */
export const expectNoEffect = (service: Service, act: () => Promise<Answer>): Promise<Answer> =>
  expectNothingStored(service, async () => {
    const answer = await act();
    expectNoEcho(answer);
    expect(answer.setCookies).toEqual([]);
    return answer;
  });

/** Runs a request that must be refused with this code, and leave no trace. */
export const expectRefusal = async (
  service: Service,
  code: RefusalCode,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await expectNoEffect(service, act);
  expect({ code: answer.code, status: answer.status }).toEqual({ code, status: refusalStatus[code] });
  return answer;
};
