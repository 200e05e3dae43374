/** Secrets of resources at the start of the service: one without its resource is reported, and the service starts. */
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database/databases.ts';
import { environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';

const secret = 'a secret of a resource that has thirty-two bytes and more';

// Contract: credentials#introspecting-caller — A RESOURCE_SECRET_ for a resource that the application does not have is
//   reported
it('A secret for a resource that the application does not have is a warning that names it, and not its value', async () => {
  const stored = await createTestDatabase();
  const service = await serve({ ...environmentFor(stored), RESOURCE_SECRET_NOTES: secret });
  const asked = await fetch(`${service.url}/auth/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`notes:${secret}`)}` },
    body: new URLSearchParams({ token: 'x' }),
  });
  const { code, output } = await service.stop();
  await stored.drop();
  expect([asked.status, code]).toEqual([401, 0]);
  const lines = output.split('\n').filter((line) => line.includes('"application.resource_not_defined"'));
  expect(lines).toEqual([expect.stringContaining('RESOURCE_SECRET_NOTES has no effect')]);
  expect(output).not.toContain(secret);
});
