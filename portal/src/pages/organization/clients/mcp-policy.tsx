/** The policy of an organization for MCP clients: any, listed ones or none, and the two lists. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { loopbackHosts, mcpPolicyQuery } from '../../../clients/clients.ts';
import { Button } from '../../../components/button.tsx';
import { Notice, RefusalNotice } from '../../../components/notice.tsx';
import { QueryState } from '../../../components/query-state.tsx';
import { Section } from '../../../components/section.tsx';
import { LinesField, linesOf } from '../../../forms/lines-field.tsx';
import { RadioField } from '../../../forms/radio-field.tsx';
import { type FetchMcpPolicyQuery, type McpClientPolicy, SetMcpPolicyDocument } from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { hasCode } from '../../../session/refusal.ts';
import { useSession } from '../../../session/session-context.tsx';

type Policy = FetchMcpPolicyQuery['mcpPolicy'];

const choices = ['ANY', 'LISTED', 'NONE'] as const satisfies readonly McpClientPolicy[];

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
      <RadioField
        legend={t('clients')}
        choices={choices.map((value) => ({ value, title: t(value), text: t(`${value}_text`) }))}
        chosen={clients}
        onChoose={setClients}
      />
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
