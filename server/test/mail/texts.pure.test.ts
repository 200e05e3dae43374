/** The texts of mails: each mail renders in each language, with all that its English text is filled in with. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Language, languages, languageTraits } from '../../src/kernel/languages.ts';
import { parseText, placeholdersOf, textFault } from '../../src/platform/mail/check-text.ts';
import { createComposer, loadTexts } from '../../src/platform/mail/compose.ts';
import {
  type Mail,
  type MailKey,
  mailKeys,
  mails,
  type ValueKind,
  valuesOfTexts,
} from '../../src/platform/mail/mails.ts';
import { defaultMailLook, type MailMessage, renderMail } from '../../src/platform/mail/message.ts';

const composer = createComposer();
const at = new Date('2026-03-01T09:05:59Z');

const sampleOf = (name: string, kind: ValueKind, choice: number): unknown => {
  if (kind === 'instant') return at;
  if (kind === 'count') return choice;
  if (typeof kind === 'string') return `«${name}»`;
  return kind[choice % kind.length];
};

/** A mail with a value for each placeholder. @param choice which of the choices and counts */
const mailWith = (mail: MailKey, choice: number): Mail => {
  const values = Object.entries<ValueKind>(mails[mail].values).map(([name, kind]): [string, unknown] => [
    name,
    sampleOf(name, kind, choice),
  ]);
  const links = ['https://id.example.com/one', 'https://id.example.com/two'].slice(0, mails[mail].links);
  const blank: Mail = { mail: 'suspended', to: 'ada@example.com', values: { name: '', at }, links: [] };
  return Object.assign<Mail, object>(blank, { mail, values: Object.fromEntries<unknown>(values), links });
};

const render = async (mail: Mail, language: Language): Promise<MailMessage> =>
  renderMail(await composer.compose(mail, language), { ...defaultMailLook, supportUrl: 'https://help.example.com' });

const choices = [0, 1, 2, 3, 4, 11, 100];

const everyText = async (language: Language): Promise<readonly (readonly [key: string, text: string])[]> =>
  Object.entries(await loadTexts(language)).flatMap(([group, texts]) =>
    Object.entries(texts).map(([part, text]) => [`${group}.${part}`, text] as const),
  );

