/** A fault under load: the clients of every kind go on from before it strikes until after it is over. */
import { seedPerson, seedSession } from '../../support/seeding.ts';
import {
  accepting,
  calling,
  completing,
  connecting,
  endingOthers,
  type Lane,
  refreshing,
  refreshingClient,
  signingOut,
  signingUp,
  switching,
  using,
} from './lanes.ts';
import type { Site } from './site.ts';

/** The names under which the lanes of {@link everyKind} stand in a history. */
export const kinds = [
  'me',
  'refresh',
  'sign-out',
  'sign-up',
  'switch',
  'accept',
  'complete',
  'tools/call',
  'token',
  'code',
  'revoke',
  'sign-out-everywhere',
  'revoke-user',
  'remove-member',
] as const;

/** A few clients of every kind, and one that uses the same session all the time. */
export const everyKind = async (site: Site): Promise<readonly Lane[]> => {
  const tokens = await seedSession(site.database, await seedPerson(site.database));
  const several = [refreshing, refreshing, signingUp, switching, accepting, completing];
  return [using(tokens), ...several, ...several, signingOut, endingOthers, calling, refreshingClient, connecting];
};

/**
 * Runs `strike` while the lanes do; resolves once everybody has stopped.
 * @param url where the next request goes; any process unless told otherwise
 */
export const underLoad = async (
  site: Site,
  lanes: readonly Lane[],
  strike: () => Promise<void>,
  url: () => string = () => site.anyUrl(),
): Promise<void> => {
  const state = { isOver: false };
  const load = { site, url, isOver: () => state.isOver };
  const running = Promise.all(lanes.map((lane) => lane(load)));
  try {
    await strike();
  } finally {
    state.isOver = true;
    await running;
  }
};
