/** A fault under load: the clients of every kind continue from before it begins until after it ends. */

import type { Site } from '../sites/site.ts';
import {
  accepting,
  calling,
  completing,
  connecting,
  endingOthers,
  inTurns,
  refreshing,
  refreshingClient,
  signingOut,
  signingUp,
  switching,
  usingOne,
  type Workload,
} from './workloads.ts';

/** The names of the workloads of {@link everyKind} in a history. */
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

/** A few clients of every kind; some use the same session as long as possible. */
export const everyKind: readonly Workload[] = [
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
 * Runs `inject` while the workloads run; resolves once all of them have stopped.
 * @param url where the next request goes; any process by default
 */
export const underLoad = async (
  site: Site,
  workloads: readonly Workload[],
  inject: () => Promise<void>,
  url: () => string = () => site.anyUrl(),
): Promise<void> => {
  const state = { isOver: false };
  const load = { site, url, isOver: () => state.isOver };
  const running = Promise.all(workloads.map((workload) => workload(load)));
  try {
    await inject();
  } finally {
    state.isOver = true;
    await running;
  }
};
