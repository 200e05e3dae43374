/** Device names parsed from user agents. */
import { describe, expect, it } from 'vitest';
import { parseUserAgent } from '../src/components/device-label.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the name of a device', () => {
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Linux', 'computer'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0 Safari/537.36 Edg/142.0`,
      'Edge',
      'Windows',
      'computer',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
      'Firefox',
      'macOS',
      'computer',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
      'phone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16) ${webKit} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
      'phone',
    ],
    ['curl/8.14.1', 'curl', undefined, 'program'],
    ['node', 'node', undefined, 'program'],
    ['Apache-HttpClient/5.5 (Java/21)', 'Apache-HttpClient', undefined, 'program'],
    ['', undefined, undefined, 'unknown'],
    [null, undefined, undefined, 'unknown'],
    ['Mozilla/5.0', undefined, undefined, 'unknown'],
  ])('%j is %s on %s', (userAgent, program, system, kind) => {
    expect(parseUserAgent(userAgent)).toEqual({ kind, program, system });
  });
});
