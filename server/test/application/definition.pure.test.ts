/** The definition of an application: every fault has its place and one sentence, and what a valid one resolves to. */
import { describe, expect, it } from 'vitest';
import { defaultApplication, readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { DefinitionRefused } from '../../src/domain/scopes/definition-fault.ts';
import { takenUrls } from '../../src/domain/scopes/definition-urls.ts';
import { checkMailTexts } from '../../src/domain/scopes/mail-texts.ts';
import { builtInScopes } from '../../src/domain/scopes/scopes.ts';
import { valuesOfTexts } from '../../src/platform/mail/mails.ts';

const taken = takenUrls({
  baseUrl: 'https://id.acme.example',
  graphqlAudiences: ['portal', 'https://api.acme.example'],
});
const settings = { isHardened: false, taken, readLogo: () => null };

const faultOf = (definition: unknown, isHardened = false): string => {
  try {
    readDefinition(definition, { ...settings, isHardened });
  } catch (error) {
    if (error instanceof DefinitionRefused) return error.message;
    throw error;
  }
  return 'none';
};

/** As at a start, with the texts of mails. */
const faultOfTexts = async (definition: unknown): Promise<string> => {
  try {
    await checkMailTexts(readDefinition(definition, settings));
  } catch (error) {
    if (error instanceof DefinitionRefused) return error.message;
    throw error;
  }
  return 'none';
};

const mailsOf = (mails: object) => ({ de: { mails } });

const scopes = { 'notes:read': 'Read notes', 'notes:write': 'Write notes' };
const longName = `a:${'b'.repeat(63)}`;
const manyScopes = Object.fromEntries(
  Array.from({ length: 201 }, (_, at) => [`n:s${at}`.replace(/\d/g, (d) => 'abcdefghij'.charAt(Number(d))), 'x']),
);
const manyRoles = Object.fromEntries(
  Array.from({ length: 21 }, (_, at) => [`R${at}`, { title: 'A role', scopes: [] }]),
);

describe('A definition with a fault', () => {
  // Contract: application#faults-of-a-definition — A fault, an unknown field too, ends the start with one sentence that
  //   names the place
  // Contract: application#names-of-scopes — A scope with a malformed or reserved name, or without words, is a fault of
  //   the definition
  it.each([
    ['an unknown field', { rolez: {} }, 'rolez: no such field; did you mean roles?'],
    [
      'an unknown field further in',
      { brand: { colour: '#000000' } },
      'brand.colour: no such field; did you mean color?',
    ],
    ['no object', [], 'The definition must be an object.'],
    ['a promise', Promise.resolve({ name: 'x' }), 'The definition must be a plain object.'],
    ['an instance in it', { brand: new Date(0) }, 'brand: must be plain data.'],
    [
      'a role named __proto__',
      JSON.parse('{"roles":{"__proto__":{"title":"x","scopes":[]}}}'),
      /^roles\.__proto__: this/,
    ],
    [
      'a line break in a title',
      { roles: { EDITOR: { title: 'a\nb', scopes: [] } } },
      /^roles\.EDITOR\.title: must not have/,
    ],
    ['a lone surrogate in a name', { name: 'a\ud800' }, /^name: must not have line breaks/],
    [
      'too many seats',
      { products: { a: { members: 3_000_000_000 } } },
      /^products\.a\.members: must be a whole number/,
    ],
    [
      'two products with one price',
      { products: { a: {}, b: { stripe: 'a' } } },
      /^products\.b: has the price of a at Stripe/,
    ],
    ['an origin twice', { origins: ['https://a.example', 'https://a.example'] }, /^origins\[1\]: .+ is named twice/],
    [
      'a URL of two resources',
      { resources: { a: { url: 'https://x.example', scopes: [] }, b: { url: 'https://x.example', scopes: [] } } },
      /^resources\.b\.url: is that of a/,
    ],
    [
      'one URL of two resources, spelled otherwise',
      { resources: { a: { url: 'https://x.example', scopes: [] }, b: { url: 'HTTPS://X.example:443/', scopes: [] } } },
      /^resources\.b\.url: is that of a/,
    ],
    ['a resource with a user', { resources: { a: { url: 'https://u@x.example', scopes: [] } } }, /^resources\.a\.url/],
    ['null', null, 'The definition must be an object.'],
    ['an empty name', { name: '' }, 'name: must have 1 to 60 characters.'],
    ['a scope of one part', { scopes: { notes: 'x' } }, /^scopes\.notes: a scope has two to four parts/],
    ['a scope in upper case', { scopes: { 'Notes:read': 'x' } }, /^scopes\["Notes:read"\]: a scope has/],
    ['a scope of five parts', { scopes: { 'a:b:c:d:e': 'x' } }, /^scopes\["a:b:c:d:e"\]: a scope has/],
    ['a scope of 65 characters', { scopes: { [longName]: 'x' } }, /at most 64 characters\.$/],
    ['a scope without words', { scopes: { 'a:b': '' } }, 'scopes["a:b"]: must have 1 to 200 characters.'],
    ['a reserved prefix', { scopes: { 'sessions:end': 'x' } }, /names that begin with sessions: are reserved\.$/],
    ['201 scopes', { scopes: manyScopes }, 'scopes: at most 200 scopes can be defined.'],
    [
      'a misspelled scope',
      { scopes, roles: { EDITOR: { title: 'E', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:wirte'] } } },
      'roles.EDITOR.scopes[2]: no scope notes:wirte; did you mean notes:write?',
    ],
    [
      'a platform scope',
      { roles: { EDITOR: { title: 'E', scopes: ['users:view'] } } },
      /users:view is a scope of super admins/,
    ],
    ['a role without a title', { roles: { EDITOR: { scopes: [] } } }, 'roles.EDITOR.title: is missing.'],
    ['a role without scopes', { roles: { EDITOR: { title: 'E' } } }, 'roles.EDITOR.scopes: is missing.'],
    [
      'a role in lower case',
      { roles: { editor: { title: 'E', scopes: [] } } },
      /^roles\.editor: a role has 2 to 32 capital letters/,
    ],
    ['21 roles', { roles: manyRoles }, 'roles: at most 20 roles can be defined.'],
    ['a definition of OWNER', { roles: { OWNER: { scopes: [] } } }, /^roles\.OWNER: OWNER holds every scope/],
    [
      'a built-in scope for MEMBER',
      { roles: { MEMBER: { scopes: ['BILLING_MANAGE'] } } },
      /^roles\.MEMBER\.scopes\[0\]: MEMBER gains only/,
    ],
    [
      'an ADMIN below MEMBER',
      { scopes, roles: { MEMBER: { scopes: ['notes:read'] } } },
      'roles.ADMIN.scopes: ADMIN must hold all that MEMBER holds, and lacks notes:read.',
    ],
    [
      'an unknown end of subscriptions',
      { endedSubscription: 'FREE' },
      'endedSubscription: must be DENY or DEFAULT_PRODUCT.',
    ],
    ['no seats', { products: { a: { members: 0 } } }, 'products.a.members: must be a whole number from 1 to 1000000.'],
    [
      'half a seat',
      { products: { a: { members: 1.5 } } },
      'products.a.members: must be a whole number from 1 to 1000000.',
    ],
    [
      'a product with an unknown scope',
      { products: { a: { scopes: ['x:y'] } } },
      'products.a.scopes[0]: no scope x:y.',
    ],
    [
      'a product without a scope of one’s own',
      { scopes, products: { a: { without: ['notes:read'] } } },
      /^products\.a\.without\[0\]: notes:read is not built in/,
    ],
    ['an origin with a path', { origins: ['https://app.acme.example/x'] }, /^origins\[0\]: must be an exact origin/],
    ['an origin with a slash', { origins: ['https://app.acme.example/'] }, /^origins\[0\]: must be an exact origin/],
    ['an origin with a wildcard', { origins: ['https://*.acme.example'] }, /^origins\[0\]: must be an exact origin/],
    ['an origin in upper case', { origins: ['https://App.acme.example'] }, /^origins\[0\]: must be an exact origin/],
    ['an origin of another scheme', { origins: ['ftp://app.acme.example'] }, /^origins\[0\]: must be an exact origin/],
    [
      'a resource without https',
      { resources: { a: { url: 'ftp://x', scopes: [] } } },
      /^resources\.a\.url: must be an https: URL/,
    ],
    [
      'a resource in upper case',
      { resources: { A: { url: 'https://x.example', scopes: [] } } },
      /^resources\.A: a resource has/,
    ],
    ['a colour that is none', { brand: { color: 'purple' } }, 'brand.color: must be a colour such as #5b2ee5.'],
    [
      'a colour that cannot be read on white',
      { brand: { color: '#ffff00' } },
      /^brand\.color: has a contrast of 1\.07:1 to white/,
    ],
    ['a link to a script', { brand: { terms: 'javascript:alert(1)' } }, 'brand.terms: must be an https: link.'],
    ['a mail address as terms', { brand: { terms: 'mailto:a@b.example' } }, 'brand.terms: must be an https: link.'],
    ['a logo that is no file', { brand: { logo: './none.svg' } }, /^brand\.logo: \.\/none\.svg is no SVG/],
  ] as const)('is refused for %s', (_name, definition, sentence) => {
    expect(faultOf(definition)).toMatch(sentence);
  });

  // Contract: application#replaced-texts — A text of a mail that is replaced is checked at start
  it.each([
    ['an unknown language', { tlh: {} }, 'messages.tlh: there is no such language, but en, de, es, fr, pt, ja, ar.'],
    ['a language with a region', { 'de-AT': {} }, /^messages\["de-AT"\]: there is no such language/],
    ['a name of an object', { constructor: {} }, /^messages\.constructor: there is no such language/],
    ['an unknown field', { de: { mail: {} } }, 'messages.de.mail: no such field; did you mean mails?'],
    [
      'an unknown text',
      mailsOf({ 'passkeyAded.subject': 'x' }),
      'messages.de.mails["passkeyAded.subject"]: no such text; did you mean passkeyAdded.subject?',
    ],
    ['a mail without its part', mailsOf({ passkeyAdded: 'x' }), /^messages\.de\.mails\.passkeyAdded: no such text/],
    [
      'a link that a mail lacks',
      mailsOf({ 'suspended.action': 'x' }),
      /^messages\.de\.mails\["suspended\.action"\]: no/,
    ],
    ['no text', mailsOf({ 'suspended.body': 7 }), /^messages\.de\.mails\["suspended\.body"\]: must be text/],
    ['an empty text', mailsOf({ 'suspended.body': '' }), /: must have 1 to 4000 characters\.$/],
    [
      'a text that is too long',
      mailsOf({ 'suspended.body': 'x'.repeat(10_000) }),
      /: must have 1 to 4000 characters\.$/,
    ],
    ['control characters', mailsOf({ 'suspended.body': 'a\rb' }), /: must not have control or text-direction/],
    ['a broken message', mailsOf({ 'suspended.body': 'At {at' }), /\["suspended\.body"\]: is no ICU message/],
    ['a select without other', mailsOf({ 'invitation.body': '{role, select, OWNER {x}}' }), /: is no ICU message/],
    [
      'a misspelled placeholder',
      mailsOf({ 'suspended.body': '{nmae}' }),
      'messages.de.mails["suspended.body"]: there is no {nmae}; did you mean {name}?',
    ],
    [
      'a placeholder of another mail',
      mailsOf({ 'suspended.body': '{organization}' }),
      'messages.de.mails["suspended.body"]: there is no {organization}, but {name}, {at}.',
    ],
    ['a name of an object as one', mailsOf({ 'suspended.body': '{constructor}' }), /there is no \{constructor\}, but/],
    ['a placeholder in a case', mailsOf({ 'invitation.body': '{role, select, other {{at}}}' }), /there is no \{at\}/],
    ['an instant in a form', mailsOf({ 'suspended.body': '{at, date, long}' }), /: \{at\} is filled in as it is/],
    ['a name as a number', mailsOf({ 'suspended.body': '{name, plural, other {#}}' }), /: \{name\} is filled in as/],
    [
      'a case that there is not',
      mailsOf({ 'invitation.body': '{role, select, BOSS {x} other {}}' }),
      /\{role\} is never BOSS, but OWNER, ADMIN, MEMBER, named, none\.$/,
    ],
  ] as const)('is refused for %s', async (_name, messages, sentence) => {
    expect(await faultOfTexts({ messages })).toMatch(sentence);
  });

  it('may replace every text, with markup as text', async () => {
    const mails = Object.fromEntries(Array.from(valuesOfTexts.keys(), (key) => [key, '<b>x</b> ’\n\ny']));
    const body = 'A\n\n{role, select, OWNER {you} other {{inviter}}}';
    expect(await faultOfTexts({ messages: mailsOf({ ...mails, 'invitation.body': body }) })).toBe('none');
  });

  // Contract: application#resources-of-an-application — A resource has no URL of the service and no audience of GraphQL
  it.each([
    'https://id.acme.example',
    'https://id.acme.example/mcp',
    'https://id.acme.example/mcp/organization',
    'https://id.acme.example/graphql',
    'https://ID.acme.example:443/x/../mcp/',
    'https://api.acme.example/',
  ])('is refused for a resource at %s, whose tokens are others', (url) => {
    expect(faultOf({ resources: { a: { url, scopes: [] } } })).toBe(
      'resources.a.url: is an address of this service or an audience of GraphQL; take the URL of your own server.',
    );
  });

  it.each(['https://id.acme.example/mcp/notes', 'https://mcp.acme.example/mcp', 'https://id.acme.example:8443/mcp'])(
    'may have a resource at %s',
    (url) => {
      expect(faultOf({ resources: { a: { url, scopes: [] } } })).toBe('none');
    },
  );

  it('may have http origins and resources outside production only', () => {
    const definition = { origins: ['http://localhost:5173'] };
    expect(faultOf(definition)).toBe('none');
    expect(faultOf(definition, true)).toMatch(/^origins\[0\]: must be an exact origin with https/);
    const resources = { a: { url: 'http://localhost:1/mcp', scopes: [] } };
    expect(faultOf({ resources })).toBe('none');
    expect(faultOf({ resources }, true)).toMatch(/^resources\.a\.url/);
  });
});

const everyPart: readonly string[] = ['TOKENS_MANAGE', 'MCP_MANAGE', 'AUDIT_VIEW'];
const alwaysOn = Object.keys(builtInScopes).filter((name) => !everyPart.includes(name));

const namesOf = (each: readonly { readonly name: string }[]): string[] => each.map(({ name }) => name);

const active = (product: string) => ({ status: 'ACTIVE', product }) as const;

describe('An application', () => {
  const definition = readDefinition(
    {
      scopes,
      roles: {
        ADMIN: { scopes: ['notes:read', 'notes:write'] },
        MEMBER: { scopes: ['notes:read'] },
        EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'notes:read', 'notes:write', 'AUDIT_VIEW'] },
        BUYER: { title: 'Buyer', scopes: ['BILLING_MANAGE'] },
      },
      products: { free: { scopes: ['notes:read'], without: ['MEMBERS_INVITE', 'AUDIT_VIEW'] }, team: { scopes: '*' } },
    },
    settings,
  );
  const application = definition.serving({ machineTokens: true, organizationMcp: true });

  // Contract: application#names-of-roles — Roles: OWNER, ADMIN and MEMBER always exist; further roles have exactly
  //   their scopes
  it('gives each role its scopes, as far as the product grants them', () => {
    const all = Object.keys(builtInScopes);
    expect(application.effectiveScopes('OWNER', active('team'))).toEqual([...all, 'notes:read', 'notes:write']);
    expect(application.effectiveScopes('EDITOR', active('team'))).toEqual([
      'MEMBERS_VIEW',
      'notes:read',
      'notes:write',
      'AUDIT_VIEW',
    ]);
    expect(application.effectiveScopes('EDITOR', active('free'))).toEqual(['MEMBERS_VIEW', 'notes:read']);
    expect(application.effectiveScopes('ADMIN', active('free'))).not.toContain('MEMBERS_INVITE');
    expect(application.effectiveScopes('EDITOR', { status: 'PAST_DUE', product: 'team' })).toEqual([]);
    expect(application.effectiveScopes('GONE', active('team'))).toEqual([]);
    expect(application.effectiveScopes('OWNER', active('gone'))).toEqual([]);
  });

  // Contract: application#who-may-manage-a-role — Who may give a role: its scopes are among those of the caller's own
  //   role
  it.each([
    ['OWNER', null, 'OWNER', true],
    ['OWNER', null, 'GONE', true],
    ['OWNER', null, 'BUYER', true],
    ['ADMIN', null, 'ADMIN', true],
    ['ADMIN', null, 'EDITOR', true],
    ['ADMIN', null, 'BUYER', false],
    ['ADMIN', null, 'OWNER', false],
    ['ADMIN', null, 'GONE', false],
    ['EDITOR', null, 'MEMBER', true],
    ['EDITOR', null, 'ADMIN', false],
    ['OWNER', ['MEMBERS_VIEW', 'notes:read'], 'MEMBER', true],
    ['OWNER', ['MEMBERS_VIEW', 'notes:read'], 'EDITOR', false],
    ['OWNER', Object.keys(builtInScopes), 'OWNER', false],
    ['OWNER', Object.keys(builtInScopes), 'GONE', false],
  ] as const)('decides whether %s, limited to %j, manages %s: %j', (role, limit, other, expected) => {
    const limitedTo = limit === null ? null : new Set<string>(limit);
    expect(application.mayManage({ role, limitedTo }, other)).toBe(expected);
  });

  it('names the roles and products that grant a scope', () => {
    expect(application.rolesGranting('notes:write')).toEqual(['OWNER', 'ADMIN', 'EDITOR']);
    expect(application.productsGranting('notes:write')).toEqual(['team']);
  });

  // Contract: application#source-of-the-definition — Absent: the built-in scopes and roles, and the product free
  it('has the built-in scopes and roles and the product free without a definition', () => {
    expect(namesOf(defaultApplication.scopes)).toEqual(alwaysOn);
    expect(namesOf(defaultApplication.roles)).toEqual(['OWNER', 'ADMIN', 'MEMBER']);
    expect(defaultApplication.products).toEqual([
      { name: 'free', title: 'Free', scopes: alwaysOn, members: null, priceKey: 'free' },
    ]);
  });

  // Contract: application#scopes-of-optional-parts — Built-in scopes of a part exist while it is on, for OWNER and
  //   ADMIN
  // Contract: organizations#built-in-roles — OWNER holds every scope, ADMIN and MEMBER their built-in ones
  it.each([
    [false, false, []],
    [true, false, ['TOKENS_MANAGE', 'AUDIT_VIEW']],
    [false, true, ['MCP_MANAGE', 'AUDIT_VIEW']],
    [true, true, ['TOKENS_MANAGE', 'MCP_MANAGE', 'AUDIT_VIEW']],
  ])(
    'has the scopes of its parts: machine tokens %j, MCP of organizations %j',
    (machineTokens, organizationMcp, own) => {
      const served = definition.serving({ machineTokens, organizationMcp });
      expect(namesOf(served.scopes)).toEqual([...alwaysOn, ...own, ...Object.keys(scopes)]);
      expect(served.effectiveScopes('OWNER', active('team'))).toEqual(namesOf(served.scopes));
      expect(served.effectiveScopes('ADMIN', active('team')).filter((name) => !everyPart.includes(name))).toEqual([
        ...alwaysOn.slice(0, 4),
        ...Object.keys(scopes),
      ]);
      expect(served.effectiveScopes('ADMIN', active('team'))).toEqual(expect.arrayContaining(own));
      expect(served.effectiveScopes('MEMBER', active('team'))).toEqual(['MEMBERS_VIEW', 'notes:read']);
      // A definition may name a scope of a part that is off; the role then lacks it, and the product withholds nothing
      // more.
      const isOn = own.includes('AUDIT_VIEW');
      expect(served.roles.find(({ name }) => name === 'EDITOR')?.scopes.includes('AUDIT_VIEW')).toBe(isOn);
      expect(served.findProduct('free')?.scopes).not.toContain('AUDIT_VIEW');
      expect(served.hasScope('AUDIT_VIEW')).toBe(isOn);
    },
  );
});
