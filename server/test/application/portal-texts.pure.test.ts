/** Texts of the portal that a definition replaces: each fault is refused, and what the portal loads of the others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { DefinitionRefused } from '../../src/domain/scopes/definition-fault.ts';
import { checkPortalTexts } from '../../src/domain/scopes/portal-texts.ts';
import { loadCompiler, portalTextsFile } from '../../src/platform/portal-texts.ts';

const messages = {
  'signIn.title': 'Sign in',
  'signIn.leadWithProvider': 'Continue with {provider}, or enter your address.',
  'home.scopes': '{count, plural, =0 {No scopes} one {# scope} other {# scopes}}, {count} of {total, number}',
  'plan.by': 'By {unit, select, hour {hours} other {days}}',
  'invite.sentTo': 'It goes to <address>{email}</address>.',
};

const built = mkdtempSync(join(tmpdir(), 'gatehouse-portal-'));
mkdirSync(join(built, '.vite'));
writeFileSync(join(built, '.vite', 'messages.json'), JSON.stringify(messages));
afterAll(() => rmSync(built, { recursive: true }));

const settings = { isHardened: false, taken: [], readLogo: () => null };

const faultOf = async (given: unknown, directory = built): Promise<string> => {
  try {
    await checkPortalTexts(readDefinition({ messages: given }, settings), directory);
  } catch (error) {
    if (error instanceof DefinitionRefused) return error.message;
    throw error;
  }
  return 'none';
};

const german = (portal: object) => ({ de: { portal } });
const lead = (text: string) => german({ 'signIn.leadWithProvider': text });

describe('Texts of the portal', () => {
  // Contract: application#replaced-texts — A text of the portal that is replaced is checked at start
  it.each([
    ['an unknown language', { tlh: { portal: { 'signIn.title': 'x' } } }, /^messages\.tlh: there is no such language/],
    ['the language of tests', { 'en-XA': { portal: { 'signIn.title': 'x' } } }, /^messages\["en-XA"\]: there is no/],
    [
      'an unknown key',
      german({ 'signIn.titel': 'x' }),
      'messages.de.portal["signIn.titel"]: no such text; did you mean signIn.title?',
    ],
    ['a group of texts', german({ signIn: 'x' }), 'messages.de.portal.signIn: no such text.'],
    ['a prototype', german({ '__proto__.x': 'x' }), /: no such text\.$/],
    ['a placeholder of every object', lead('Mit {constructor} {__proto__}'), /: there is no \{constructor\}, but/],
    ['a case of every object', german({ 'plan.by': '{unit, select, __proto__ {x} other {y}}' }), /is never __proto__/],
    ['a name of an object', german({ constructor: 'x' }), 'messages.de.portal.constructor: no such text.'],
    ['no text', german({ 'signIn.title': 7 }), 'messages.de.portal["signIn.title"]: must be text.'],
    ['texts in groups', german({ signIn: { title: 'x' } }), 'messages.de.portal.signIn: must be text.'],
    ['an empty text', german({ 'signIn.title': '' }), /: must have 1 to 4000 characters\.$/],
    ['a text that is too long', german({ 'signIn.title': 'x'.repeat(4001) }), /: must have 1 to 4000 characters\.$/],
    ['control characters', german({ 'signIn.title': 'a\u202eb' }), /: must not have control or text-direction/],
    ['an open placeholder', lead('Mit {provider'), /\["signIn\.leadWithProvider"\]: is no ICU message: each \{ that/],
    ['an open tag', german({ 'invite.sentTo': 'An <address>{email}' }), /: is no ICU message: .*each <tag> with/],
    ['a plural without other', german({ 'home.scopes': '{count, plural, one {#}}' }), /: is no ICU message: /],
    [
      'a misspelled placeholder',
      lead('Mit {provder}'),
      'messages.de.portal["signIn.leadWithProvider"]: there is no {provder}; did you mean {provider}?',
    ],
    [
      'a placeholder of another text',
      lead('Für {email}'),
      'messages.de.portal["signIn.leadWithProvider"]: there is no {email}, but {provider}.',
    ],
    ['a placeholder where there is none', german({ 'signIn.title': 'Bei {name}' }), /: there is no \{name\}\.$/],
    ['one in a branch', german({ 'plan.by': '{unit, select, other {{email}}}' }), /: there is no \{email\}, but/],
    ['one in a tag', german({ 'invite.sentTo': '<address>{name}</address>' }), /: there is no \{name\}, but/],
    ['markup', german({ 'signIn.title': '<b>Hallo</b>' }), /\["signIn\.title"\]: there is no <b>\.$/],
    ['a tag without an end', german({ 'signIn.title': 'Hallo<br/>Welt' }), /: a tag has an end of its own, as in/],
    ['the tag of its text without an end', german({ 'invite.sentTo': '<address />' }), /: a tag has an end of its own/],
    [
      'a quoted placeholder',
      lead("Ou l'{provider}, l''{provider}"),
      /: the straight quotation mark before \{provider shows it as it is written: write ’\.$/,
    ],
    ['a quoted tag', german({ 'invite.sentTo': "À l'<address>{email}" }), /quotation mark before <address shows it/],
    ['an offset', german({ 'home.scopes': '{count, plural, offset:1 other {#}}' }), /: a plural has no offset here\.$/],
    [
      'a form of a plural that no language has',
      german({ 'home.scopes': '{count, plural, eins {#} other {#}}' }),
      /: \{count\} has no form eins, but zero, one, .*, other and numbers as =0\.$/,
    ],
    ['a tag as a placeholder', german({ 'invite.sentTo': '{address}' }), /: there is no \{address\}, but <address>\.$/],
    ['a placeholder as a tag', lead('<provider>x</provider>'), /: there is no <provider>, but \{provider\}\.$/],
    ['a text as a number', lead('{provider, plural, other {#}}'), /: \{provider\} is filled in as it is/],
    ['a number in a form', german({ 'home.scopes': '{count, number, percent}' }), /: \{count\} is filled in as it is/],
    ['an instant', lead('{provider, date, long}'), /: \{provider\} is filled in as it is: write \{provider\} alone\.$/],
    [
      'a case that there is not',
      german({ 'plan.by': '{unit, select, week {x} other {y}}' }),
      /: \{unit\} is never week, but hour, other\.$/,
    ],
  ] as const)('are refused for %s', async (_name, given, sentence) => {
    expect(await faultOf(given)).toMatch(sentence);
  });

  it('are refused where the portal is not built, and not needed where there are none', async () => {
    const none = join(built, 'none');
    expect(await faultOf(german({ 'signIn.title': 'x' }), none)).toMatch(
      /^messages\.de\.portal: the portal is not built here/,
    );
    expect(await faultOf({ de: { mails: {}, portal: {} } }, none)).toBe('none');
  });

  it('are refused where a page would load too many', async () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`many.text${at}`, 'x']));
    const directory = join(built, 'many');
    mkdirSync(join(directory, '.vite'), { recursive: true });
    writeFileSync(join(directory, '.vite', 'messages.json'), JSON.stringify(many));
    const long = Object.fromEntries(Object.keys(many).map((key) => [key, 'x'.repeat(4000)]));
    expect(await faultOf(german(long), directory)).toMatch(
      /^messages\.de\.portal: the texts take 27\d KiB, and a language may have 256 KiB/,
    );
    expect(await faultOf(german(many), directory)).toBe('none');
  });

  it('may do all that the texts do which they replace', async () => {
    expect(await faultOf({ en: { portal: messages } })).toBe('none');
    const german = {
      'home.scopes': '{count, selectordinal, other {#.}} {total, plural, one {von # Recht} other {von # Rechten}}',
      'invite.sentTo': 'Ohne Adresse',
      'plan.by': '{unit}',
      'signIn.leadWithProvider': "l''{provider}, '{'x'}', it's",
    };
    expect(await faultOf({ de: { portal: german } })).toBe('none');
  });
});

describe('The file of replaced texts', () => {
  it('has them compiled, by the parts of their keys', async () => {
    const compile = await loadCompiler();
    const file = portalTextsFile(
      { 'signIn.title': 'Hallo', 'plan.active.badge': 'Läuft', 'signIn.leadWithProvider': 'Mit {provider}' },
      'de',
      compile,
    );
    expect(JSON.parse(file)).toEqual({
      signIn: { title: 'Hallo', leadWithProvider: ['Mit ', ['provider']] },
      plan: { active: { badge: 'Läuft' } },
    });
  });

  it('isolates what fills in a text that reads from right to left', async () => {
    const file = portalTextsFile({ 'signIn.leadWithProvider': 'مع {provider}' }, 'ar', await loadCompiler());
    expect(JSON.parse(file)).toEqual({
      signIn: { leadWithProvider: ['مع ', '\u2068', ['provider'], '\u2069'] },
    });
  });
});
