/** The form that creates a token of a service account: when it expires. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FormButtons } from '../../../forms/field.tsx';
import { CreateServiceTokenDocument, type IssuedSecretFragment } from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import { ExpiryField, useExpiry } from '../../../tokens/expiry-field.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens } from '../../../tokens/tokens.ts';
import type { ServiceAccount } from './queries.ts';

interface ServiceTokenFormProps {
  readonly account: ServiceAccount;
  readonly onCreated: (issued: IssuedSecretFragment) => void;
  readonly onClose: () => void;
}

export const ServiceTokenForm = ({ account: { id, name }, onCreated, onClose }: ServiceTokenFormProps) => {
  const t = useTranslations('serviceAccounts');
  const common = useTranslations('tokenForm');
  const refusals = useTranslations('tokens.refusals');
  const session = useSession();
  const queries = useQueryClient();
  const expiry = useExpiry();
  const creation = useMutation({
    mutationFn: (expiresAt: string) => session.request(CreateServiceTokenDocument, { serviceAccountId: id, expiresAt }),
    // Not kept: it holds a secret.
    gcTime: 0,
    onSuccess: async ({ createServiceToken }) => {
      await queries.invalidateQueries(allTokens);
      onCreated(createServiceToken);
    },
    onError: async (error) => {
      expiry.showRefusal(error);
      await refreshOnForbidden(session, error);
    },
  });
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        const expiresAt = expiry.accept();
        if (expiresAt !== undefined) creation.mutate(expiresAt);
      }}
    >
      <h3 className="font-semibold wrap-anywhere">{t('newToken', { name })}</h3>
      {creation.isError && expiry.problem === undefined && (
        <TokenProblem error={creation.error} limit={refusals('limitOfAccount')} />
      )}
      <ExpiryField expiry={expiry} />
      <FormButtons submit={common('submit')} busy={creation.isPending} onClose={onClose} />
    </form>
  );
};
