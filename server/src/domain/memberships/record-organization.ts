/** One log line for each change of an organization or its people, once it is durable: who made it, and of what. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';

const sentences = {
  'organization.created': 'An organization was created',
  'organization.renamed': 'An organization was renamed',
  'organization.role_changed': 'The role of a member was changed',
  'organization.member_removed': 'A person is no longer in an organization',
  'auth.organization_switched': 'A person switched to another organization',
} as const;

export interface OrganizationFacts {
  /** Who acted. */
  readonly userId: string;
  readonly organizationId: string;
  /** What else identifies the change: ids, roles and counts, never an address or a name. */
  readonly [fact: string]: string | number;
}

export const recordOrganization = (
  logger: Logger,
  transaction: Transaction,
  event: keyof typeof sentences,
  facts: OrganizationFacts,
): void => transaction.afterCommit(() => logger.info({ event, ...facts }, sentences[event]));
