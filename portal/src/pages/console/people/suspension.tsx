/** Suspending a person, with a reason, and reinstating them: the dialogs, the receipts and the list of suspensions. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { formatDate } from '../../../components/dates.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx';
import { Section } from '../../../components/section.tsx';
import { Field } from '../../../forms/field.tsx';
import { ReinstateUserDocument, SuspendUserDocument } from '../../../generated/graphql.ts';
import { DataTable } from '../../../lists/data-table.tsx';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import { RevocationProblem } from '../revocation.tsx';
import { allPeople, type PersonDetails } from './people.ts';

type Person = PersonDetails['user'];

const maxReasonLength = 200;

const useSuspension = ({ id: userId }: Person) => {
  const session = useSession();
  const queries = useQueryClient();
  const settled = {
    onError: (error: unknown) => refreshOnForbidden(session, error),
    onSettled: () => queries.invalidateQueries(allPeople),
  };
  const suspend = useMutation({
    mutationFn: async (reason: string) => (await session.request(SuspendUserDocument, { userId, reason })).suspendUser,
    ...settled,
  });
  const reinstate = useMutation({
    mutationFn: async () => (await session.request(ReinstateUserDocument, { userId })).reinstateUser,
    ...settled,
  });
  return { suspend, reinstate };
};

type SuspensionActions = ReturnType<typeof useSuspension>;

export const Suspend = ({ user }: { readonly user: Person }) => {
  const t = useTranslations('suspension');
  const actions = useSuspension(user);
  const [isAsked, setAsked] = useState(false);
  const result = useRef<HTMLDivElement>(null);
  const isSuspended = user.suspendedAt !== null;
  const start = (): void => {
    actions.suspend.reset();
    actions.reinstate.reset();
    setAsked(true);
  };
  const dialog = { user, actions, isOpen: isAsked, resultRef: result, onClose: () => setAsked(false) };
  return (
    <>
      <Button variant={isSuspended ? 'secondary' : 'danger-secondary'} onClick={start}>
        {t(isSuspended ? 'reinstate' : 'suspend')}
      </Button>
      <div ref={result} role="status" tabIndex={-1} className="order-last basis-full outline-none">
        <Receipt user={user} actions={actions} />
      </div>
      {isSuspended ? <ReinstateDialog {...dialog} /> : <SuspendDialog {...dialog} />}
    </>
  );
};

const Receipt = ({ user: { email }, actions }: { readonly user: Person; readonly actions: SuspensionActions }) => {
  const t = useTranslations('suspension');
  const { suspend, reinstate } = actions;
  if (!suspend.isSuccess && !reinstate.isSuccess) return null;
  return (
    <Notice tone="success">
      <p className="wrap-anywhere">
        {suspend.isSuccess ? t('done', { email, count: suspend.data.revokedCredentials }) : t('reinstated', { email })}
      </p>
    </Notice>
  );
};

interface SuspensionDialogProps {
  readonly user: Person;
  readonly actions: SuspensionActions;
  readonly isOpen: boolean;
  readonly resultRef: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

const SuspendDialog = ({
  user: { email },
  actions: { suspend },
  isOpen,
  resultRef,
  onClose,
}: SuspensionDialogProps) => {
  const t = useTranslations('suspension.confirm');
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const onConfirm = (): void => {
    setMissing(true);
    if (reason.trim() === '') field.current?.focus();
    else suspend.mutate(reason.trim(), { onSuccess: onClose });
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title={t('title', { email })}
      text={t('text', { email })}
      submit={t('submit')}
      warning={
        <Field
          ref={field}
          label={t('reason')}
          value={reason}
          maxLength={maxReasonLength}
          autoComplete="off"
          problem={isMissing && reason.trim() === '' ? t('reasonMissing') : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
      }
      busy={suspend.isPending}
      problem={suspend.isError && <RevocationProblem error={suspend.error} />}
      focusFirst={field}
      focusAfter={resultRef}
      onConfirm={onConfirm}
      onClose={() => {
        if (suspend.isPending) return;
        setMissing(false);
        onClose();
      }}
    />
  );
};

const ReinstateDialog = (props: SuspensionDialogProps) => {
  const { user, actions, isOpen, resultRef, onClose } = props;
  const t = useTranslations('suspension.confirmReinstate');
  const { reinstate } = actions;
  const { email } = user;
  return (
    <ConfirmDialog
      open={isOpen}
      title={t('title', { email })}
      text={t('text', { email })}
      submit={t('submit')}
      busy={reinstate.isPending}
      problem={reinstate.isError && <RevocationProblem error={reinstate.error} />}
      focusAfter={resultRef}
      onConfirm={() => reinstate.mutate(undefined, { onSuccess: onClose })}
      onClose={() => !reinstate.isPending && onClose()}
    />
  );
};

export const Suspensions = ({ details: { suspensions } }: { readonly details: PersonDetails }) => {
  const t = useTranslations('suspension');
  if (suspensions.length === 0) return null;
  const date = (at: string): string => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Section title={t('list')}>
      <DataTable
        label={t('list')}
        rows={suspensions}
        keyOf={({ id }) => id}
        columns={[
          { key: 'reason', heading: t('columns.reason'), width: 'sm:w-1/2', cell: ({ reason }) => reason },
          {
            key: 'began',
            heading: t('columns.began'),
            cell: ({ suspendedAt, suspendedByEmail: email }) =>
              email === null ? t('byGone', { date: date(suspendedAt) }) : t('by', { email, date: date(suspendedAt) }),
          },
          {
            key: 'ended',
            heading: t('columns.ended'),
            cell: ({ reinstatedAt: at, reinstatedByEmail: email }) => {
              if (at === null) return t('lasts');
              return email === null
                ? t('endedByOperator', { date: date(at) })
                : t('endedBy', { email, date: date(at) });
            },
          },
        ]}
      />
    </Section>
  );
};
