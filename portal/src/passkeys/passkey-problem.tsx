/** Why a passkey did not work, as the person reads it. */
import { useTranslations } from 'use-intl';
import { Notice, RefusalNotice } from '../components/notice.tsx';
import { hasCode } from '../session/refusal.ts';
import { ceremonyProblemOf } from './ceremonies.ts';

export const PasskeyProblem = ({ error }: { readonly error: unknown }) => {
  const t = useTranslations('passkeys');
  const problem = problemOf(error);
  if (problem === undefined) return <RefusalNotice error={error} />;
  return (
    <Notice tone={problem === 'cancelled' ? 'info' : 'warning'}>
      <p>{t(problem)}</p>
    </Notice>
  );
};

const problemOf = (error: unknown) => {
  if (hasCode(error, 'INVALID_CREDENTIALS')) return 'refused';
  if (hasCode(error, 'CHALLENGE_REFUSED')) return 'expired';
  if (hasCode(error, 'LIMIT_REACHED')) return 'limit';
  return ceremonyProblemOf(error);
};
