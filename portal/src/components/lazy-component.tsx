/**
 * Pages and forms whose code arrives when they are opened. One that cannot be fetched leaves the portal as it is: where
 * the service cannot be reached it says so and is fetched again later; where a new release has replaced its file, the
 * portal starts afresh, once.
 */
import { type ReactNode, use } from 'react';
import { Refusal } from '../session/refusal.ts';

/** The code of a part could not be fetched for want of a connection. */
export class PartMissing extends Refusal {
  /** Fetches it again; never rejects: the next drawing of the part shows the outcome. */
  readonly fetchAgain: () => Promise<void>;

  constructor(fetchAgain: () => Promise<void>, cause: unknown) {
    super('OFFLINE', 'A part of the portal could not be fetched.', { cause });
    this.fetchAgain = fetchAgain;
  }
}

type Component<Props> = (props: Props) => ReactNode;

interface PartSource<Props> {
  readonly load: () => Promise<Component<Props>>;
  /** Whether the service answers, so that the file itself is what is missing. */
  readonly isReachable: () => Promise<boolean>;
  /** Starts the portal afresh. @returns false where it has just done so in vain */
  readonly startAfresh: () => boolean;
}

interface Part<Props> {
  readonly fetch: () => Promise<void>;
  /** Undefined before {@link fetch} has ended. @throws PartMissing, or why the code failed */
  readonly component: () => Component<Props> | undefined;
}

/** What is known of one part; apart from React, so that it can be tried without a browser. */
export const createPart = <Props,>({ load, isReachable, startAfresh }: PartSource<Props>): Part<Props> => {
  let component: Component<Props> | undefined;
  let failure: unknown;
  let underWay: Promise<void> | undefined;

  const attempt = async (): Promise<void> => {
    failure = undefined;
    try {
      component = await load();
    } catch (cause) {
      if (!(await isReachable())) failure = new PartMissing(fetch, cause);
      // While the page is about to go, nothing more is drawn.
      else if (startAfresh()) await new Promise(() => undefined);
      else failure = cause;
    }
    underWay = undefined;
  };

  const fetch = (): Promise<void> => {
    if (component !== undefined) return Promise.resolve();
    underWay ??= attempt();
    return underWay;
  };

  return {
    fetch,
    component: () => {
      if (failure !== undefined) throw failure;
      return component;
    },
  };
};

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
};

/** The build that this page is of; a later one has another. */
const restartKey = `gatehouse-restarted ${import.meta.url}`;

const startAfresh = (): boolean => {
  try {
    if (sessionStorage.getItem(restartKey) !== null) return false;
    sessionStorage.setItem(restartKey, 'yes');
  } catch {
    // Without a memory of it, it could go on for ever.
    return false;
  }
  window.location.reload();
  return true;
};

/** A component that suspends until its code is there. Routers fetch it before they draw it. */
export const lazyPart = <Props extends object>(
  load: () => Promise<Component<Props>>,
): Component<Props> & { readonly preload: () => Promise<void> } => {
  const part = createPart({ load, isReachable, startAfresh });
  const draw = (props: Props) => {
    const Component = part.component() ?? awaited(part);
    return <Component {...props} />;
  };
  return Object.assign(draw, { preload: part.fetch });
};

const awaited = <Props,>(part: Part<Props>): Component<Props> => {
  use(part.fetch());
  const component = part.component();
  if (component === undefined) throw new Error('A part was drawn before it was there.');
  return component;
};
