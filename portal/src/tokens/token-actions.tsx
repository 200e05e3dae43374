/** Owns the actions of a list of tokens: rotate and revoke, with the questions, the new secret and the result. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import type { IssuedSecretFragment } from '../generated/graphql.ts';
import { NewSecret } from './new-secret.tsx';
import { RevokeDialog, RotateDialog } from './token-dialogs.tsx';
import type { Token } from './tokens.ts';

export interface TokenActions {
  readonly question: { readonly kind: 'rotate' | 'revoke'; readonly token: Token } | undefined;
  readonly issued: IssuedSecretFragment | undefined;
  readonly result: string | undefined;
  /** Receives the focus where the focused button or form is gone. */
  readonly resultNotice: RefObject<HTMLDivElement | null>;
  readonly ask: (kind: 'rotate' | 'revoke', token: Token) => void;
  readonly close: () => void;
  readonly showSecret: (issued: IssuedSecretFragment | undefined) => void;
  readonly showResult: (result: string | undefined) => void;
}

export const useTokenActions = (): TokenActions => {
  const [question, setQuestion] = useState<TokenActions['question']>();
  const [issued, setIssued] = useState<IssuedSecretFragment>();
  const [result, setResult] = useState<string>();
  const resultNotice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (result !== undefined || issued !== undefined) resultNotice.current?.focus();
  }, [result, issued]);
  return {
    question,
    issued,
    result,
    resultNotice,
    ask: (kind, token) => {
      setResult(undefined);
      setIssued(undefined);
      setQuestion({ kind, token });
    },
    close: () => setQuestion(undefined),
    showSecret: setIssued,
    showResult: setResult,
  };
};

/** The result of the last action, and a secret that it issued, above the list. */
export const TokenResult = ({ actions }: { readonly actions: TokenActions }) => {
  const { result, resultNotice, issued, showSecret } = actions;
  const hideSecret = (): void => {
    resultNotice.current?.focus();
    showSecret(undefined);
  };
  return (
    <div ref={resultNotice} tabIndex={-1} className="outline-none">
      <div role="status">
        {result !== undefined && (
          <div className="p-3">
            <Notice tone="success">
              <p>{result}</p>
            </Notice>
          </div>
        )}
      </div>
      {issued !== undefined && (
        <div className="border-b border-line">
          <NewSecret key={issued.secret} issued={issued} onDone={hideSecret} />
        </div>
      )}
    </div>
  );
};

export const TokenDialogs = ({ actions }: { readonly actions: TokenActions }) => {
  const t = useTranslations('tokens');
  const { question, resultNotice, close, showSecret, showResult } = actions;
  return (
    <>
      <RotateDialog
        token={question?.kind === 'rotate' ? question.token : undefined}
        focusAfter={resultNotice}
        onRotated={showSecret}
        onClose={close}
      />
      <RevokeDialog
        token={question?.kind === 'revoke' ? question.token : undefined}
        focusAfter={resultNotice}
        onRevoked={({ name }) => showResult(t('wasRevoked', { name }))}
        onClose={close}
      />
    </>
  );
};

interface TokenButtonsProps {
  readonly token: Token;
  readonly actions: TokenActions;
  readonly mayRotate: boolean;
}

export const TokenButtons = ({ token, actions, mayRotate }: TokenButtonsProps) => {
  const t = useTranslations('tokens');
  const names = { name: token.name, characters: token.lastCharacters };
  return (
    <>
      {mayRotate && (
        <Button variant="secondary" aria-label={t('rotateOne', names)} onClick={() => actions.ask('rotate', token)}>
          {t('rotate')}
        </Button>
      )}
      <Button
        variant="danger-secondary"
        aria-label={t('revokeOne', names)}
        onClick={() => actions.ask('revoke', token)}
      >
        {t('revoke')}
      </Button>
    </>
  );
};
