/** The sign-in with a passkey: a button, and the autofill of the address field. Loaded after the page is shown. */
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { BeginPasskeySignInDocument, SignInWithPasskeyDocument } from '../generated/graphql.ts';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';
import { answerWithPasskey, hasWebAuthn } from './ceremonies.ts';
import { PasskeyProblem } from './passkey-problem.tsx';

interface PasskeySignInProps {
  /** Called when the person begins. */
  readonly onBegin: () => void;
}

export const PasskeySignIn = (props: PasskeySignInProps) => (hasWebAuthn() ? <SignInWithPasskey {...props} /> : null);

const SignInWithPasskey = ({ onBegin }: PasskeySignInProps) => {
  const t = useTranslations('passkeys');
  const session = useSession();
  const attempt = useMutation({
    mutationFn: async (chosen?: string) => signIn(session, chosen ?? (await answerWithPasskey(await begin(session)))),
    onMutate: onBegin,
    onError: () => startAutofill(),
  });
  const { start: startAutofill, stop: stopAutofill } = useAutofill(session, attempt.mutate);
  return (
    <div className="space-y-5">
      {attempt.isError && <PasskeyProblem error={attempt.error} />}
      <Button
        variant="secondary"
        className="min-h-12 w-full"
        busy={attempt.isPending || attempt.isSuccess}
        onClick={() => {
          // A browser runs one ceremony at a time.
          stopAutofill();
          attempt.mutate(undefined);
        }}
      >
        <span className="flex items-center justify-center gap-2">
          <Icon name="key" />
          {t('signIn')}
        </span>
      </Button>
    </div>
  );
};

const begin = async (session: Session): Promise<string> =>
  (await session.send(BeginPasskeySignInDocument, {})).signInWithPasskeyOptions.publicKey;

const signIn = (session: Session, response: string): Promise<unknown> =>
  session.begin(
    (send) => send(SignInWithPasskeyDocument, { response }),
    (answer) => answer.signInWithPasskey.user,
  );

/** Offers passkeys in the autofill while the page is open. */
const useAutofill = (session: Session, onChosen: (response: string) => void) => {
  const stopping = useRef<AbortController>(undefined);
  const chosen = useRef(onChosen);
  useEffect(() => {
    chosen.current = onChosen;
  });
  const stop = useCallback(() => stopping.current?.abort(), []);
  const start = useCallback(() => {
    const controller = new AbortController();
    stopping.current = controller;
    void offerAutofill(session, controller.signal).then((response) => {
      if (response !== undefined) chosen.current(response);
    });
  }, [session]);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  return { start, stop };
};

/** A minute less than a challenge lives. */
const renewalMilliseconds = 4 * 60 * 1000;

/**
 * @returns the answer of the passkey that the person chose; undefined where the browser has no such autofill, or it was
 *   stopped or failed: the button is there in any case
 */
const offerAutofill = async (session: Session, signal: AbortSignal): Promise<string | undefined> => {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return undefined;
    while (!signal.aborted) {
      const publicKey = await begin(session);
      const renewal = AbortSignal.timeout(renewalMilliseconds);
      try {
        return await answerWithPasskey(publicKey, {
          mediation: 'conditional',
          signal: AbortSignal.any([signal, renewal]),
        });
      } catch (error) {
        if (!renewal.aborted) throw error;
      }
    }
    return undefined;
  } catch {
    return undefined;
  }
};
