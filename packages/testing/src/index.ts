/**
 * `@gatehouse/testing`: the whole service in the process of a test, with a database of its own, a mailbox, a demo
 * provider and time that passes.
 */
import { startWorld } from 'gatehouse/testing-support';
import { personOf } from './person.ts';
import type { World, WorldOptions } from './types.ts';

export type {
  Clock,
  Mail,
  McpWish,
  Person,
  PersonWish,
  StorageState,
  StoredCookie,
  World,
  WorldOptions,
} from './types.ts';

/**
 * Starts a world; resolves once it listens. Several may run in one process, each with an application of its own.
 * @throws Error NODE_ENV is production or staging, the definition or a variable is not usable, or the database cannot
 *   be opened; nothing remains then
 */
export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const service = await startWorld({ ...options, loadProvider: () => import('oidc-provider') });
  let passed = 0;
  return {
    url: service.url,
    frontendUrl: service.frontendUrl,
    clock: {
      advance: async (seconds) => {
        await service.passTime(seconds);
        passed += seconds;
      },
    },
    person: async (wish) => personOf(service, await service.createPerson(wish), () => passed),
    mails: async (address) => {
      const mails = await service.mails();
      return address === undefined ? mails : mails.filter(({ to }) => to === address.trim().toLowerCase());
    },
    subscribe: (product, organizationId) => service.subscribe(product, organizationId),
    close: () => service.close(),
  };
};
