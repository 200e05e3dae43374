/** The texts of the server's pages: each language has all of them, and what they are filled in with is escaped. */
import { describe, expect, it } from 'vitest';
import { type PageTexts, valuesOfPageTexts } from '../../src/http/pages/page-texts.ts';
import { loadPageTexts, wordsIn } from '../../src/http/pages/words.ts';
import { type Language, languages } from '../../src/kernel/languages.ts';

const everyText = (texts: PageTexts): readonly (readonly [key: string, text: string])[] =>
  Object.entries(texts).flatMap(([page, parts]) =>
    Object.entries(parts).map(([part, text]): [string, string] => [`${page}.${part}`, String(text)]),
  );

/** Placeholders and tags, as they are written. */
const filledIn = (text: string): readonly string[] => (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted();

const hostile = `"><script>alert('1')</script><a href="//evil.example">{client} ' &lt;`;

/** A text by its key, filled in with the same value everywhere. */
const say = async (language: Language, key: string, value: unknown): Promise<string> => {
  const words = await wordsIn(language);
  const values = Object.keys(valuesOfPageTexts.get(key) ?? {}).map((name) => [name, value]);
  return String(Reflect.apply(words.say, words, [...key.split('.', 2), Object.fromEntries(values)]));
};

describe.each(languages)('In %s', (language) => {
  it('every text is there, with the placeholders and links of its page', async () => {
    const texts = everyText(await loadPageTexts(language));
    expect(texts.map(([key]) => key).toSorted()).toEqual([...valuesOfPageTexts.keys()].toSorted());
    for (const [key, text] of texts) {
      const expected = Object.entries(valuesOfPageTexts.get(key) ?? {}).flatMap(([name, kind]) =>
        kind === 'link' ? [`<${name}>`, `</${name}>`] : [`{${name}}`],
      );
      expect({ key, filledIn: filledIn(text) }).toEqual({ key, filledIn: expected.toSorted() });
      // A straight quotation mark has a meaning in ICU messages.
      expect({ key, text }).toEqual({ key, text: text.replaceAll("'", '’').trim() });
    }
  });

  it('every text is written with its values, and no placeholder is left', async () => {
    for (const [key, kinds] of valuesOfPageTexts) {
      const written = await say(language, key, 7200);
      expect(written).not.toMatch(/[{}]|undefined|NaN/);
      expect(written.match(/<a href="7200">[^<>]+<\/a>|<bdi>7200<\/bdi>|[^<>]+/g)?.join('')).toBe(written);
      expect(written).not.toBe('');
      expect(Object.values(kinds).includes('link')).toBe(written.includes('<a href="7200">'));
    }
  });

  it('what a text is filled in with is escaped', async () => {
    for (const [key, kinds] of valuesOfPageTexts) {
      const written = await say(language, key, hostile);
      expect(written.replaceAll(/<\/?bdi>|<a href="[^"<>]*">|<\/a>/g, '')).not.toMatch(/[<>"']/);
      expect(written.match(/<a /g) ?? []).toHaveLength(Object.values(kinds).filter((kind) => kind === 'link').length);
    }
  });
});

it('A line of French never breaks before a sign of two parts, or inside of quotation marks', async () => {
  const written = await Promise.all([...valuesOfPageTexts.keys()].map((key) => say('fr', key, 'x')));
  expect(written.filter((text) => /\u202f[?;]/.test(text))).not.toEqual([]);
  expect(written.filter((text) => /[ \n][?!:;»]|«[ \n]/.test(text))).toEqual([]);
});

it('No language writes a text of another one', async () => {
  const english = new Map(everyText(await loadPageTexts('en')));
  for (const language of languages.filter((other) => other !== 'en')) {
    const same = everyText(await loadPageTexts(language)).filter(([key, text]) => english.get(key) === text);
    expect({ language, same }).toEqual({ language, same: [] });
  }
});

it.each([
  ['en', '30 days'],
  ['de', '30 Tage'],
  ['es', '30 días'],
  ['fr', '30 jours'],
  ['pt', '30 dias'],
  ['ja', '30日'],
  ['ar', '30 يومًا'],
] as const)('A time is written in the words of %s', async (language, time) => {
  const written = (await wordsIn(language)).say('consent', 'lifetime', { time: 30 * 86_400, devices: '/' });
  expect(written.replaceAll(/\s/g, ' ')).toContain(time);
});
