/** What a refusal says about the person: their role, plan or organization is no longer what this tab believes. */
import { hasCode } from './refusal.ts';
import type { Session } from './session.ts';

export const heedRefusal = async (session: Session, error: unknown): Promise<void> => {
  if (hasCode(error, 'FORBIDDEN') || hasCode(error, 'MEMBERSHIP_REQUIRED')) await session.recheck();
};
