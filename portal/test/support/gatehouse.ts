/** Tabs of the portal over the in-memory service of the client's tests. */
import type { GatehouseInMemory } from '../../../packages/client/test/support/gatehouse.ts';
import type { HandoffMarker } from '../../src/session/handoff.ts';
import { createSession, type Session } from '../../src/session/session.ts';

/**
 * @param duringWait called while the client waits for cookies to settle
 * @param marker of an external sign-in
 */
export const openPortal = (gatehouse: GatehouseInMemory, duringWait?: () => void, marker?: HandoffMarker): Session =>
  createSession({ baseUrl: 'https://id.example', marker, browser: gatehouse.browser(duringWait) });

/** A tab of the portal that knows who is signed in. */
export const openedPortal = async (gatehouse: GatehouseInMemory): Promise<Session> => {
  const session = openPortal(gatehouse);
  await session.open();
  return session;
};
