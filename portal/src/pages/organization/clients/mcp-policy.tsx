/** The policy of an organization for MCP clients: any, listed ones or none, and the two lists. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { loopbackHosts, mcpPolicyQuery } from '../../../clients/clients.ts';
import { Button } from '../../../components/button.tsx';
import { QueryState } from '../../../components/list.tsx';
import { Notice, RefusalNotice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { type FetchMcpPolicyQuery, type McpClientPolicy, SetMcpPolicyDocument } from '../../../generated/graphql.ts';
import { hasCode, refreshOnForbidden } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';
import { LinesField, linesOf } from './lines-field.tsx';

type Policy = FetchMcpPolicyQuery['mcpPolicy'];

export const McpPolicySection = () => {
  const t = useTranslations('mcpPolicy');
  const policy = useQuery(mcpPolicyQuery(useSession()));
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState query={policy} />
      {policy.data !== undefined && <PolicyForm policy={policy.data} />}
    </Section>
  );
};

const PolicyForm = ({ policy }: { readonly policy: Policy }) => {
  const t = useTranslations('mcpPolicy');
  const [clients, setClients] = useState(policy.clients);
  const [clientIds, setClientIds] = useState(policy.clientIds.join('\n'));
  const [redirectHosts, setRedirectHosts] = useState(policy.redirectHosts.join('\n'));
  const save = useSave();
  const problems = save.isError && hasCode(save.error, 'BAD_USER_INPUT') ? save.error.fields : {};
  const isAtFields = problems['clientIds'] !== undefined || problems['redirectHosts'] !== undefined;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (isAtFields) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [isAtFields]);
  return (
    <form
      ref={form}
      noValidate
      className="space-y-6 px-5 py-5 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        // The lists count, and are shown, only where clients have to be in one; otherwise they stay as they are.
        const lists = { clientIds: linesOf(clientIds), redirectHosts: linesOf(redirectHosts) };
        save.mutate({ clients, ...(clients === 'LISTED' ? lists : { clientIds: null, redirectHosts: null }) });
      }}
    >
      <div role="status" className="empty:mb-0">
        {save.isSuccess && (
          <Notice tone="success">
            <p>{t('saved')}</p>
          </Notice>
        )}
      </div>
      {save.isError && !isAtFields && <RefusalNotice error={save.error} />}
      <ClientsChoice chosen={clients} onChoose={setClients} />
      {clients === 'LISTED' && (
        <>
          <LinesField
            label={t('clientIds')}
            hint={t('clientIdsHint')}
            value={clientIds}
            problem={problems['clientIds']}
            onType={(text) => {
              save.reset();
              setClientIds(text);
            }}
          />
          <LinesField
            label={t('redirectHosts')}
            hint={t('redirectHostsHint')}
            value={redirectHosts}
            problem={problems['redirectHosts']}
            onType={(text) => {
              save.reset();
              setRedirectHosts(text);
            }}
          />
          {linesOf(redirectHosts).some((host) => loopbackHosts.includes(host)) && (
            <Notice tone="warning" title={t('loopbackTitle')}>
              <p>{t('loopback')}</p>
            </Notice>
          )}
        </>
      )}
      <Button type="submit" busy={save.isPending}>
        {t('submit')}
      </Button>
    </form>
  );
};

interface Input {
  readonly clients: McpClientPolicy;
  /** Null leaves a list as it is. */
  readonly clientIds: string[] | null;
  readonly redirectHosts: string[] | null;
}

const useSave = () => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => session.request(SetMcpPolicyDocument, { input }),
    onSuccess: ({ setMcpPolicy }) => queries.setQueryData(mcpPolicyQuery(session).queryKey, setMcpPolicy),
    onError: (error) => refreshOnForbidden(session, error),
  });
};

const choices = ['ANY', 'LISTED', 'NONE'] as const satisfies readonly McpClientPolicy[];

interface ClientsChoiceProps {
  readonly chosen: McpClientPolicy;
  readonly onChoose: (chosen: McpClientPolicy) => void;
}

const ClientsChoice = ({ chosen, onChoose }: ClientsChoiceProps) => {
  const t = useTranslations('mcpPolicy');
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{t('clients')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {choices.map((choice) => (
          <label key={choice} className="flex items-start gap-3 px-3.5 py-3">
            <input
              type="radio"
              name="clients"
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
