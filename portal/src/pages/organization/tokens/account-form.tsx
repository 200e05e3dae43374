/** The form that creates a service account, or changes one: name, description, and scopes among those held now. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Field, FormButtons } from '../../../forms/field.tsx';
import { useForm } from '../../../forms/form.ts';
import { CreateServiceAccountDocument, UpdateServiceAccountDocument } from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../../session/refusal.ts';
import type { Session } from '../../../session/session.ts';
import { useSession } from '../../../session/session-context.tsx';
import { ScopeField, useChosenScopes } from '../../../tokens/scope-field.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens } from '../../../tokens/tokens.ts';
import type { Membership } from '../../members/members.ts';
import type { ServiceAccount } from './queries.ts';

interface AccountFormProps {
  /** The one that is changed; absent for a new one. */
  readonly account?: ServiceAccount;
  readonly membership: Membership;
  readonly onSaved: (account: ServiceAccount) => void;
  readonly onClose: () => void;
}

export const AccountForm = ({ account, membership, onSaved, onClose }: AccountFormProps) => {
  const t = useTranslations('serviceAccounts');
  const form = useForm(
    {
      name: { check: (name) => (name === '' ? t('nameMissing') : undefined) },
      description: { check: () => undefined },
    },
    { name: account?.name ?? '', description: account?.description ?? '' },
  );
  const chosen = useChosenScopes(onOffer(membership.scopes, account?.scopes ?? []), account?.scopes ?? []);
  const save = useSave(account, onSaved, (error) => {
    chosen.showRefusal(error);
    form.showRefusal(error);
  });
  const isAtFields = hasCode(save.error, 'BAD_USER_INPUT') && (form.hasProblem || chosen.group.problem !== undefined);
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={(event) => {
        const scopes = chosen.accept();
        form.onSubmit((read) => {
          if (scopes !== undefined) save.mutate({ name: read('name'), description: read('description'), scopes });
        })(event);
      }}
    >
      {account !== undefined && (
        <h3 className="font-semibold wrap-anywhere">{t('editTitle', { name: account.name })}</h3>
      )}
      {save.isError && !isAtFields && <TokenProblem error={save.error} />}
      <Field {...form.field('name')} label={t('name')} autoComplete="off" autoFocus />
      <Field {...form.field('description')} label={t('description')} autoComplete="off" />
      <ScopeField {...chosen.group} hint={t('scopesHint')} />
      <FormButtons submit={t(account === undefined ? 'submit' : 'save')} busy={save.isPending} onClose={onClose} />
    </form>
  );
};

/** Those that the person holds, and those that the account has: they can be taken away. */
const onOffer = (held: readonly string[], had: readonly string[]): readonly string[] => [
  ...held,
  ...had.filter((scope) => !held.includes(scope)),
];

interface Values {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
}

const useSave = (
  account: ServiceAccount | undefined,
  onSaved: (account: ServiceAccount) => void,
  showAtFields: (error: unknown) => void,
) => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Values) => saveAccount(session, account, values),
    onSuccess: async (saved) => {
      await queries.invalidateQueries(allTokens);
      onSaved(saved);
    },
    onError: async (error) => {
      showAtFields(error);
      await refreshOnForbidden(session, error);
    },
  });
};

const saveAccount = async (
  session: Session,
  account: ServiceAccount | undefined,
  values: Values,
): Promise<ServiceAccount> => {
  const input = { ...values, scopes: [...values.scopes] };
  if (account === undefined) {
    return (await session.request(CreateServiceAccountDocument, { input })).createServiceAccount;
  }
  const changes = { ...input, serviceAccountId: account.id };
  return (await session.request(UpdateServiceAccountDocument, { input: changes })).updateServiceAccount;
};
