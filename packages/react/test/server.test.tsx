/** Rendering on a server, which knows no person, and the README. */
import { readFileSync } from 'node:fs';
import { createClient } from '@gatehouse/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import {
  GatehouseProvider,
  RedirectToSignIn,
  SignedIn,
  SignedOut,
  useOrganization,
  useScope,
  useSession,
  useUser,
} from '../src/index.tsx';

const Facts = () => {
  const facts = [useSession().status, useUser(), useOrganization(), useScope('notes:write')];
  return <output>{JSON.stringify(facts)}</output>;
};

describe('On a server', () => {
  const asked: unknown[] = [];
  const client = createClient(
    { baseUrl: 'https://id.example' },
    {
      fetch: (...request) => {
        asked.push(request);
        return Promise.reject(new TypeError('No request is expected'));
      },
    },
  );

  it('no user is known, nothing of either side is shown, and nothing is asked', () => {
    const html = renderToString(
      <GatehouseProvider client={client}>
        <Facts />
        <SignedIn fallback={<i>Waiting</i>}>in</SignedIn>
        <SignedOut>
          out
          <RedirectToSignIn />
        </SignedOut>
      </GatehouseProvider>,
    );
    expect(html.replaceAll('&quot;', '"')).toBe('<output>["loading",null,null,false]</output><i>Waiting</i>');
    expect(asked).toEqual([]);
  });

  it('a redirect is an effect of the browser alone', () => {
    const html = renderToString(
      <GatehouseProvider client={client}>
        <RedirectToSignIn returnTo="/notes" />
      </GatehouseProvider>,
    );
    expect(html).toBe('');
  });
});

describe('Without a provider', () => {
  it('hooks say what is missing', () => {
    expect(() => renderToString(<Facts />)).toThrow('GatehouseProvider is missing');
  });
});

describe('The README and docs/react.md', () => {
  const textAt = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

  // The browser tests run the whole application and the header; the compiler checks the others.
  it.each([
    ['README.md', 'gatehouse.ts'],
    ['README.md', 'first.tsx'],
    ['../../docs/react.md', 'app.tsx'],
    ['../../docs/react.md', 'header.tsx'],
    ['../../docs/react.md', 'own-user/gatehouse.ts'],
  ])('%s has the example %s', (page, name) => {
    const kind = name.endsWith('x') ? 'tsx' : 'ts';
    expect(textAt(page)).toContain(`\`\`\`${kind}\n${textAt(`examples/${name}`)}\`\`\``);
  });
});
