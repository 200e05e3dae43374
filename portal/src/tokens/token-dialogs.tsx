/** The questions before a token is rotated or revoked, and the requests after them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog, useLastValue } from '../components/confirm-dialog.tsx';
import { type IssuedSecretFragment, RevokeTokenDocument, RotateTokenDocument } from '../generated/graphql.ts';
import { refreshOnForbidden } from '../session/refusal.ts';
import { useSession } from '../session/session-context.tsx';
import { TokenProblem } from './token-problem.tsx';
import { allTokens, type Token } from './tokens.ts';

interface DialogProps {
  /** Undefined while the question is not asked. */
  readonly token: Token | undefined;
  readonly focusAfter: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Seconds that the secret of before lives on; the service's own choice is a day. */
const overlaps = [0, 3600, 86_400, 604_800] as const;

type Overlap = (typeof overlaps)[number];

interface RotateDialogProps extends DialogProps {
  readonly onRotated: (issued: IssuedSecretFragment) => void;
}

export const RotateDialog = ({ token, focusAfter, onRotated, onClose }: RotateDialogProps) => {
  const t = useTranslations('tokens.rotation');
  const session = useSession();
  const queries = useQueryClient();
  const [overlapSeconds, setOverlap] = useState<Overlap>(86_400);
  const rotation = useMutation({
    mutationFn: ({ id }: Token) =>
      session.request(RotateTokenDocument, { input: { tokenId: id, overlapSeconds, expiresAt: null } }),
    // Not kept: it holds a secret.
    gcTime: 0,
    onSuccess: async ({ rotateToken }) => {
      close();
      onRotated(rotateToken);
      await queries.invalidateQueries(allTokens);
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  const close = () => {
    rotation.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={token !== undefined}
      title={t('title', { name: useLastValue(token)?.name ?? '' })}
      text={t('text')}
      warning={<OverlapChoice chosen={overlapSeconds} onChoose={setOverlap} />}
      submit={t('submit')}
      isHarmless
      busy={rotation.isPending}
      problem={rotation.isError && <TokenProblem error={rotation.error} />}
      focusAfter={focusAfter}
      onConfirm={() => token !== undefined && rotation.mutate(token)}
      onClose={close}
    />
  );
};

interface OverlapChoiceProps {
  readonly chosen: Overlap;
  readonly onChoose: (overlap: Overlap) => void;
}

const OverlapChoice = ({ chosen, onChoose }: OverlapChoiceProps) => {
  const t = useTranslations('tokens.rotation');
  const name = useId();
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-[0.9375rem] font-medium">{t('overlap')}</legend>
      <div className="divide-y divide-line rounded-control border border-edge">
        {overlaps.map((overlap) => (
          <label key={overlap} className="flex min-h-11 items-center gap-3 px-3.5 py-2">
            <input
              type="radio"
              name={name}
              value={overlap}
              checked={overlap === chosen}
              className="size-4 shrink-0 accent-accent"
              onChange={() => onChoose(overlap)}
            />
            {t(`seconds${overlap}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

interface RevokeDialogProps extends DialogProps {
  readonly onRevoked: (token: Token) => void;
}

export const RevokeDialog = ({ token, focusAfter, onRevoked, onClose }: RevokeDialogProps) => {
  const t = useTranslations('tokens.revocation');
  const session = useSession();
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: ({ id }: Token) => session.request(RevokeTokenDocument, { tokenId: id }),
    onSuccess: async (_, revoked) => {
      close();
      onRevoked(revoked);
      await queries.invalidateQueries(allTokens);
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  const close = () => {
    revocation.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={token !== undefined}
      title={t('title', { name: useLastValue(token)?.name ?? '' })}
      text={t('text')}
      submit={t('submit')}
      busy={revocation.isPending}
      problem={revocation.isError && <TokenProblem error={revocation.error} />}
      focusAfter={focusAfter}
      onConfirm={() => token !== undefined && revocation.mutate(token)}
      onClose={close}
    />
  );
};
