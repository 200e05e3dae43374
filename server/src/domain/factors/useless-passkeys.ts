/** The notice at the start of passkeys that were created with another relying party id and do not work any more. */
import type { Deps, Settings } from '../access/deps.ts';
import { countUselessPasskeys } from './passkeys-store.ts';

/** Never throws: it is a notice, and the start does not depend on it. */
export const logUselessPasskeys = async ({
  database,
  logger,
  settings,
}: Deps<'database' | 'logger'> & Settings<'relyingParty'>): Promise<void> => {
  try {
    const { passkeys } = await database.one(countUselessPasskeys, [settings.relyingParty?.id ?? null]);
    if (passkeys === 0) return;
    const line = { event: 'passkeys.other_relying_party', passkeys } as const;
    logger.warn(line, 'Some passkeys were created with another WEBAUTHN_RP_ID and do not work with this one');
  } catch (error) {
    const line = { event: 'passkeys.not_counted', err: error } as const;
    logger.warn(line, 'The passkeys of other relying parties were not counted');
  }
};
