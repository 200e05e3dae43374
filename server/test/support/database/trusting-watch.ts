/** A watch over the primary that believes every server, for tests of connections alone. */
import { beginSession } from '../../../src/platform/database/postgres-session.ts';
import { Fence } from '../../../src/platform/database/primary/fence.ts';
import type { Primary } from '../../../src/platform/database/primary/primary.ts';

/**
 * @param ended called for each session that has ended, or was refused by its server's role
 * @param fence whose first heartbeat is committed now
 */
export const trustingWatch = (
  ended: () => void = () => undefined,
  fence = new Fence({ millis: Number.POSITIVE_INFINITY }),
) => {
  const term = fence.admit(null, fence.seen);
  fence.confirm(term, performance.now(), 0);
  const begin: Primary['begin'] = async (...session) => ({ ...(await beginSession(...session)), term });
  return { fence, begin, suspect: ended, abandon: () => undefined };
};
