/** The names of the operations that exist only with MACHINE_TOKENS_ENABLED. */
import type { guards } from '../../guards.ts';

export const machineTokenOperations = [
  'myTokens',
  'createPersonalToken',
  'rotateToken',
  'revokeToken',
  'organizationTokens',
  'decideToken',
  'serviceAccounts',
  'createServiceAccount',
  'updateServiceAccount',
  'deleteServiceAccount',
  'createServiceToken',
  'tokenPolicy',
  'setTokenPolicy',
] as const satisfies readonly (keyof typeof guards)[];
