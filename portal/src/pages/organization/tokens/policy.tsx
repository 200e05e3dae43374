/** The policy of an organization for tokens: personal tokens, longest lifetime, and networks. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { Section } from '../../../components/section.tsx';
import { Field } from '../../../forms/field.tsx';
import { LinesField, linesOf } from '../../../forms/lines-field.tsx';
import { useOneField } from '../../../forms/one-field.ts';
import { RadioField } from '../../../forms/radio-field.tsx';
import {
  type FetchTokenPolicyQuery,
  type PersonalTokenPolicy,
  SetTokenPolicyDocument,
} from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens } from '../../../tokens/tokens.ts';
import { tokenPolicyQuery } from './queries.ts';

type Policy = FetchTokenPolicyQuery['tokenPolicy'];

const choices = ['ALLOWED', 'APPROVAL', 'FORBIDDEN'] as const satisfies readonly PersonalTokenPolicy[];

export const TokenPolicySection = () => {
  const t = useTranslations('tokenPolicy');
  const policy = useQuery(tokenPolicyQuery(useSession()));
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState query={policy} />
      {policy.data !== undefined && <PolicyForm policy={policy.data} />}
    </Section>
  );
};

const PolicyForm = ({ policy }: { readonly policy: Policy }) => {
  const t = useTranslations('tokenPolicy');
  const hintId = useId();
  const [personalTokens, setPersonalTokens] = useState(policy.personalTokens);
  const days = useOneField({
    missing: t('daysShape'),
    initial: String(policy.maxTokenLifetimeDays),
    check: (text) => (isDays(text) ? undefined : t('daysShape')),
  });
  const networksField = useRef<HTMLTextAreaElement>(null);
  const [networks, setNetworks] = useState(policy.allowedNetworks.join('\n'));
  const [networksProblem, setNetworksProblem] = useState<string>();
  const save = useSave((error) => {
    const message = hasCode(error, 'BAD_USER_INPUT') ? error.fields['allowedNetworks'] : undefined;
    setNetworksProblem(message);
    if (message !== undefined) networksField.current?.focus();
    days.showRefusal(error, 'maxTokenLifetimeDays');
  });
  const isAtFields = networksProblem !== undefined || days.problem !== undefined;
  return (
    <form
      noValidate
      className="space-y-6 px-5 py-5 sm:px-6"
      onSubmit={days.onSubmit((text) => {
        setNetworksProblem(undefined);
        save.mutate({ personalTokens, maxTokenLifetimeDays: Number(text), allowedNetworks: linesOf(networks) });
      })}
    >
      <div role="status" className="empty:mb-0">
        {save.isSuccess && (
          <Notice tone="success">
            <p>{t('saved')}</p>
          </Notice>
        )}
      </div>
      {save.isError && !isAtFields && <TokenProblem error={save.error} />}
      <RadioField
        legend={t('personalTokens')}
        choices={choices.map((value) => ({ value, title: t(value), text: t(`${value}_text`) }))}
        chosen={personalTokens}
        onChoose={setPersonalTokens}
      />
      <div className="space-y-1.5">
        <Field
          {...days.input}
          label={t('days')}
          inputMode="numeric"
          autoComplete="off"
          problem={days.problem}
          describedBy={hintId}
        />
        <p id={hintId} className="text-sm text-soft">
          {t('daysHint')}
        </p>
      </div>
      <LinesField
        ref={networksField}
        label={t('networks')}
        hint={t('networksHint')}
        value={networks}
        problem={networksProblem}
        onType={(text) => {
          setNetworks(text);
          setNetworksProblem(undefined);
        }}
      />
      <Button type="submit" busy={save.isPending}>
        {t('submit')}
      </Button>
    </form>
  );
};

const isDays = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 366;

const useSave = (showAtFields: (error: unknown) => void) => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Policy) => session.request(SetTokenPolicyDocument, { input }),
    // The list of tokens shows what is blocked now.
    onSuccess: () => queries.invalidateQueries(allTokens),
    onError: async (error) => {
      showAtFields(error);
      await refreshOnForbidden(session, error);
    },
  });
};
