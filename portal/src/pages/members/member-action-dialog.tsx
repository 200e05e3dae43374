/** Does what a row of the member list offers: asks first where something ends, then tells what has happened. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Notice, RefusalNotice } from '../../components/notice.tsx';
import { refreshOnForbidden } from '../../session/refusal.ts';
import { useSession } from '../../session/session-context.tsx';
import { allMembers, type Deed, type Membership, nameOf, perform, type Question, questionBefore } from './members.ts';

interface Deeds {
  /** Waits for the person's word. */
  readonly asked: Deed | undefined;
  readonly done: Deed | undefined;
  readonly error: unknown;
  readonly busy: boolean;
  /** Takes the focus when what had it is gone. */
  readonly news: RefObject<HTMLDivElement | null>;
  readonly begin: (deed: Deed) => void;
  readonly confirm: () => void;
  readonly close: () => void;
}

/** @param onLeft told the name of the organization that the person has left */
export const useDeeds = (membership: Membership, onLeft: (organization: string) => void): Deeds => {
  const session = useSession();
  const queries = useQueryClient();
  const news = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<Deed>();
  const doing = useMutation({
    mutationFn: (deed: Deed) => perform(session, deed, membership),
    onSuccess: (_, deed) => {
      setAsked(undefined);
      if (deed.kind === 'leave') onLeft(membership.organization.name);
      else void queries.invalidateQueries(allMembers);
    },
    onError: async (error) => {
      await refreshOnForbidden(session, error);
      void queries.invalidateQueries(allMembers);
    },
  });
  return {
    asked,
    done: doing.isSuccess ? doing.variables : undefined,
    error: doing.isError ? doing.error : undefined,
    busy: doing.isPending,
    news,
    begin: (deed) => {
      if (doing.isPending) return;
      doing.reset();
      if (questionBefore(deed, membership) === undefined) doing.mutate(deed);
      else setAsked(deed);
    },
    confirm: () => asked !== undefined && doing.mutate(asked),
    close: () => {
      if (doing.isPending) return;
      doing.reset();
      setAsked(undefined);
    },
  };
};

interface DeedProps {
  readonly deeds: Deeds;
  readonly membership: Membership;
}

export const DeedNews = ({ deeds, membership }: DeedProps) => {
  const wordsFor = useDoneWords(membership);
  const { done, error, asked, news } = deeds;
  return (
    <>
      <div role="status">
        {done !== undefined && (
          <div ref={news} tabIndex={-1} className="p-3 outline-none">
            <Notice tone="done">
              <p className="wrap-anywhere">{wordsFor(done)}</p>
            </Notice>
          </div>
        )}
      </div>
      {error !== undefined && asked === undefined && (
        <div className="p-3">
          <RefusalNotice error={error} />
        </div>
      )}
    </>
  );
};

export const DeedDialog = ({ deeds, membership }: DeedProps) => {
  const t = useTranslations('memberDeeds.confirm');
  const wordsFor = useDeedWords(membership);
  const { asked, error, busy, news, confirm, close } = deeds;
  // The words stay while the dialog fades out.
  const [shown, setShown] = useState(asked);
  if (asked !== undefined && asked !== shown) setShown(asked);
  const question: Question = (shown && questionBefore(shown, membership)) ?? 'remove';
  const words = wordsFor(shown);
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={t(`${question}.title`, words)}
      text={t(`${question}.text`, words)}
      submit={t(`${question}.submit`)}
      busy={busy}
      problem={error !== undefined && <RefusalNotice error={error} />}
      focusAfter={news}
      onConfirm={confirm}
      onClose={close}
    />
  );
};

/** What the texts about a deed name: whom it concerns, in which organization, and the role given. */
const useDeedWords = ({ organization }: Membership) => {
  const roles = useTranslations('roles');
  return (deed: Deed | undefined) => ({
    person: deed === undefined ? '' : nameOf(deed.member),
    email: deed?.member.email ?? '',
    role: deed?.kind === 'role' ? roles(deed.role) : '',
    organization: organization.name,
  });
};

const useDoneWords = (membership: Membership) => {
  const t = useTranslations('memberDeeds.done');
  const wordsFor = useDeedWords(membership);
  return (deed: Deed): string => t(deed.kind, wordsFor(deed));
};
