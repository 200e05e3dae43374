/** An operation whose lists cost too much is refused before anything of it runs. */
import { expect, it } from 'vitest';
import { addTo, newOwner, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const explained = 'memberships { scopeExplanations { scope granted reasons } }';
const aliased = (count: number, field: string): string =>
  range(count)
    .map((nth) => `a${nth}: ${field}`)
    .join(' ');

it('refuses explanations of every membership under fifteen aliases, and changes nothing by a mutation', async () => {
  const person = await newOwner(service);
  const query = await runAs(service, person, `{ ${aliased(15, `me { ${explained} }`)} }`);
  expect(query.extensions).toEqual({ code: 'OPERATION_TOO_COSTLY', http: { status: 400 } });
  const change = `mutation { ${aliased(15, `changeName(name: "Changed") { ${explained} }`)} }`;
  const mutation = await expectNothingStored(service, () => runAs(service, person, change));
  expect(mutation.extensions).toEqual({ code: 'OPERATION_TOO_COSTLY', http: { status: 400 } });
  expect((await runAs(service, person, operations.me)).data).toMatchObject({ me: { name: 'Test Person' } });
  expect((await runAs(service, person, `{ ${aliased(3, `me { ${explained} }`)} }`)).code).toBeNull();
});

it('refuses an answer whose lists are longer than was expected, and answers a part of it', async () => {
  const person = await newOwner(service);
  for (const _ of range(80)) await addTo(service, person.userId, (await newOwner(service)).organizationId);
  const scopes = (count: number): string =>
    `{ ${aliased(count, 'me { memberships { scopeExplanations { scope } } }')} }`;
  expect((await runAs(service, person, scopes(1))).code).toBeNull();
  const refused = await runAs(service, person, scopes(15));
  expect(refused.code).toBe('OPERATION_TOO_COSTLY');
  expect(refused.data).toBeNull();
});
