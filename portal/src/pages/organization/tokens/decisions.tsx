/** Approving and refusing the personal tokens that wait. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog, useLastValue } from '../../../components/overlays/confirm-dialog.tsx';
import { DecideTokenDocument } from '../../../generated/graphql.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import type { TokenActions } from '../../../tokens/token-actions.tsx';
import { TokenProblem } from '../../../tokens/token-problem.tsx';
import { allTokens, type Token } from '../../../tokens/tokens.ts';

interface Decision {
  readonly token: Token;
  readonly approve: boolean;
}

export interface Decisions {
  /** Waits for confirmation. */
  readonly refusing: Token | undefined;
  readonly isRefusing: boolean;
  readonly refusalProblem: ReactNode;
  readonly approve: (token: Token) => void;
  readonly askToRefuse: (token: Token) => void;
  readonly refuse: () => void;
  readonly close: () => void;
  readonly isApproving: (token: Token) => boolean;
  readonly problemOf: (token: Token) => ReactNode;
}

export const useDecisions = ({ showResult }: Pick<TokenActions, 'showResult'>): Decisions => {
  const t = useTranslations('organizationTokens');
  const session = useSession();
  const queries = useQueryClient();
  const [refusing, setRefusing] = useState<Token>();
  const decision = useMutation({
    mutationFn: ({ token, approve }: Decision) => session.request(DecideTokenDocument, { tokenId: token.id, approve }),
    onSuccess: async (_, { token, approve }) => {
      setRefusing(undefined);
      await queries.invalidateQueries(allTokens);
      const names = { name: token.name, email: token.userEmail ?? '' };
      showResult(t(approve ? 'approved' : 'refused', names));
    },
    onError: async (error) => {
      await Promise.all([refreshOnForbidden(session, error), queries.invalidateQueries(allTokens)]);
    },
  });
  const { variables, error } = decision;
  const decide = (wish: Decision): void => {
    showResult(undefined);
    decision.mutate(wish);
  };
  const problem = decision.isError && <TokenProblem error={error} />;
  return {
    refusing,
    isRefusing: decision.isPending && variables?.approve === false,
    refusalProblem: variables?.approve === false && problem,
    approve: (token) => decide({ token, approve: true }),
    askToRefuse: (token) => {
      decision.reset();
      setRefusing(token);
    },
    refuse: () => refusing !== undefined && decide({ token: refusing, approve: false }),
    close: () => {
      decision.reset();
      setRefusing(undefined);
    },
    isApproving: (token) => decision.isPending && variables?.approve === true && variables.token.id === token.id,
    problemOf: (token) =>
      variables?.approve === true &&
      variables.token.id === token.id &&
      decision.isError && <div className="w-full">{problem}</div>,
  };
};

interface RefuseDialogProps {
  readonly decisions: Decisions;
  readonly focusAfter: RefObject<HTMLElement | null>;
}

export const RefuseDialog = ({ decisions, focusAfter }: RefuseDialogProps) => {
  const t = useTranslations('organizationTokens.refusal');
  const { refusing } = decisions;
  const shown = useLastValue(refusing);
  return (
    <ConfirmDialog
      open={refusing !== undefined}
      title={t('title', { name: shown?.name ?? '' })}
      text={t('text', { email: shown?.userEmail ?? '' })}
      submit={t('submit')}
      busy={decisions.isRefusing}
      problem={decisions.refusalProblem}
      focusAfter={focusAfter}
      onConfirm={decisions.refuse}
      onClose={decisions.close}
    />
  );
};
