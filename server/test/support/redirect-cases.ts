/**
 * The cases of the rule of redirects (contract/application.md#absolute-urls-of-a-front-end), for the rule itself, for
 * the routes of the server and for the portal.
 */

export const appOrigin = 'https://app.acme.example';
/** A front end of development. */
export const plainOrigin = 'http://127.0.0.1:3999';

/** Followed as they stand. */
export const internalPaths: readonly string[] = [
  '/',
  '/devices',
  '/notes?page=2#part',
  '/auth/mcp/continue/0190f0a0-0000-7000-8000-000000000000',
  '/a%2Fb',
  '/@name',
  '/a:b',
];

/** Absolute URLs of the two origins, with what is followed. */
export const returnUrls: readonly (readonly [given: string, followed: string])[] = [
  [appOrigin, `${appOrigin}/`],
  [`${appOrigin}/`, `${appOrigin}/`],
  [`${appOrigin}/notes/7?x=1&y=a%20b#part`, `${appOrigin}/notes/7?x=1&y=a%20b#part`],
  [`${appOrigin}?x=1`, `${appOrigin}/?x=1`],
  [`${appOrigin}#/notes?x=1`, `${appOrigin}/#/notes?x=1`],
  [`${appOrigin}/@name`, `${appOrigin}/@name`],
  [`${appOrigin}//notes`, `${appOrigin}//notes`],
  [`${appOrigin}/a%2F%2Fb`, `${appOrigin}/a%2F%2Fb`],
  [`${appOrigin}/über`, `${appOrigin}/%C3%BCber`],
  [`${appOrigin}/a/../b`, `${appOrigin}/b`],
  // The query is data: nothing in it leads elsewhere.
  [`${appOrigin}/?next=https://evil.example`, `${appOrigin}/?next=https://evil.example`],
  [`${appOrigin}?@evil.example`, `${appOrigin}/?@evil.example`],
  [`${appOrigin}/?q=\\\\evil.example`, `${appOrigin}/?q=\\\\evil.example`],
  [`${appOrigin}/?q=100%`, `${appOrigin}/?q=100%`],
  // Other spellings of the same origin, which the parsed form does not keep.
  ['https://APP.Acme.Example/x', `${appOrigin}/x`],
  [`${appOrigin}:443/x`, `${appOrigin}/x`],
  ['https://app%2eacme.example/x', `${appOrigin}/x`],
  ['https://ａｐｐ。acme.example/x', `${appOrigin}/x`],
  [`${plainOrigin}/x`, `${plainOrigin}/x`],
  ['http://0x7f.1:3999/x', `${plainOrigin}/x`],
  [
    `${appOrigin}/${'a'.repeat(2048 - appOrigin.length - 1)}`,
    `${appOrigin}/${'a'.repeat(2048 - appOrigin.length - 1)}`,
  ],
];

const encodedTimes = (text: string, times: number): string =>
  times === 0 ? text : encodeURIComponent(encodedTimes(text, times - 1));

/** Dropped by every redirect parameter. */
export const droppedRedirects: readonly string[] = [
  '',
  ' ',
  'devices',
  '//evil.example',
  '/\\evil.example',
  '/%2Fevil.example',
  '/%255Cevil.example',
  '/x?next=//evil.example',
  // Other hosts, and the same host with more in it.
  'https://evil.example/',
  `${appOrigin}.evil.example`,
  `${appOrigin}./`,
  `${appOrigin}:8443/`,
  'https://other.app.acme.example/',
  'https://acme.example/',
  'https://evil.example/app.acme.example',
  'https://evil.example?https://app.acme.example',
  'https://evil.example#https://app.acme.example',
  'https://xn--pp-7ka.acme.example/',
  'https://аpp.acme.example/',
  'https://app.acme.example∕evil.example/',
  'https://[::1]/',
  'https://[::ffff:7f00:1]:3999/',
  'https://2130706433/',
  'https://app.acme.example%00.evil.example/',
  'https://app.acme.example%0a.evil.example/',
  // User info, also empty or encoded.
  'https://app.acme.example@evil.example/',
  'https://user:pass@app.acme.example/',
  'https://user@app.acme.example/',
  'https://@app.acme.example/',
  'https://:@app.acme.example/',
  'https://app.acme.example%2f@evil.example/',
  'https://app.acme.example%40evil.example/',
  'https://%40app.acme.example/',
  // Schemes, and slashes that parsers forgive.
  'HTTPS://app.acme.example/',
  'Https://app.acme.example/',
  'http://app.acme.example/',
  'https://127.0.0.1:3999/',
  'https:app.acme.example',
  'https:/app.acme.example',
  'https:///app.acme.example',
  '//app.acme.example',
  'https:\\\\app.acme.example',
  'https://\\app.acme.example',
  'blob:https://app.acme.example/0190f0a0',
  'javascript:alert(1)',
  'javascript://app.acme.example/%0aalert(1)',
  'data:text/html,x',
  'ftp://app.acme.example/',
  'https://',
  'https://?app.acme.example',
  'https://#app.acme.example',
  'https%3A%2F%2Fapp.acme.example',
  // White space, control characters and backslashes, as they stand and after decodings.
  ` ${appOrigin}/`,
  `${appOrigin} `,
  `${appOrigin}/ `,
  `\t${appOrigin}/`,
  `${appOrigin}/\n`,
  `${appOrigin}/#\r\n`,
  'ht\ttps://app.acme.example/',
  'https:\n//app.acme.example/',
  'https:/\t/app.acme.example/',
  'https://app.\tacme.example/',
  'https://app.acme.example\u0000.evil.example/',
  'https://app.acme.example\u3000/',
  `${appOrigin}/a b`,
  `${appOrigin}/a%20b`,
  `${appOrigin}/a\u00a0b`,
  `${appOrigin}/a\u2028b`,
  `${appOrigin}/a\u0085b`,
  `${appOrigin}\\@evil.example`,
  `${appOrigin}/\\evil.example`,
  `${appOrigin}/%5cevil.example`,
  `${appOrigin}/%5Cevil.example`,
  `${appOrigin}/%255cevil.example`,
  `${appOrigin}/%25255cevil.example`,
  `${appOrigin}/${encodedTimes('\\', 9)}`,
  `${appOrigin}/${encodedTimes('\\', 30)}`,
  `${appOrigin}/%0d%0aSet-Cookie:x=y`,
  `${appOrigin}/%2509`,
  `${appOrigin}/%`,
  `${appOrigin}/100%25`,
  `${appOrigin}/%c0%af`,
  // Too long as given, and too long when parsed.
  `${appOrigin}/${'a'.repeat(2048 - appOrigin.length)}`,
  `${appOrigin}/${'/..'.repeat(800)}`,
  `${appOrigin}/${'é'.repeat(1000)}`,
];

/** Which no parameter in a URL can carry: only code could give them. */
export const droppedValues: readonly unknown[] = [
  undefined,
  null,
  1,
  true,
  {},
  ['/devices'],
  [appOrigin],
  Object(appOrigin),
  '/\ud800',
  `${appOrigin}/\ud800`,
];
