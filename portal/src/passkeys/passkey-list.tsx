/** The section of the person's passkeys: list, add, rename, remove. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountRefusal } from '../components/account-refusal.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { formatDate, Instant } from '../components/dates.tsx';
import { useTimeAgo } from '../components/detail-list.tsx';
import { ConfirmDialog, useLastValue } from '../components/overlays/confirm-dialog.tsx';
import { ResultNotice } from '../components/result-notice.tsx';
import { FetchPasskeysDocument, type OwnPasskeyFragment, RemovePasskeyDocument } from '../generated/graphql.ts';
import { WholeList } from '../lists/whole-list.tsx';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';
import { hasWebAuthn } from './ceremonies.ts';
import { AddPasskeyForm, RenamePasskeyForm } from './passkey-forms.tsx';

const passkeysQuery = (session: Session) =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: async () => (await session.request(FetchPasskeysDocument, {})).myPasskeys,
  });

export const Passkeys = () => {
  const t = useTranslations('passkeys');
  const session = useSession();
  const queries = useQueryClient();
  const own = useQuery(passkeysQuery(session));
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<OwnPasskeyFragment>();
  const [result, setResult] = useState<string>();
  const resultNotice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result !== undefined) resultNotice.current?.focus();
  }, [result]);
  const show = async (message: string): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries(passkeysQuery(session)),
      queries.invalidateQueries({ queryKey: ['proofs'] }),
    ]);
    setAdding(false);
    setResult(message);
  };
  return (
    <>
      <WholeList
        title={t('title')}
        lead={t('lead')}
        query={own}
        rows={own.data}
        none={isAdding ? undefined : t('none')}
        footer={
          isAdding ? undefined : (
            <AddButton
              onAdd={() => {
                setResult(undefined);
                setAdding(true);
              }}
            />
          )
        }
        // Focused: the button or the form that had the focus is gone.
        result={<ResultNotice place={resultNotice}>{result}</ResultNotice>}
        note={isAdding && <AddPasskeyForm onAdded={show} onClose={() => setAdding(false)} />}
      >
        {(passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRenamed={show} onRemove={() => setChosen(passkey)} />
        )}
      </WholeList>
      <RemovalDialog
        passkey={chosen}
        resultNotice={resultNotice}
        onRemoved={show}
        onClose={() => setChosen(undefined)}
      />
    </>
  );
};

const AddButton = ({ onAdd }: { readonly onAdd: () => void }) => {
  const t = useTranslations('passkeys');
  if (!hasWebAuthn()) return <p className="text-soft">{t('noWebAuthn')}</p>;
  return (
    <Button variant="secondary" onClick={onAdd}>
      {t('add')}
    </Button>
  );
};

interface PasskeyRowProps {
  readonly passkey: OwnPasskeyFragment;
  readonly onRenamed: (message: string) => Promise<void>;
  readonly onRemove: () => void;
}

const PasskeyRow = ({ passkey, onRenamed, onRemove }: PasskeyRowProps) => {
  const t = useTranslations('passkeys');
  const [isRenaming, setRenaming] = useState(false);
  const { id, name } = passkey;
  return (
    <li className="space-y-4 px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56 space-y-1">
          <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
            {name}
            {passkey.isBackedUp && <Badge>{t('backedUp')}</Badge>}
          </p>
          <PasskeyDetails passkey={passkey} />
        </div>
        <div className="flex gap-3">
          {!isRenaming && (
            <Button variant="secondary" aria-label={t('renameOne', { name })} onClick={() => setRenaming(true)}>
              {t('rename')}
            </Button>
          )}
          <Button variant="danger-secondary" aria-label={t('removeOne', { name })} onClick={onRemove}>
            {t('remove')}
          </Button>
        </div>
      </div>
      {isRenaming && (
        <RenamePasskeyForm
          id={id}
          name={name}
          onRenamed={async (message) => {
            setRenaming(false);
            await onRenamed(message);
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </li>
  );
};

const PasskeyDetails = ({ passkey: { createdAt, lastUsedAt, relyingPartyId } }: Pick<PasskeyRowProps, 'passkey'>) => {
  const t = useTranslations('passkeys');
  const timeAgo = useTimeAgo();
  const date = formatDate(createdAt, { dateStyle: 'medium' });
  return (
    <div className="space-y-1 text-sm text-soft">
      <p>
        <Instant at={createdAt}>{t('created', { date })}</Instant>
        {', '}
        {lastUsedAt === null ? (
          t('neverUsed')
        ) : (
          <Instant at={lastUsedAt}>{t('lastUsed', { when: timeAgo(lastUsedAt) })}</Instant>
        )}
      </p>
      {!isOwnAddress(relyingPartyId) && <p className="text-caution">{t('useless', { address: relyingPartyId })}</p>}
    </div>
  );
};

/** Whether this page is at or below a relying party id. */
const isOwnAddress = (relyingPartyId: string): boolean => `.${window.location.hostname}`.endsWith(`.${relyingPartyId}`);

interface RemovalDialogProps {
  readonly passkey: OwnPasskeyFragment | undefined;
  readonly resultNotice: RefObject<HTMLElement | null>;
  readonly onRemoved: (message: string) => Promise<void>;
  readonly onClose: () => void;
}

const RemovalDialog = ({ passkey, resultNotice, onRemoved, onClose }: RemovalDialogProps) => {
  const t = useTranslations('passkeys');
  const session = useSession();
  const removal = useMutation({
    mutationFn: ({ id }: OwnPasskeyFragment) => session.request(RemovePasskeyDocument, { id }),
    onSuccess: async (_, { name }) => {
      onClose();
      await onRemoved(t('removed', { name }));
    },
  });
  const close = () => {
    removal.reset();
    onClose();
  };
  const shown = useLastValue(passkey);
  return (
    <ConfirmDialog
      open={passkey !== undefined}
      title={t('confirmRemoval.title', { name: shown?.name ?? '' })}
      text={t('confirmRemoval.text')}
      submit={t('confirmRemoval.submit')}
      busy={removal.isPending}
      problem={removal.isError && <AccountRefusal error={removal.error} forbidden={t('last')} />}
      focusAfter={resultNotice}
      onConfirm={() => passkey !== undefined && removal.mutate(passkey)}
      onClose={close}
    />
  );
};
