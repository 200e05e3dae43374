/**
 * Step-up: a request that needs a recent authentication, or a second factor, waits until the person has given it, and
 * is sent again. One question at a time; requests that need an answer meanwhile share it.
 */
import { hasCode } from './refusal.ts';

/** The proof that the server asks for. */
export type StepUpNeed = 'authentication' | 'second_factor';

export interface StepUp {
  /** The question that waits for an answer. */
  readonly need: () => StepUpNeed | undefined;
  /** Subscribes the component that shows the question. @returns unsubscribes */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Answers the question: requests that wait are sent again, or fail as they did. */
  readonly settle: (isProven: boolean) => void;
  /** Asks the person. @returns false when they cancel, and at once where no page shows the question */
  readonly ask: (need: StepUpNeed) => Promise<boolean>;
}

interface Question {
  readonly need: StepUpNeed;
  readonly answer: Promise<boolean>;
  readonly settle: (isProven: boolean) => void;
}

const newQuestion = (need: StepUpNeed): Question => {
  const { promise: answer, resolve: settle } = Promise.withResolvers<boolean>();
  return { need, answer, settle };
};

export const createStepUp = (): StepUp => {
  const listeners = new Set<() => void>();
  let question: Question | undefined;
  const change = (next: Question | undefined): void => {
    question = next;
    for (const listener of listeners) listener();
  };
  return {
    need: () => question?.need,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => {
        listeners.delete(onChange);
        if (listeners.size > 0) return;
        question?.settle(false);
        question = undefined;
      };
    },
    settle: (isProven) => {
      question?.settle(isProven);
      change(undefined);
    },
    ask: async (need) => {
      if (listeners.size === 0) return false;
      if (question === undefined) change(newQuestion(need));
      return question?.answer ?? false;
    },
  };
};

const needOf = (error: unknown): StepUpNeed | undefined => {
  if (hasCode(error, 'REAUTHENTICATION_REQUIRED')) return 'authentication';
  return hasCode(error, 'SECOND_FACTOR_REQUIRED') ? 'second_factor' : undefined;
};

/**
 * Sends a request, again after each question that the person answers.
 * @throws the refusal when they cancel; any other error as it comes
 */
export const withStepUp = async <Result>(
  { ask }: Pick<StepUp, 'ask'>,
  send: () => Promise<Result>,
): Promise<Result> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const need = needOf(error);
      if (need === undefined || !(await ask(need))) throw error;
    }
  }
};
