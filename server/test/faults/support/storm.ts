/** A fault under load: the clients of every kind go on from before it strikes until after it is over. */
import {
  accepting,
  calling,
  completing,
  connecting,
  endingOthers,
  inTurns,
  type Lane,
  refreshing,
  refreshingClient,
  signingOut,
  signingUp,
  switching,
  usingOne,
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

/** An access token lives for a quarter of an hour, and a load may last longer. */
const accessSeconds = 600;

const several = [refreshing, refreshing, signingUp, switching, accepting, completing];

/** A few clients of every kind; some use the same session as long as it lets them. */
export const everyKind: readonly Lane[] = [
  inTurns(accessSeconds, usingOne),
  ...several,
  ...several,
  signingOut,
  endingOthers,
  inTurns(accessSeconds, calling),
  refreshingClient,
  connecting,
];

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
