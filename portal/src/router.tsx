/** The router of the portal, over the routes of `routes/`. */
import { createRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { PageLoading } from './components/page.tsx';
import { FailurePage } from './pages/error-pages.tsx';
import { type RouterContext, rootRoute } from './routes/parents.tsx';
import { publicRoutes } from './routes/public.ts';
import { signedInRoutes } from './routes/signed-in.ts';
import { Refusal } from './session/refusal.ts';
import { textEntries } from './url-parameters.ts';

const routeTree = rootRoute.addChildren([publicRoutes, signedInRoutes]);

/** A refused request is shown on a page; only unexpected errors go to the console. */
const reportUnexpectedError = (error: unknown): void => {
  if (!(error instanceof Refusal)) reportError(error);
};

export const createPortalRouter = (context: RouterContext) =>
  createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultOnCatch: reportUnexpectedError,
    defaultErrorComponent: ({ error }: ErrorComponentProps) => <FailurePage error={error} />,
    // Plain strings: the router's default would parse `?redirect=12` as a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(textEntries(search)).toString();
      return text === '' ? '' : `?${text}`;
    },
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }

  /** State of a history entry, kept over a reload and never part of the URL. */
  interface HistoryState {
    /** On /signup: the submitted request, shown on the page after the form. */
    readonly requested?: {
      readonly email: string;
      /** Undefined when no answer came: the account may exist. */
      readonly verificationRequired: boolean | undefined;
    };
    /** On /signin: the e-mail address confirmed just before. */
    readonly confirmedEmail?: string;
  }
}
