/**
 * Components loaded with a dynamic import. A failed load never breaks the portal: without a connection it shows an
 * error and can be retried; when a new release has replaced the chunk, the page reloads once.
 */
import { type ReactNode, use } from 'react';
import { Refusal } from '../session/refusal.ts';

/** The chunk could not be loaded because the service is unreachable. */
export class ChunkLoadError extends Refusal {
  /** Loads the chunk again. Never rejects: the next render shows the outcome. */
  readonly retry: () => Promise<void>;

  constructor(retry: () => Promise<void>, cause: unknown) {
    super('OFFLINE', 'A part of the portal could not be fetched.', { cause });
    this.retry = retry;
  }
}

type Component<Props> = (props: Props) => ReactNode;

interface LazySource<Props> {
  readonly load: () => Promise<Component<Props>>;
  /** Whether the service responds, so that the missing chunk is the cause. */
  readonly isReachable: () => Promise<boolean>;
  /** Reloads the page. @returns false when it has been reloaded once already */
  readonly reloadOnce: () => boolean;
}

interface LazyState<Props> {
  readonly fetch: () => Promise<void>;
  /** Undefined until {@link fetch} has finished. @throws ChunkLoadError, or the error that the module threw */
  readonly component: () => Component<Props> | undefined;
}

/**
 * Loading state of one component, independent of React so that it can be tested without a browser.
 * @internal A test runs it alone.
 */
export const createLazyState = <Props,>({ load, isReachable, reloadOnce }: LazySource<Props>): LazyState<Props> => {
  let component: Component<Props> | undefined;
  let failure: unknown;
  let loading: Promise<void> | undefined;

  const attempt = async (): Promise<void> => {
    failure = undefined;
    try {
      component = await load();
    } catch (cause) {
      if (!(await isReachable())) failure = new ChunkLoadError(fetch, cause);
      // Suspends rendering until the page reloads.
      else if (reloadOnce()) await new Promise(() => undefined);
      else failure = cause;
    }
    loading = undefined;
  };

  const fetch = (): Promise<void> => {
    if (component !== undefined) return Promise.resolve();
    loading ??= attempt();
    return loading;
  };

  return {
    fetch,
    component: () => {
      if (failure !== undefined) throw failure;
      return component;
    },
  };
};

export const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
};

/** Differs for each build. */
const reloadKey = `gatehouse-reloaded ${import.meta.url}`;

/** Reloads the page for a new release. @returns false when it has been reloaded once already */
export const reloadOnce = (): boolean => {
  try {
    if (sessionStorage.getItem(reloadKey) !== null) return false;
    sessionStorage.setItem(reloadKey, 'yes');
  } catch {
    // Without sessionStorage the reload could loop.
    return false;
  }
  window.location.reload();
  return true;
};

/** A component that suspends until its chunk is loaded. The router preloads it before rendering. */
export const lazyComponent = <Props extends object>(
  load: () => Promise<Component<Props>>,
): Component<Props> & { readonly preload: () => Promise<void> } => {
  const lazy = createLazyState({ load, isReachable, reloadOnce });
  const render = (props: Props) => {
    const Component = lazy.component() ?? suspendUntilLoaded(lazy);
    return <Component {...props} />;
  };
  return Object.assign(render, { preload: lazy.fetch });
};

const suspendUntilLoaded = <Props,>(lazy: LazyState<Props>): Component<Props> => {
  use(lazy.fetch());
  const component = lazy.component();
  if (component === undefined) throw new Error('The component was rendered before its chunk was loaded.');
  return component;
};
