/** The commands of docs/machine-tokens.md, run as they are written, one after another, in one shell. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newOwner } from '../support/actors/tenants.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const page = readFileSync(new URL('../../../docs/machine-tokens.md', import.meta.url), 'utf8');
const blocks = Array.from(page.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block);

it('The commands of the page create, use, rotate and end tokens', async () => {
  const owner = await newOwner(service);
  const marked = blocks.map((block) => `${block}\necho\necho '---'`).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', marked], {
    env: { ...process.env, GATEHOUSE: service.url, SESSION: owner.tokens.accessToken },
  });
  const printed = stdout.split('---\n').map((part) => part.trim());
  const [, , , used = '', , ended = '', asked = ''] = printed;
  expect(JSON.parse(used)).toEqual({
    data: {
      me: { email: owner.email },
      members: { nodes: [{ email: owner.email, role: 'OWNER' }] },
    },
  });
  // Both secrets of the rotation.
  expect(JSON.parse(ended)).toEqual({ data: { revokeToken: { success: true, revokedCredentials: 2 } } });
  expect(JSON.parse(asked)).toMatchObject({ actor: { kind: 'SERVICE_ACCOUNT', name: 'Deployment' }, user: null });
});
