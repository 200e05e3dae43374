/** Loading of messages, and the switch to another language. */
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/languages/languages.ts';
import { createCatalogue } from '../../src/languages/loaded-messages.ts';

type Release = () => void;

const setUp = () => {
  const fetched: string[] = [];
  const waiting: Release[] = [];
  let isHeld = false;
  let isFailing = false;
  const fetchPart = async (part: string, language: Language) => {
    fetched.push(`${part} ${language}`);
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isFailing) throw new Error('Offline');
    return { shared: { [part]: `${part} in ${language}` } };
  };
  const catalogue = createCatalogue('en', (language) => language, fetchPart);
  return {
    catalogue,
    fetched,
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    fail: (fails: boolean) => (isFailing = fails),
  };
};

describe('the catalogue', () => {
  it('loads each part once, and joins those of one namespace', async () => {
    const { catalogue, fetched } = setUp();
    await Promise.all([catalogue.add('one'), catalogue.add('one'), catalogue.add('two')]);
    expect(fetched).toEqual(['one en', 'two en']);
    expect(catalogue.shown().messages).toEqual({ shared: { one: 'one in en', two: 'two in en' } });
  });

  it('tries again after a failure', async () => {
    const { catalogue, fail } = setUp();
    fail(true);
    await expect(catalogue.add('one')).rejects.toThrow('Offline');
    fail(false);
    await catalogue.add('one');
    expect(catalogue.shown().messages).toEqual({ shared: { one: 'one in en' } });
  });

  it('shows another language when every part is there, and tells it once', async () => {
    const { catalogue } = setUp();
    let told = 0;
    catalogue.subscribe(() => (told += 1));
    await Promise.all([catalogue.add('one'), catalogue.add('two')]);
    await catalogue.switchTo('de');
    expect(catalogue.shown()).toEqual({
      language: 'de',
      locale: 'de',
      messages: { shared: { one: 'one in de', two: 'two in de' } },
    });
    expect(told).toBe(1);
  });

  it('changes nothing when a part of the other language cannot be loaded', async () => {
    const { catalogue, fail } = setUp();
    await catalogue.add('one');
    const before = catalogue.shown();
    fail(true);
    await expect(catalogue.switchTo('de')).rejects.toThrow('Offline');
    expect(catalogue.shown()).toBe(before);
  });

  it('has a part in the new language that was asked for during the switch', async () => {
    const { catalogue, hold, release } = setUp();
    await catalogue.add('one');
    hold();
    const switched = catalogue.switchTo('de');
    const added = catalogue.add('two');
    release();
    await Promise.all([switched, added]);
    expect(catalogue.shown().messages).toEqual({ shared: { one: 'one in de', two: 'two in de' } });
  });

  it('ends with the language chosen last, whichever is loaded last', async () => {
    const { catalogue, hold, release } = setUp();
    await catalogue.add('one');
    hold();
    const first = catalogue.switchTo('de');
    const second = catalogue.switchTo('en');
    await second;
    release();
    await first;
    expect(catalogue.shown().language).toBe('en');
  });
});
