/**
 * What the library of the demo provider keeps between two requests, in the memory of this process. Sessions are not kept:
 * it asks each time who somebody is.
 */
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Row {
  readonly payload: AdapterPayload;
  /** In milliseconds of the clock of this process. */
  readonly endsAt: number;
}

export const keptForAWhile = (): AdapterFactory => {
  const rows = new Map<string, Row>();
  const isOver = ({ endsAt }: Row): boolean => endsAt <= Date.now();
  const forget = (isGone: (row: Row) => boolean): void => {
    for (const [name, row] of rows) if (isGone(row)) rows.delete(name);
  };
  return (model) => {
    const nameOf = (id: string): string => `${model} ${id}`;
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const row = rows.get(nameOf(id));
      return row === undefined || isOver(row) ? undefined : row.payload;
    };
    return {
      upsert: async (id, payload, lifeSeconds = 0) => {
        forget(isOver);
        if (model !== 'Session') rows.set(nameOf(id), { payload, endsAt: Date.now() + lifeSeconds * 1000 });
      },
      find,
      // Of sessions and of devices that ask for a code: there are neither.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const row = rows.get(nameOf(id));
        if (row !== undefined) row.payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        rows.delete(nameOf(id));
      },
      revokeByGrantId: async (grantId) => forget(({ payload }) => payload.grantId === grantId),
    };
  };
};
