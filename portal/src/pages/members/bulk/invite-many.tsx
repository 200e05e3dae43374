/** The form that invites many people: the pasted list, a preview of what each address would get, and the report. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ApplicationInfo, assignableRoles } from '../../../access/roles.ts';
import { RefusalNotice } from '../../../components/notice.tsx';
import { FormButtons, inputClass } from '../../../forms/field.tsx';
import { InviteMembersDocument } from '../../../generated/graphql.ts';
import { useRestoredDraft, useSavedDraft } from '../../../session/drafts.ts';
import { refreshOnForbidden } from '../../../session/refresh-on-forbidden.ts';
import { useSession } from '../../../session/session-context.tsx';
import { allMembers, type Membership } from '../members.ts';
import { RoleField } from '../role-field.tsx';
import { type AddressList, maxAddresses, type Reports, readAddresses } from './addresses.ts';
import { ListPreview, ListReport } from './list-report.tsx';

interface InviteManyProps {
  readonly membership: Membership;
  readonly application: ApplicationInfo;
  readonly onClose: () => void;
}

const draftFields = ['addresses', 'role'] as const;

export const InviteMany = ({ membership, application, onClose }: InviteManyProps) => {
  const draft = useRestoredDraft('inviteMany');
  const roles = assignableRoles(membership.role, application.roles);
  const [text, setText] = useState(draft?.['addresses'] ?? '');
  const [role, setRole] = useState(roles.find((known) => known === draft?.['role']) ?? roles[0] ?? 'MEMBER');
  const value = useCallback((name: 'addresses' | 'role') => (name === 'role' ? role : text), [role, text]);
  useSavedDraft('inviteMany', draftFields, value);
  const check = useInviteMembers(true);
  const send = useInviteMembers(false);
  const list = { addresses: readAddresses(text), role };
  const [isMissing, setMissing] = useState(false);
  const restart = (): void => {
    check.reset();
    send.reset();
  };
  if (send.data !== undefined) {
    return (
      <ListReport
        list={send.variables}
        reports={send.data}
        preview={check.data}
        onAnother={() => {
          setText('');
          restart();
        }}
        onClose={onClose}
      />
    );
  }
  if (check.data !== undefined) {
    return (
      <ListPreview
        list={list}
        reports={check.data}
        isOwner={membership.role === 'OWNER'}
        busy={send.isPending}
        problem={send.isError && <RefusalNotice error={send.error} />}
        onSend={() => send.mutate(list)}
        onChange={restart}
      />
    );
  }
  return (
    <form
      noValidate
      className="space-y-5 px-5 py-5 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        const { length } = list.addresses;
        setMissing(length === 0);
        if (length > 0 && length <= maxAddresses) check.mutate(list);
      }}
    >
      {check.isError && <RefusalNotice error={check.error} />}
      <AddressesField
        text={text}
        count={list.addresses.length}
        isMissing={isMissing && list.addresses.length === 0}
        onType={setText}
      />
      <RoleField roles={roles} application={application} chosen={role} onChoose={setRole} />
      <CheckButtons busy={check.isPending} onClose={onClose} />
    </form>
  );
};

const CheckButtons = ({ busy, onClose }: { readonly busy: boolean; readonly onClose: () => void }) => (
  <FormButtons submit={useTranslations('inviteMany')('check')} busy={busy} onClose={onClose} />
);

const useInviteMembers = (dryRun: boolean) => {
  const session = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ addresses, role }: AddressList): Promise<Reports> => {
      const input = { emails: [...addresses], role };
      return (await session.request(InviteMembersDocument, { input, dryRun })).inviteMembers.reports;
    },
    onSuccess: () => void (dryRun || queries.invalidateQueries(allMembers)),
    onError: (error) => refreshOnForbidden(session, error),
  });
};

interface AddressesFieldProps {
  readonly text: string;
  readonly count: number;
  /** Whether an empty list was submitted. */
  readonly isMissing: boolean;
  readonly onType: (text: string) => void;
}

const AddressesField = ({ text, count, isMissing, onType }: AddressesFieldProps) => {
  const t = useTranslations('inviteMany');
  const [id, hintId] = [useId(), useId()];
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isTooLong = count > maxAddresses;
  const isWrong = isTooLong || isMissing;
  const counted = isTooLong ? t('tooMany', { count, most: maxAddresses }) : t('counted', { count });
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block text-[0.9375rem] font-medium">
        {t('addresses')}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={8}
        required
        autoCapitalize="none"
        autoComplete="off"
        spellCheck="false"
        dir="ltr"
        value={text}
        aria-describedby={hintId}
        aria-invalid={isWrong || undefined}
        className={`${inputClass} py-2.5 font-mono`}
        onChange={(event) => onType(event.target.value)}
      />
      <div id={hintId} className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm text-soft">
        <span>{t('addressesHint')}</span>
        <span role="status" className={isWrong ? 'font-medium text-danger' : 'tabular-nums'}>
          {isMissing ? t('missing') : counted}
        </span>
      </div>
    </div>
  );
};
