/** The form that creates a personal token of the active organization: name, scopes among those held now, and expiry. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Section } from '../../../components/section.tsx';
import { Field, FormButtons } from '../../../forms/field.tsx';
import { useOneField } from '../../../forms/one-field.ts';
import { CreatePersonalTokenDocument, type IssuedSecretFragment } from '../../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../../session/drafts.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import { ExpiryField, useExpiry } from '../../../tokens/expiry-field.tsx';
import { ScopeField, useChosenScopes } from '../../../tokens/scope-field.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens } from '../../../tokens/tokens.ts';
import type { Membership } from '../../members/members.ts';

interface CreateTokenFormProps {
  readonly membership: Membership;
  readonly onCreated: (issued: IssuedSecretFragment) => void;
  readonly onClose: () => void;
}

const draftFields = ['name'] as const;

export const CreateTokenForm = ({ membership: { organization, scopes }, onCreated, onClose }: CreateTokenFormProps) => {
  const t = useTranslations('ownTokens');
  const common = useTranslations('tokenForm');
  const hintId = useId();
  const draft = useRestoredDraft('personal token');
  const name = useOneField({ missing: t('nameMissing'), initial: draft?.['name'] ?? '' });
  useSavedDraft('personal token', draftFields, name.read);
  const chosen = useChosenScopes(scopes, []);
  const expiry = useExpiry();
  const creation = useCreation(onCreated, (error) => {
    const reasons = [name.showRefusal(error, 'name'), chosen.showRefusal(error), expiry.showRefusal(error)];
    return reasons.includes(true);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    // From the last to the first, so that the first problem has the focus.
    const [expiresAt, accepted, typed] = [expiry.accept(), chosen.accept(), name.accept()];
    if (expiresAt === undefined || accepted === undefined || typed === undefined) return;
    creation.mutate({ name: typed, scopes: [...accepted], expiresAt });
  };
  return (
    <Section title={t('createTitle')} lead={t('createLead', { organization: organization.name })}>
      <form noValidate className="space-y-5 px-5 py-5 sm:px-6" onSubmit={submit}>
        {creation.isError && !creation.isAtFields && (
          <TokenProblem error={creation.error} forbidden={t('forbidden', { organization: organization.name })} />
        )}
        <div className="space-y-1.5">
          <Field
            {...name.input}
            label={t('name')}
            autoComplete="off"
            autoFocus
            problem={name.problem}
            describedBy={hintId}
          />
          <p id={hintId} className="text-sm text-soft">
            {t('nameHint')}
          </p>
        </div>
        <ScopeField {...chosen.group} />
        <ExpiryField expiry={expiry} />
        <FormButtons submit={common('submit')} busy={creation.isPending} onClose={onClose} />
      </form>
    </Section>
  );
};

interface Wish {
  readonly name: string;
  readonly scopes: string[];
  readonly expiresAt: string;
}

/** @param showAtFields shows the server's reasons at their fields. @returns whether there are any */
const useCreation = (onCreated: CreateTokenFormProps['onCreated'], showAtFields: (error: unknown) => boolean) => {
  const session = useSession();
  const queries = useQueryClient();
  const [isAtFields, setAtFields] = useState(false);
  const creation = useMutation({
    mutationFn: (input: Wish) => session.request(CreatePersonalTokenDocument, { input }),
    // Not kept: it holds a secret.
    gcTime: 0,
    onMutate: () => setAtFields(false),
    onSuccess: async ({ createPersonalToken }) => {
      await queries.invalidateQueries(allTokens);
      onCreated(createPersonalToken);
    },
    onError: async (error) => {
      setAtFields(showAtFields(error));
      await refreshOnForbidden(session, error);
    },
  });
  return { ...creation, isAtFields };
};
