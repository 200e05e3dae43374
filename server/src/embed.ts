/**
 * The package entry for other programs: `import { startGatehouse } from 'gatehouse'`. `gatehouse.d.ts` declares its
 * types and documents it.
 */
import { startService } from './cli/serve.ts';
import type * as contract from './gatehouse.d.ts';
import { isPublicRefusal } from './kernel/errors.ts';

export const startGatehouse: typeof contract.startGatehouse = async (added = {}) => {
  const service = await startService(added);
  return { identity: service.app.identity, close: () => service.close() };
};

export const isRefusal: typeof contract.isRefusal = (error): error is contract.Refusal => isPublicRefusal(error);
