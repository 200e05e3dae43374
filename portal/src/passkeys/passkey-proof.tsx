/** The proof with a passkey that the person of a session is present. */
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { BeginPasskeyProofDocument, ReauthenticateDocument } from '../generated/graphql.ts';
import { useSession } from '../session/session-context.tsx';
import { answerWithPasskey } from './ceremonies.ts';
import { PasskeyProblem } from './passkey-problem.tsx';

interface PasskeyProofProps {
  readonly onProven: () => void;
}

export const PasskeyProof = ({ onProven }: PasskeyProofProps) => {
  const t = useTranslations('passkeys');
  const session = useSession();
  const proof = useMutation({
    mutationFn: async () => {
      const { reauthenticateOptions: options } = await session.send(BeginPasskeyProofDocument, {});
      const passkey = await answerWithPasskey(options.publicKey);
      await session.send(ReauthenticateDocument, { input: { passkey } });
    },
    onSuccess: onProven,
  });
  return (
    <div className="space-y-5">
      {proof.isError && <PasskeyProblem error={proof.error} />}
      <Button
        variant="secondary"
        className="min-h-12 w-full"
        busy={proof.isPending || proof.isSuccess}
        onClick={() => proof.mutate()}
      >
        <span className="flex items-center justify-center gap-2">
          <Icon name="key" />
          {t('confirm')}
        </span>
      </Button>
    </div>
  );
};
