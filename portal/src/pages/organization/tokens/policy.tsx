/** The policy of an organization for tokens: personal tokens, longest lifetime, and networks. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { QueryState } from '../../../components/list.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { Field, inputClass } from '../../../forms/field.tsx';
import { useOneField } from '../../../forms/one-field.ts';
import {
  type FetchTokenPolicyQuery,
  type PersonalTokenPolicy,
  SetTokenPolicyDocument,
} from '../../../generated/graphql.ts';
import { hasCode, refreshOnForbidden } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';
import { GroupProblem } from '../../../tokens/scope-choice.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens } from '../../../tokens/tokens.ts';
import { tokenPolicyQuery } from './queries.ts';

type Policy = FetchTokenPolicyQuery['tokenPolicy'];

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
  const [id, hintId] = [useId(), useId()];
  const [personalTokens, setPersonalTokens] = useState(policy.personalTokens);
  const days = useOneField({
    missing: t('daysShape'),
    initial: String(policy.maxTokenLifetimeDays),
    check: (text) => (isDays(text) ? undefined : t('daysShape')),
  });
  const networks = useRef<HTMLTextAreaElement>(null);
  const [networksProblem, setNetworksProblem] = useState<string>();
  const save = useSave((error) => {
    const message = hasCode(error, 'BAD_USER_INPUT') ? error.fields['allowedNetworks'] : undefined;
    setNetworksProblem(message);
    if (message !== undefined) networks.current?.focus();
    days.showRefusal(error, 'maxTokenLifetimeDays');
  });
  const isAtFields = networksProblem !== undefined || days.problem !== undefined;
  return (
    <form
      noValidate
      className="space-y-6 px-5 py-5 sm:px-6"
      onSubmit={days.onSubmit((text) => {
        setNetworksProblem(undefined);
        const allowedNetworks = linesOf(networks.current?.value ?? '');
        save.mutate({ personalTokens, maxTokenLifetimeDays: Number(text), allowedNetworks });
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
      <PersonalTokens chosen={personalTokens} onChoose={setPersonalTokens} />
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
      <NetworksField
        id={id}
        field={networks}
        initial={policy.allowedNetworks}
        problem={networksProblem}
        onType={() => setNetworksProblem(undefined)}
      />
      <Button type="submit" busy={save.isPending}>
        {t('submit')}
      </Button>
    </form>
  );
};

const isDays = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 366;

/** Networks are on lines, or separated by commas or blanks. */
const linesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((line) => line !== '');

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

const choices = ['ALLOWED', 'APPROVAL', 'FORBIDDEN'] as const satisfies readonly PersonalTokenPolicy[];

interface PersonalTokensProps {
  readonly chosen: PersonalTokenPolicy;
  readonly onChoose: (chosen: PersonalTokenPolicy) => void;
}

const PersonalTokens = ({ chosen, onChoose }: PersonalTokensProps) => {
  const t = useTranslations('tokenPolicy');
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{t('personalTokens')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {choices.map((choice) => (
          <label key={choice} className="flex items-start gap-3 px-3.5 py-3">
            <input
              type="radio"
              name="personalTokens"
              value={choice}
              checked={choice === chosen}
              className="mt-1 size-4 shrink-0 accent-accent"
              onChange={() => onChoose(choice)}
            />
            <span className="min-w-0">
              <span className="block font-medium">{t(choice)}</span>
              <span className="block text-sm text-soft">{t(`${choice}_text`)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};

interface NetworksFieldProps {
  readonly id: string;
  readonly field: Ref<HTMLTextAreaElement>;
  readonly initial: readonly string[];
  readonly problem: string | undefined;
  readonly onType: () => void;
}

const NetworksField = ({ id, field, initial, problem, onType }: NetworksFieldProps) => {
  const t = useTranslations('tokenPolicy');
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-[0.9375rem] font-medium">
        {t('networks')}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={5}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck="false"
        defaultValue={initial.join('\n')}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? hintId : `${problemId} ${hintId}`}
        className={`${inputClass} py-2.5 font-mono`}
        onChange={onType}
      />
      {problem !== undefined && <GroupProblem id={problemId} text={problem} />}
      <p id={hintId} className="text-sm text-soft">
        {t('networksHint')}
      </p>
    </div>
  );
};
