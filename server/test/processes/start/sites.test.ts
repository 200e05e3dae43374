/**
 * Front ends of the application at the start of the service: one on another site is reported, and the service starts.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diagnose, faults } from '../../doctor/run-doctor.ts';
import { createTestDatabase, newDirectory } from '../../support/database/databases.ts';
import { environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';

const foreign = 'https://app.acme.example';

const definitionWith = async (origins: readonly string[]): Promise<string> => {
  const file = join(await newDirectory(), 'application.json');
  await writeFile(file, JSON.stringify({ origins }));
  return file;
};

// Contract: application#origins-of-another-site — Of an origin that is not same-site with BASE_URL, the start warns
it('The start warns of each origin of another site, and of no other origin', async () => {
  const stored = await createTestDatabase();
  const APPLICATION_FILE = await definitionWith(['http://localhost:5999', foreign]);
  const variables = { BASE_URL: 'http://localhost:4000', FRONTEND_URL: 'http://localhost:4000', APPLICATION_FILE };
  const service = await serve({ ...environmentFor(stored), ...variables });
  const { code, output } = await service.stop();
  await stored.drop();
  expect(code).toBe(0);
  const lines = output.split('\n').filter((line) => line.includes('"application.origin_of_another_site"'));
  expect(lines).toEqual([expect.stringContaining(`"origin":"${foreign}"`)]);
});

// Contract: application#origins-of-another-site — Of an origin that is not same-site with BASE_URL, doctor warns
it('gatehouse doctor warns of an origin of another site', async () => {
  const APPLICATION_FILE = await definitionWith(['http://localhost:5999', foreign]);
  const DATA_DIR = await newDirectory();
  const diagnosis = await diagnose({ DATA_DIR, BASE_URL: 'http://localhost:1', APPLICATION_FILE });
  expect(faults(diagnosis, 'origins')).toMatchObject([
    { level: 'warning', says: expect.stringContaining(`${foreign},`) as string },
  ]);
});
