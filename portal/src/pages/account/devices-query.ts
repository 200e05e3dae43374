/** The list of devices: how it is fetched and kept, and how sessions become devices. */
import { queryOptions } from '@tanstack/react-query';
import { FetchDevicesDocument, type FetchDevicesQuery } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';

export type Device = FetchDevicesQuery['mySessions'][number];

export const devicesQuery = (session: Session) =>
  queryOptions({
    queryKey: ['devices'],
    queryFn: async () => {
      const { mySessions } = await session.request(FetchDevicesDocument, {});
      return onePerFamily(mySessions);
    },
  });

/** A device is a session family; the one in use comes first, the others stay newest first. */
const onePerFamily = (sessions: readonly Device[]): Device[] => {
  const devices = new Map<string, Device>();
  for (const session of sessions) {
    const known = devices.get(session.sessionFamilyId);
    if (known === undefined || session.isCurrent) devices.set(session.sessionFamilyId, session);
  }
  return [...devices.values()].sort((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
};