describe.each(languages)('In %s', (language) => {
  it.each(mailKeys)('the mail %s has its links, and no placeholder is left', async (key) => {
    for (const choice of choices) {
      const mail = mailWith(key, choice);
      const { subject, text, html } = await render(mail, language);
      expect(subject).not.toBe('');
      for (const part of [subject, text, html.replace(/<style>[\s\S]*<\/style>/, '')]) {
        expect(part).not.toMatch(/[{}]|undefined|null|\bNaN\b|Invalid|#(?![0-9a-f]{6})(?!39;)/);
      }
      for (const link of mail.links) {
        expect(text).toContain(`\n${link}\n`);
        expect(html).toContain(`href="${link}"`);
      }
      expect(html).toContain(`<html lang="${language}" dir="${languageTraits(language).direction}">`);
      expect(text).toContain('https://help.example.com');
    }
  });

  it('every text is what a definition may have, with the placeholders of the English one', async () => {
    const english = new Map(await everyText('en'));
    const own = await everyText(language);
    expect(own.map(([key]) => key).toSorted()).toEqual([...valuesOfTexts.keys()].toSorted());
    for (const [key, text] of own) {
      const used = (of: string) => new Set(placeholdersOf(parseText(of, language)).map(({ name }) => name));
      expect({ key, fault: textFault(text, language, valuesOfTexts.get(key) ?? {}) }).toEqual({ key, fault: null });
      expect({ key, used: used(text) }).toEqual({ key, used: used(english.get(key) ?? '') });
      // A straight quotation mark has a meaning in ICU messages.
      expect({ key, text }).toEqual({ key, text: text.replaceAll("'", '’').trim() });
    }
  });

  it('every plural has the cases of the language', async () => {
    const needed = new Intl.PluralRules(languageTraits(language).locale).resolvedOptions().pluralCategories;
    for (const [key, text] of await everyText(language)) {
      for (const { use, cases } of placeholdersOf(parseText(text, language))) {
        if (use !== 'plural') continue;
        // Those of fractions and millions are not met here.
        const met = needed.filter((category) => category !== 'zero' && (category !== 'many' || language === 'ar'));
        expect({ key, cases }).toEqual({ key, cases: expect.arrayContaining(met) as unknown });
      }
    }
  });

  it('a value cannot begin a paragraph, and names are what they are', async () => {
    const hostile = "Bob\r\n\r\n{at} <b>#</b> '{\n\nClick";
    const values = { name: hostile, organization: hostile, deleter: hostile, until: at };
    const mail: Mail = { mail: 'organizationDeleted', to: 'a@example.com', values, links: ['https://id.example.com/'] };
    const usual = await render(
      { ...mail, values: { ...values, name: 'B', organization: 'B', deleter: 'B' } },
      language,
    );
    const { subject, text, html } = await render(mail, language);
    expect(text.split('\n\n')).toHaveLength(usual.text.split('\n\n').length);
    for (const part of [subject, text]) expect(part).toContain("Bob {at} <b>#</b> '{ Click");
    expect(html).not.toContain('<b>');
  });
});

describe('Languages', () => {
  it('write no text of another one', async () => {
    const english = new Map(await everyText('en'));
    for (const language of languages.filter((other) => other !== 'en')) {
      const same = (await everyText(language)).filter(([key, text]) => english.get(key) === text);
      expect({ language, same }).toEqual({ language, same: [] });
    }
  });

  it.each([
    ['en', '1 March 2026 at 09:05 UTC'],
    ['de', '1. März 2026 um 09:05 UTC'],
    ['es', '1 de marzo de 2026 a las 9:05 UTC'],
    ['fr', '1 mars 2026 à 09:05 UTC'],
    ['pt', '1 de março de 2026 às 09:05 UTC'],
    ['ja', '2026年3月1日 9:05 UTC'],
    ['ar', '1 مارس 2026 في 09:05 UTC'],
  ] as const)('write instants in their form, in UTC: %s', async (language, instant) => {
    expect((await render(mailWith('passwordChanged', 0), language)).text).toContain(instant);
  });

  it('never let a line of French break before a sign of two parts, or inside of quotation marks', async () => {
    const faults = (await everyText('fr')).filter(([, text]) => /[ \n][?!:;»]|«[ \n]/.test(text));
    expect(faults).toEqual([]);
  });

  it('that read from right to left isolate names', async () => {
    const { text } = await render(mailWith('passkeyAdded', 0), 'ar');
    expect(text).toContain('\u2068«passkey»\u2069');
    expect((await render(mailWith('passkeyAdded', 0), 'de')).text).not.toContain('\u2068');
  });
});

it('docs/mails.md has every mail, with its values', () => {
  const page = readFileSync(new URL('../../../docs/mails.md', import.meta.url), 'utf8');
  for (const key of mailKeys) {
    const names = Object.keys(mails[key].values).map((name) => `\`{${name}}\``);
    expect(page).toContain(`| \`${key}\` | ${names.join(', ')} | ${mails[key].links} |`);
  }
});

describe('An address in a mail', () => {
  const changed = (email: string, name = 'Ada'): Mail => ({
    mail: 'emailChanged',
    to: 'ada@example.com',
    values: { name, at, email: 'ada@example.com', newEmail: email },
    links: ['https://id.example.com/undo'],
  });
  const invisible = /[\u200b-\u200f\u2060-\u2069\ufdd0\ufdd1\u00ad\ufeff]/;

  it.each(languages)('has no invisible signs in it, and none around it, in %s', async (language) => {
    const { text, html, subject } = await render(changed('ada.love+x@mail.example.co.uk'), language);
    for (const part of [text, html]) {
      expect(part).toContain('ada.love+x@mail.example.co.uk');
      expect(part.split('ada.love+x@mail.example.co.uk').every((around) => !/[\ufdd0\ufdd1]/.test(around))).toBe(true);
    }
    const addresses = `${subject}${text}`.match(/[\w.+\u2060-\u2069-]*@[\w.\u2060-\u2069-]*/g) ?? [];
    expect(addresses.filter((address) => invisible.test(address))).toEqual([]);
    expect(addresses.length).toBeGreaterThan(0);
  });

  it('is shown with its domain in its own letters where these run as the text does', async () => {
    expect((await render(changed('ada@xn--bcher-kva.example'), 'en')).text).toContain('ada@bücher.example');
    expect((await render(changed('ada@xn--mgbh0fb.com'), 'en')).text).toContain('ada@xn--mgbh0fb.com');
    expect((await render(changed('ada@xn--80ak6aa92e.com'), 'en')).text).toContain('ada@xn--80ak6aa92e.com');
  });

  it.each(['www.evil.example/x@example.com', 'evil.example/login@example.com'])(
    'that could pass for a page becomes no link: %s',
    async (email) => {
      expect((await render(changed(email), 'en')).text).not.toMatch(/evil\.example/);
    },
  );

  it('is not what a name is, however it is marked', async () => {
    for (const name of ['\ufdd0evil.example\ufdd1', 'bob@evil.example', '\ufdd1evil.example\ufdd0']) {
      const { text } = await render(changed('ada@example.com', name), 'en');
      expect(text).not.toContain('evil.example');
      expect(text).not.toMatch(/[\ufdd0\ufdd1]/);
    }
  });
});

it('A name that runs the other way is isolated from the text around it', async () => {
  const own = (name: string): Mail => ({
    mail: 'accountDeleted',
    to: 'ada@example.com',
    values: { name, at },
    links: [],
  });
  expect((await render(own('محمد\u200f (1'), 'en')).text).toContain('Hello \u2068محمد\u200f (1\u2069,');
  expect((await render(own('Ada'), 'en')).text).toContain('Hello Ada,');
});
