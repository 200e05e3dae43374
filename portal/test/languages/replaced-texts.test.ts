/** The application's texts in the messages that are loaded. */
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/languages/languages.ts';
import { createCatalogue } from '../../src/languages/loaded-messages.ts';
import { withReplacedTexts } from '../../src/languages/replaced-texts.ts';

const paths = ['/assets/own-texts-1.de', '/assets/own-texts-2.fr'];

const setUp = () => {
  const fetched: string[] = [];
  let isFailing = false;
  const arrivals = new Map<string, Promise<void>>();
  const fetchPart = async (part: string, language: Language) => {
    await arrivals.get(part);
    return {
      shared: { [part]: `${part} in ${language}`, title: 'built in' },
      [part]: { text: ['built in ', ['name']], other: 'built in' },
    };
  };
  /** @returns what lets the part arrive */
  const slow = (part: string): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrivals.set(part, promise);
    return resolve;
  };
  const fetchFile = async (path: string) => {
    fetched.push(path);
    if (isFailing) throw new Error('Offline');
    return { shared: { title: 'own' }, two: { text: 'own' } };
  };
  const catalogue = createCatalogue('en', (language) => language, withReplacedTexts(paths, fetchPart, fetchFile));
  return { catalogue, fetched, slow, fail: (fails: boolean) => (isFailing = fails) };
};

const builtIn = { text: ['built in ', ['name']], other: 'built in' };

describe('replaced texts', () => {
  it('are loaded for no language that has none', async () => {
    const { catalogue, fetched } = setUp();
    await catalogue.add('one');
    expect(fetched).toEqual([]);
    expect(catalogue.shown().messages).toMatchObject({ shared: { title: 'built in' } });
  });

  it('win in every part, whichever is loaded first, and are loaded once', async () => {
    const { catalogue, fetched } = setUp();
    await catalogue.switchTo('de');
    await Promise.all([catalogue.add('one'), catalogue.add('two')]);
    await catalogue.add('three');
    expect(fetched).toEqual(['/assets/own-texts-1.de']);
    expect(catalogue.shown().messages).toEqual({
      shared: { one: 'one in de', two: 'two in de', three: 'three in de', title: 'own' },
      one: builtIn,
      two: { text: 'own', other: 'built in' },
      three: builtIn,
    });
  });

  it('are those of the language that is switched to', async () => {
    const { catalogue, fetched } = setUp();
    await catalogue.add('two');
    await catalogue.switchTo('fr');
    expect(catalogue.shown().messages).toMatchObject({ two: { text: 'own' } });
    await catalogue.switchTo('en');
    expect(catalogue.shown().messages).toMatchObject({ two: builtIn });
    expect(fetched).toEqual(['/assets/own-texts-2.fr']);
  });

  it('leave the built-in ones when they cannot be loaded, and are tried again with the next part', async () => {
    const { catalogue, fetched, fail } = setUp();
    fail(true);
    await catalogue.switchTo('de');
    await catalogue.add('two');
    expect(catalogue.shown().messages).toMatchObject({ shared: { title: 'built in' }, two: builtIn });
    fail(false);
    await catalogue.add('one');
    expect(fetched).toHaveLength(2);
    expect(catalogue.shown().messages).toMatchObject({ shared: { title: 'own' }, two: { text: 'own' } });
  });

  it('stay when a part that asked for them in vain arrives later than they do', async () => {
    const { catalogue, fail, slow } = setUp();
    await catalogue.switchTo('de');
    fail(true);
    const arrive = slow('two');
    const late = catalogue.add('two');
    // The file of replaced texts has failed.
    await new Promise((resolve) => setTimeout(resolve));
    fail(false);
    await catalogue.add('one');
    arrive();
    await late;
    expect(catalogue.shown().messages).toMatchObject({ shared: { title: 'own' }, two: { text: 'own' } });
  });
});
