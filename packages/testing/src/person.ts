/** A person of a world, with the tokens of their newest session. */
import type { BegunSession, CreatedPerson, WorldService } from 'gatehouse/testing-support';
import type { Person, StorageState } from './types.ts';

type Sessions = Pick<WorldService, 'beginSession' | 'connectClient' | 'endSession'>;

/** @param secondsPassed how far the world's time has been advanced so far */
export const personOf = (
  service: Sessions,
  { session: first, ...facts }: CreatedPerson,
  secondsPassed: () => number,
): Person => {
  let held = { session: first, begunAt: secondsPassed() };
  return {
    ...facts,
    cookies: async () => held.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    bearer: async () => `Bearer ${held.session.accessToken}`,
    mcpBearer: async (wish = {}) => {
      const { id: personId, organizationId } = facts;
      return `Bearer ${await service.connectClient({ ...wish, personId, organizationId })}`;
    },
    storageState: async () => storageStateOf(held.session, secondsPassed() - held.begunAt),
    signIn: async () => {
      held = { session: await service.beginSession(facts.id), begunAt: secondsPassed() };
    },
    signOut: () => service.endSession(held.session.sessionFamilyId),
  };
};

/** @param age seconds by which time was advanced since the session began: a browser would have dropped old cookies */
const storageStateOf = ({ cookies }: BegunSession, age: number): StorageState => ({
  cookies: cookies.map(({ expires, ...cookie }) => ({
    ...cookie,
    expires: Math.floor(expires.getTime() / 1000 - age),
  })),
  origins: [],
});
