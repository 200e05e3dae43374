/** The request after a question about a token or a service account, as the properties of its dialog. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshOnForbidden } from '../session/refresh-on-forbidden.ts';
import type { Session } from '../session/session.ts';
import { useSession } from '../session/session-context.tsx';
import { TokenProblem } from './token-problem.tsx';
import { allTokens } from './tokens.ts';

interface TokenQuestion<Subject, Answer> {
  /** Undefined while the question is not asked. */
  readonly subject: Subject | undefined;
  readonly request: (session: Session, subject: Subject) => Promise<Answer>;
  readonly onDone: (subject: Subject, answer: Answer) => void;
  readonly onClose: () => void;
}

/** The dialog stays open with the problem when the request fails. */
export const useTokenQuestion = <Subject, Answer>({
  subject,
  request,
  onDone,
  onClose,
}: TokenQuestion<Subject, Answer>) => {
  const session = useSession();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: (asked: Subject) => request(session, asked),
    // Not kept: the answer to a rotation holds a secret.
    gcTime: 0,
    onSuccess: async (answer, asked) => {
      close();
      onDone(asked, answer);
      await queries.invalidateQueries(allTokens);
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  const close = () => {
    mutation.reset();
    onClose();
  };
  return {
    open: subject !== undefined,
    busy: mutation.isPending,
    problem: mutation.isError && <TokenProblem error={mutation.error} />,
    onConfirm: () => subject !== undefined && mutation.mutate(subject),
    onClose: close,
  };
};
