/** Every field of every mutation with any text: never an internal error, and nothing stored by a refusal. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Field, mutationFields, newTarget } from '../support/checks/mutation-fields.ts';
import { expectNoEcho } from '../support/checks/refusals.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { everyOperation } from '../support/operations/all-operations.ts';
import { tries } from '../support/random/fuzz.ts';
import { hostileTexts } from '../support/random/hostile-texts.ts';

const service = serviceFixture(everyOperation);
const target = fixture(() => newTarget(service));

/** Mutations for which any text may be valid. */
const mayStoreNames = ({ name }: Field): boolean =>
  name.startsWith('signUp') ||
  /^(changeName|\w+Organization)\.name$/.test(name) ||
  ['inviteMember.email', 'inviteMembers.emails', 'requestEmailChange.newEmail', 'createServiceAccount.name'].includes(
    name,
  );

/** No word alone, which an answer may have without an echo: `name` is in `renamePasskey`. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  )
  .filter((text) => !/^[a-z]+$/.test(text));

const hostile = Object.values(hostileTexts).map((text): [string, boolean] => [text, true]);

// Contract: requests#any-input-is-answered — Never a 500, never the value echoed, nothing stored on refusal
it.each(mutationFields)('$name accepts or refuses any text', async (field) => {
  let stored = await everythingStored(service);
  await fc.assert(
    fc.asyncProperty(anyText, fc.boolean(), async (bare, isFramed) => {
      const text = isFramed ? (field.frame?.(bare) ?? bare) : bare;
      const answer = await field.send(target, text);
      expect(answer.status).toBeLessThan(500);
      expectNoEcho(answer);
      const after = await everythingStored(service);
      if (answer.code !== null || !mayStoreNames(field)) expect(after).toEqual(stored);
      stored = after;
    }),
    { ...tries(25 + hostile.length), examples: hostile },
  );
});
