/** Performs the actions of the member list: confirmation where needed, request, and result. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoleTitle } from '../../components/application.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { ConfirmDialog, useLastValue } from '../../components/overlays/confirm-dialog.tsx';
import { refreshOnForbidden } from '../../session/refresh-on-forbidden.ts';
import { useSession } from '../../session/session-context.tsx';
import { useHasMachineTokens } from '../../tokens/has-machine-tokens.ts';
import {
  allMembers,
  type Confirmation,
  confirmationFor,
  displayName,
  type MemberAction,
  type Membership,
  performAction,
} from './members.ts';

interface MemberActions {
  /** Waiting for confirmation. */
  readonly confirming: MemberAction | undefined;
  readonly done: MemberAction | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Receives the focus when the focused element is unmounted. */
  readonly resultRef: RefObject<HTMLDivElement | null>;
  readonly start: (action: MemberAction) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

/** @param onLeft called with the name of the organization that the person has left */
export const useMemberActions = (membership: Membership, onLeft: (organization: string) => void): MemberActions => {
  const session = useSession();
  const queries = useQueryClient();
  const resultRef = useRef<HTMLDivElement>(null);
  const [confirming, setConfirming] = useState<MemberAction>();
  const mutation = useMutation({
    mutationFn: (action: MemberAction) => performAction(session, action, membership),
    onSuccess: (_, action) => {
      setConfirming(undefined);
      if (action.kind === 'leave') onLeft(membership.organization.name);
      else void queries.invalidateQueries(allMembers);
    },
    onError: async (error) => {
      await refreshOnForbidden(session, error);
      void queries.invalidateQueries(allMembers);
    },
  });
  return {
    confirming,
    done: mutation.isSuccess ? mutation.variables : undefined,
    error: mutation.isError ? mutation.error : undefined,
    busy: mutation.isPending,
    resultRef,
    start: (action) => {
      if (mutation.isPending) return;
      mutation.reset();
      if (confirmationFor(action, membership) === undefined) mutation.mutate(action);
      else setConfirming(action);
    },
    confirm: () => confirming !== undefined && mutation.mutate(confirming),
    close: () => {
      if (mutation.isPending) return;
      mutation.reset();
      setConfirming(undefined);
    },
  };
};

interface ActionProps {
  readonly actions: MemberActions;
  readonly membership: Membership;
}

export const ActionResult = ({ actions, membership }: ActionProps) => {
  const messageFor = useSuccessMessage(membership);
  const { done, error, confirming, resultRef } = actions;
  return (
    <>
      <div role="status">
        {done !== undefined && (
          <div ref={resultRef} tabIndex={-1} className="p-3 outline-none">
            <Notice tone="success">
              <p className="wrap-anywhere">{messageFor(done)}</p>
            </Notice>
          </div>
        )}
      </div>
      {error !== undefined && confirming === undefined && (
        <div className="p-3">
          <RefusalNotice error={error} />
        </div>
      )}
    </>
  );
};

export const ActionDialog = ({ actions, membership }: ActionProps) => {
  const t = useTranslations('memberActions.confirm');
  const hasMachineTokens = useHasMachineTokens();
  const valuesFor = useActionValues(membership);
  const { confirming, error, busy, resultRef, confirm, close } = actions;
  const shown = useLastValue(confirming);
  const confirmation: Confirmation = (shown && confirmationFor(shown, membership)) ?? 'remove';
  const values = valuesFor(shown);
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      title={t(`${confirmation}.title`, values)}
      text={t(
        hasMachineTokens && (confirmation === 'remove' || confirmation === 'leave')
          ? `${confirmation}.textWithTokens`
          : `${confirmation}.text`,
        values,
      )}
      submit={t(`${confirmation}.submit`)}
      busy={busy}
      problem={error !== undefined && <RefusalNotice error={error} />}
      focusAfter={resultRef}
      onConfirm={confirm}
      onClose={close}
    />
  );
};

/** Values for the messages about an action. */
const useActionValues = ({ organization }: Membership) => {
  const titleOf = useRoleTitle();
  return (action: MemberAction | undefined) => ({
    person: action === undefined ? '' : displayName(action.member),
    email: action?.member.email ?? '',
    role: action?.kind === 'role' ? titleOf(action.role) : '',
    organization: organization.name,
  });
};

const useSuccessMessage = (membership: Membership) => {
  const t = useTranslations('memberActions.done');
  const valuesFor = useActionValues(membership);
  return (action: MemberAction): string => t(action.kind, valuesFor(action));
};
