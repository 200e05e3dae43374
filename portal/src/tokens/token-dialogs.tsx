/** The questions before a token is rotated or revoked. */
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog, useLastValue } from '../components/overlays/confirm-dialog.tsx';
import { RadioField } from '../forms/radio-field.tsx';
import { type IssuedSecretFragment, RevokeTokenDocument, RotateTokenDocument } from '../generated/graphql.ts';
import { useTokenQuestion } from './token-question.tsx';
import type { Token } from './tokens.ts';

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
  const [overlapSeconds, setOverlap] = useState<Overlap>(86_400);
  const question = useTokenQuestion({
    subject: token,
    request: (session, { id }) =>
      session.request(RotateTokenDocument, { input: { tokenId: id, overlapSeconds, expiresAt: null } }),
    onDone: (_, { rotateToken }) => onRotated(rotateToken),
    onClose,
  });
  return (
    <ConfirmDialog
      {...question}
      title={t('title', { name: useLastValue(token)?.name ?? '' })}
      text={t('text')}
      warning={
        <RadioField
          legend={t('overlap')}
          choices={overlaps.map((value) => ({ value, title: t(`seconds${value}`) }))}
          chosen={overlapSeconds}
          onChoose={setOverlap}
        />
      }
      submit={t('submit')}
      isHarmless
      focusAfter={focusAfter}
    />
  );
};

interface RevokeDialogProps extends DialogProps {
  readonly onRevoked: (token: Token) => void;
}

export const RevokeDialog = ({ token, focusAfter, onRevoked, onClose }: RevokeDialogProps) => {
  const t = useTranslations('tokens.revocation');
  const question = useTokenQuestion({
    subject: token,
    request: (session, { id }) => session.request(RevokeTokenDocument, { tokenId: id }),
    onDone: onRevoked,
    onClose,
  });
  return (
    <ConfirmDialog
      {...question}
      title={t('title', { name: useLastValue(token)?.name ?? '' })}
      text={t('text')}
      submit={t('submit')}
      focusAfter={focusAfter}
    />
  );
};
