/** SQL of `subscriptions`: what each organization pays for. No row means no subscription. */
import { statement } from '../../platform/database/statement.ts';

export const insertActiveSubscription = statement<unknown, [organizationId: string, product: string]>(
  'subscriptions.insert_active',
  `INSERT INTO subscriptions (organization_id, status, product) VALUES ($1, 'ACTIVE', $2)`,
);
