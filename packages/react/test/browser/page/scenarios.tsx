/**
 * What the browser tests run inside the page: each scenario renders over a Gatehouse in memory, and answers what it has
 * seen. Bundled once for each version of React.
 */
import type { Client } from '@gatehouse/client';
import {
  GatehouseProvider,
  RedirectToSignIn,
  SignedIn,
  SignedOut,
  useOrganization,
  useScope,
  useSession,
  useUser,
} from '@gatehouse/react';
import { type ReactNode, StrictMode, startTransition, useEffect, useState, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { GatehouseInMemory, noConnection } from '../../../../client/test/support/gatehouse.ts';

const newContainer = (): HTMLElement => {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  return container;
};

const pause = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const until = async (isTrue: () => boolean): Promise<void> => {
  const giveUpAt = performance.now() + 5000;
  while (!isTrue()) {
    if (performance.now() > giveUpAt)
      throw new Error(`Never true: ${isTrue.toString()}; the page says ${document.body.innerHTML}`);
    await pause(1);
  }
};

/** Every text that a person could have seen, in order. */
const watch = (
  container: HTMLElement,
): { readonly seen: readonly string[]; readonly shows: (text: string) => Promise<void> } => {
  const seen = [container.innerText];
  new MutationObserver(() => {
    const now = container.innerText;
    if (now !== seen.at(-1)) seen.push(now);
  }).observe(container, { childList: true, subtree: true, characterData: true });
  return { seen, shows: (text) => until(() => container.innerText === text && seen.at(-1) === text) };
};

const Name = () => <b>{useUser()?.name}</b>;

const Page = ({ client, children }: { readonly client: Client; readonly children?: ReactNode }) => (
  <GatehouseProvider client={client}>
    <SignedIn fallback="waiting">
      in as <Name />
    </SignedIn>
    <SignedOut>out</SignedOut>
    {children}
  </GatehouseProvider>
);

const show = (page: ReactNode) => {
  const container = newContainer();
  const watched = watch(container);
  createRoot(container).render(page);
  return { container, ...watched };
};

/** Errors that React reports, from now on. */
const complaints: string[] = [];
console.error = (...words: unknown[]) => complaints.push(words.map(String).join(' '));
addEventListener('error', ({ message }) => complaints.push(message));

const scenarios = {
  version: async () => version,

  complaints: async () => complaints,

  visitor: async () => {
    const { seen, shows } = show(<Page client={new GatehouseInMemory().openTab()} />);
    await shows('out');
    return seen;
  },

  signedIn: async () => {
    const { seen, shows } = show(<Page client={GatehouseInMemory.signedIn().openTab()} />);
    await shows('in as Ada');
    return seen;
  },

  strictMode: async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { seen, shows } = show(
      <StrictMode>
        <Page client={gatehouse.openTab()}>
          <Page client={gatehouse.openTab()} />
        </Page>
      </StrictMode>,
    );
    await shows('in as Adain as Ada');
    await pause(20);
    return { last: seen.at(-1), questions: gatehouse.count('FetchMe') };
  },

  /** Another tab signs out, and signs in again. */
  otherTab: async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const other = await gatehouse.openedTab();
    const { seen, shows } = show(<Page client={gatehouse.openTab()} />);
    await shows('in as Ada');
    await other.signOut();
    await shows('out');
    gatehouse.signIn();
    await other.session.refetchEverywhere();
    await shows('in as Ada');
    return seen;
  },

  /** The first question fails, a second try fails too, and a third does not. */
  retry: async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.nextResponse('FetchMe', noConnection, noConnection);
    const client = gatehouse.openTab();
    const Waiting = () => {
      const session = useSession();
      return session.status === 'loading' && session.error ? (
        <button type="button" onClick={() => client.session.open()}>
          {session.error.code}
        </button>
      ) : (
        'waiting'
      );
    };
    const { container, seen, shows } = show(
      <GatehouseProvider client={client}>
        <SignedIn fallback={<Waiting />}>in</SignedIn>
        <SignedOut>out</SignedOut>
      </GatehouseProvider>,
    );
    const click = () => container.querySelector('button')?.click();
    await shows('OFFLINE');
    click();
    await until(() => gatehouse.count('FetchMe') === 2);
    await pause(20);
    click();
    await shows('in');
    return seen;
  },

  /** What hooks answer before and after a switch, and how often each component was rendered meanwhile. */
  hooks: async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.organization = 'Acme';
    gatehouse.scopes = ['notes:read'];
    const client = gatehouse.openTab();
    let renders = 0;
    const Scope = ({ name }: { readonly name: string }) => {
      renders += 1;
      return `${name} ${useScope(name)};`;
    };
    const Organization = () => `${useOrganization()?.name ?? 'none'};`;
    const { seen, shows } = show(
      <GatehouseProvider client={client}>
        <Organization />
        <Scope name="notes:read" />
        <Scope name="notes:write" />
      </GatehouseProvider>,
    );
    await shows('Acme;notes:read true;notes:write false;');
    const before = renders;
    await client.session.refetch();
    await pause(20);
    const afterSameAnswer = renders - before;
    gatehouse.scopes = ['notes:read', 'notes:write'];
    await client.switchOrganization('Harbor');
    await shows('Harbor;notes:read true;notes:write true;');
    return { seen, afterSameAnswer, afterSwitch: renders - before };
  },

  /** Components of one slow concurrent render, in whose middle the person signs out: what each page on screen says. */
  tearing: async (way: 'hooks' | 'read without the hooks') => {
    const gatehouse = GatehouseInMemory.signedIn();
    const client = await gatehouse.openedTab();
    let rendered = 0;
    const useHook = () => useSession().status;
    const useStatus = way === 'hooks' ? useHook : () => client.session.state().status;
    const Slow = () => {
      const status = useStatus();
      const end = performance.now() + 4;
      while (performance.now() < end);
      rendered += 1;
      return <i>{status}</i>;
    };
    let open: (() => void) | undefined;
    const Many = () => {
      const [isOpen, setOpen] = useState(false);
      useEffect(() => {
        open = () => startTransition(() => setOpen(true));
      }, []);
      return isOpen ? Array.from({ length: 40 }, (_, index) => <Slow key={String(index)} />) : 'closed';
    };
    const container = newContainer();
    const pages: string[][] = [];
    new MutationObserver(() => {
      pages.push([...new Set(Array.from(container.querySelectorAll('i'), ({ innerText }) => innerText))]);
    }).observe(container, { childList: true, subtree: true, characterData: true });
    createRoot(container).render(
      <GatehouseProvider client={client}>
        <Many />
      </GatehouseProvider>,
    );
    await until(() => open !== undefined);
    open?.();
    await until(() => rendered > 3);
    const renderedBefore = rendered;
    await client.signOut();
    await until(() => container.querySelectorAll('i').length === 40);
    await pause(50);
    return { isInterrupted: renderedBefore < 40, pages: pages.filter((page) => page.length > 0) };
  },

  /** Text of a server, then the page over it. */
  hydration: async (who: 'visitor' | 'person', isStrict: boolean) => {
    const gatehouse = who === 'visitor' ? new GatehouseInMemory() : GatehouseInMemory.signedIn();
    const wrap = (client: Client) =>
      isStrict ? (
        <StrictMode>
          <Page client={client} />
        </StrictMode>
      ) : (
        <Page client={client} />
      );
    const container = newContainer();
    container.innerHTML = renderToString(wrap(gatehouse.openTab()));
    const { seen, shows } = watch(container);
    const errors: string[] = [];
    // The browser's client may know already, when the page began before React did.
    hydrateRoot(container, wrap(await gatehouse.openedTab()), {
      onRecoverableError: (error) => errors.push(String(error)),
    });
    await shows(who === 'visitor' ? 'out' : 'in as Ada');
    return { seen, errors };
  },

  redirect: async (returnTo: string | null) => {
    const client = new GatehouseInMemory().openTab();
    show(
      <StrictMode>
        <GatehouseProvider client={client}>
          <SignedOut>{returnTo === null ? <RedirectToSignIn /> : <RedirectToSignIn returnTo={returnTo} />}</SignedOut>
        </GatehouseProvider>
      </StrictMode>,
    );
  },
} as const;

export type Scenarios = typeof scenarios;

Object.assign(globalThis, { scenarios });
