/** The invitations of an organization as super admins see them: a new link for one, or its end. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../../components/overlays/confirm-dialog.tsx';
import { Section } from '../../../components/section.tsx';
import { PlatformCancelInvitationDocument, PlatformResetInvitationDocument } from '../../../generated/graphql.ts';
import { DataTable } from '../../../lists/data-table.tsx';
import { EmptyList } from '../../../lists/empty-list.tsx';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useConsolePermission } from '../permissions.ts';
import { RevocationProblem } from '../revocation.tsx';
import { useMemberColumns } from './member-columns.tsx';
import { allOrganizations, type ConsoleMember, type OrganizationDetails } from './organizations.ts';

interface InvitationAction {
  readonly kind: 'resend' | 'cancel';
  readonly member: ConsoleMember;
}

const useInvitationActions = () => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, member: { id: memberId } }: InvitationAction): Promise<unknown> =>
      kind === 'resend'
        ? session.request(PlatformResetInvitationDocument, { memberId })
        : session.request(PlatformCancelInvitationDocument, { memberId }),
    onError: (error) => refreshOnForbidden(session, error),
    onSettled: () => queries.invalidateQueries(allOrganizations),
  });
};

export const OrganizationInvitations = ({ details: { invitations } }: { readonly details: OrganizationDetails }) => {
  const t = useTranslations('console.organization');
  const columns = useMemberColumns();
  const canManage = useConsolePermission('invitations')?.granted === true;
  const actions = useInvitationActions();
  const [cancelling, setCancelling] = useState<ConsoleMember>();
  const result = useRef<HTMLDivElement>(null);
  const buttons = (member: ConsoleMember) => (
    <InvitationButtons
      member={member}
      actions={actions}
      onCancel={() => {
        actions.reset();
        setCancelling(member);
      }}
    />
  );
  return (
    <Section title={t('invitations')}>
      <ActionResult actions={actions} isAsking={cancelling !== undefined} resultRef={result} />
      {invitations.length === 0 ? (
        <EmptyList text={t('noInvitations')} />
      ) : (
        <DataTable
          label={t('invitations')}
          rows={invitations}
          keyOf={({ id }) => id}
          columns={[
            ...columns,
            ...(canManage
              ? [{ key: 'actions', heading: t('columns.actions'), isHeadingHidden: true, cell: buttons }]
              : []),
          ]}
        />
      )}
      <CancelDialog
        member={cancelling}
        actions={actions}
        focusAfter={result}
        onClose={() => !actions.isPending && setCancelling(undefined)}
        onDone={() => setCancelling(undefined)}
      />
    </Section>
  );
};

type Actions = ReturnType<typeof useInvitationActions>;

interface InvitationButtonsProps {
  readonly member: ConsoleMember;
  readonly actions: Actions;
  readonly onCancel: () => void;
}

const InvitationButtons = ({ member, actions, onCancel }: InvitationButtonsProps) => {
  const t = useTranslations('console.organization');
  const { email } = member;
  const isSending =
    actions.isPending && actions.variables.kind === 'resend' && actions.variables.member.id === member.id;
  return (
    <span className="flex flex-wrap gap-2 sm:justify-end">
      <Button
        variant="secondary"
        busy={isSending}
        disabled={actions.isPending && !isSending}
        aria-label={t('resendTo', { email })}
        onClick={() => actions.mutate({ kind: 'resend', member })}
      >
        {t('resend')}
      </Button>
      <Button
        variant="danger-secondary"
        disabled={actions.isPending}
        aria-label={t('cancelOf', { email })}
        onClick={onCancel}
      >
        {t('cancel')}
      </Button>
    </span>
  );
};

interface ActionResultProps {
  readonly actions: Actions;
  /** The dialog shows its own failure. */
  readonly isAsking: boolean;
  readonly resultRef: RefObject<HTMLDivElement | null>;
}

const ActionResult = ({ actions, isAsking, resultRef }: ActionResultProps) => {
  const t = useTranslations('console.organization');
  const { variables, isSuccess, isError, error } = actions;
  return (
    <div ref={resultRef} role="status" tabIndex={-1} className="outline-none">
      {isSuccess && (
        <div className="p-3">
          <Notice tone="success">
            <p className="wrap-anywhere">
              {t(variables.kind === 'resend' ? 'sent' : 'cancelled', { email: variables.member.email })}
            </p>
          </Notice>
        </div>
      )}
      {isError && !isAsking && (
        <div className="p-3">
          <RevocationProblem error={error} />
        </div>
      )}
    </div>
  );
};

interface CancelDialogProps {
  readonly member: ConsoleMember | undefined;
  readonly actions: Actions;
  readonly focusAfter: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const CancelDialog = ({ member, actions, focusAfter, onClose, onDone }: CancelDialogProps) => {
  const t = useTranslations('console.organization.confirm');
  const shown = useLastValue(member);
  if (shown === undefined) return null;
  const { email } = shown;
  return (
    <ConfirmDialog
      open={member !== undefined}
      title={t('title', { email })}
      text={t('text', { email })}
      submit={t('submit')}
      busy={actions.isPending}
      problem={actions.isError && <RevocationProblem error={actions.error} />}
      focusAfter={focusAfter}
      onConfirm={() => actions.mutate({ kind: 'cancel', member: shown }, { onSuccess: onDone })}
      onClose={onClose}
    />
  );
};
