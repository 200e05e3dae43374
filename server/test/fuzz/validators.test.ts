/** Every validator of a text, for any text: it ends soon, and accepts only valid values. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variables } from '../../src/config/variables.ts';
import { isWellFormedToken, newToken } from '../../src/domain/credentials/token.ts';
import { isAllowedRedirectUri, isRegisteredRedirectUri } from '../../src/domain/oauth/register-client.ts';
import {
  emailReason,
  fittingName,
  isWhollyHashed,
  nameReason,
  normalizeEmail,
  normalizeName,
  passwordReason,
} from '../../src/domain/users/text-rules.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { isId, newId } from '../../src/kernel/ids.ts';
import { networkOf, plainAddress, siteOf } from '../../src/kernel/network.ts';
import { readPageRequest } from '../../src/kernel/paging.ts';
import { isPrintable } from '../../src/kernel/printable.ts';
import { internalPath, redirectOf } from '../../src/kernel/redirects.ts';
import { newestFirst } from '../../src/platform/database/filtered-list.ts';
import { hostileText, mutated, tries } from '../support/random/fuzz.ts';
import { appOrigin, droppedRedirects, plainOrigin, returnUrls } from '../support/redirect-cases.ts';

/** A pattern that backtracks takes minutes for one of these; the test's own limit ends it. */
const long = fc
  .tuple(hostileText, fc.constantFrom('a', '.', '@', '/', '%', ' ', '-', '\u0301', '😀', 'aA1.'), fc.nat(100_000))
  .map(([text, filler, count]) => `${text}${filler.repeat(count / filler.length)}${text}`);
const text = fc.oneof({ weight: 9, arbitrary: hostileText }, { weight: 1, arbitrary: long });

const check = <Value>(property: fc.IProperty<Value>): void => fc.assert(property, tries(2000));

describe('Texts of an account', () => {
  // Contract: requests#addresses-and-passwords — Every validator, for any text
  it('an accepted address is stored in the form in which it is looked up', () => {
    check(
      fc.property(fc.oneof(text, fc.emailAddress(), fc.emailAddress().chain(mutated)), (typed) => {
        const email = normalizeEmail(typed);
        if (emailReason(email) !== null) return;
        expect(normalizeEmail(email)).toBe(email);
        expect(email).toMatch(/^[!-~]{1,64}@[a-z0-9.-]{3,}$/);
        expect(email.length).toBeLessThanOrEqual(254);
      }),
    );
  });

  it('an accepted name is printable on one line, and does not change when it is validated again', () => {
    check(
      fc.property(text, (typed) => {
        const name = normalizeName(typed);
        if (nameReason(name) !== null) return;
        expect(isPrintable(name)).toBe(true);
        expect(normalizeName(name)).toBe(name);
        expect([...name].length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('the provider’s name of a person becomes a valid name, or none', () => {
    check(
      fc.property(text, (foreign) => {
        const name = fittingName(foreign);
        if (name !== null) expect([nameReason(name), normalizeName(name)]).toEqual([null, name]);
      }),
    );
  });

  // Contract: requests#addresses-and-passwords — Accepted passwords are hashed whole
  it('an accepted password is hashed whole', () => {
    const near = fc.tuple(hostileText, fc.stringMatching(/^[A-Z][a-z]{3,30}[0-9][@.#$!%*?&]$/)).map(([a, b]) => b + a);
    check(
      fc.property(fc.oneof(text, near), (password) => {
        if (passwordReason(password, false) !== null) return;
        expect(isWhollyHashed(password)).toBe(true);
        expect(Buffer.byteLength(password)).toBeLessThanOrEqual(72);
        expect([...password].length).toBeGreaterThanOrEqual(8);
        expect([...password].length).toBeLessThanOrEqual(40);
      }),
    );
  });
});

describe('Addresses and places', () => {
  // Contract: application#internal-paths — Accepted paths stay at the origin
  it('an accepted path leads to its own origin, as browsers resolve it', () => {
    check(
      fc.property(
        fc.oneof(
          text,
          hostileText.map((part) => `/${part}`),
        ),
        (candidate) => {
          const path = internalPath(candidate);
          if (path === null) return;
          expect(new URL(path, 'https://id.example.com').origin).toBe('https://id.example.com');
          expect(new URL(decodeURIComponent(path), 'https://id.example.com').origin).toBe('https://id.example.com');
        },
      ),
    );
  });

  // Contract: application#absolute-urls-of-a-front-end — An accepted absolute redirect leads to an allowed origin
  it('an accepted absolute URL leads to an allowed origin, and is followed as it is parsed', () => {
    const origins = [appOrigin, plainOrigin];
    const known = fc.constantFrom(...returnUrls.map(([given]) => given), ...droppedRedirects);
    const glued = fc
      .tuple(fc.constantFrom('https://', 'http://', `${appOrigin}`, plainOrigin, `${appOrigin}/`), hostileText)
      .map(([start, rest]) => start + rest);
    check(
      fc.property(fc.oneof(text, glued, known.chain(mutated)), (candidate) => {
        const followed = redirectOf(candidate, origins);
        if (followed === null || followed.startsWith('/')) return;
        const { href, origin, username, password } = new URL(candidate);
        expect([username, password]).toEqual(['', '']);
        expect(origins).toContain(origin);
        expect(followed).toBe(href);
        expect(redirectOf(followed, origins)).toBe(followed);
        expect(followed).toMatch(/^https?:\/\/[a-z0-9.:]+\/[!-~]*$/);
        expect(followed.length).toBeLessThanOrEqual(2048);
      }),
    );
  });

  it('an accepted redirect URI is a loopback one for browsers too, or on the list', () => {
    const listed = ['cursor://anysphere.cursor-mcp/oauth/callback'];
    const near = fc
      .constantFrom('http://127.0.0.1:5/cb?x=1', 'http://localhost/', 'http://[::1]:9/a', ...listed)
      .chain(mutated);
    check(
      fc.property(fc.oneof(text, near), (uri) => {
        if (!isAllowedRedirectUri(uri, listed)) return;
        if (listed.includes(uri)) return;
        const { protocol, hostname, username, password, hash } = new URL(uri);
        expect([protocol, username, password, hash]).toEqual(['http:', '', '', '']);
        expect(['127.0.0.1', '[::1]', 'localhost']).toContain(hostname);
        expect(isRegisteredRedirectUri(uri, [uri], listed)).toBe(true);
      }),
    );
  });

  it('a network is the same for every notation of an address, and any text has one', () => {
    check(
      fc.property(fc.oneof(text, fc.ipV4(), fc.ipV6()), (address) => {
        expect(networkOf(networkOf(address))).toBe(networkOf(address));
        expect(networkOf(plainAddress(address))).toBe(networkOf(address));
        expect(siteOf(plainAddress(address))).toBe(siteOf(address));
        expect(siteOf(siteOf(address))).toBe(siteOf(address));
      }),
    );
    check(
      fc.property(fc.ipV6(), (address) => {
        expect(networkOf(address.toUpperCase())).toBe(networkOf(address));
      }),
    );
  });
});

describe('Opaque texts', () => {
  it('only an unchanged token is a token', () => {
    const token = newToken('user_session');
    // As long as the token, and of its alphabet: only the checksum differs.
    const misread = fc
      .tuple(fc.nat(token.length - 1), fc.stringMatching(/^[\w-]$/))
      .map(([at, put]) => token.slice(0, at) + put + token.slice(at + 1));
    check(
      fc.property(fc.oneof(text, mutated(token), misread), (candidate) => {
        expect(isWellFormedToken('user_session', candidate)).toBe(candidate === token);
      }),
    );
  });

  it('an accepted id is valid for PostgreSQL', () => {
    check(
      fc.property(fc.oneof(text, fc.uuid(), fc.constant(newId()).chain(mutated)), (candidate) => {
        if (isId(candidate)) expect(candidate).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
      }),
    );
  });

  it('a cursor is accepted or refused without another error', () => {
    const cursor = fc.oneof(
      text,
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      fc
        .array(hostileText, { minLength: 2, maxLength: 2 })
        .map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url')),
    );
    const read = [
      (after: string) => readPageRequest({ first: 10, after }, [() => true, () => true]),
      (after: string) => readPageRequest({ first: 10, after }, newestFirst('c.at', 'c.id', () => '').areKeys),
    ];
    check(
      fc.property(cursor, fc.constantFrom(...read), (after, reader) => {
        try {
          expect(reader(after).limit).toBe(11);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          expect(error.code).toBe('BAD_USER_INPUT');
        }
      }),
    );
  });
});

// Contract: requests#no-value-is-repeated — Every variable of the environment, for any text
it.each(Object.entries(variables))('%s is read, or refused in words that do not contain it', (_name, { schema }) => {
  fc.assert(
    fc.property(fc.oneof(text, fc.webUrl(), fc.webUrl().chain(mutated)), (value) => {
      const result = schema.safeParse(value);
      if (result.success) return;
      const said = result.error.issues.map(({ message }) => message).join();
      expect(said).not.toBe('');
      if (value.trim().length > 8) expect(said).not.toContain(value);
    }),
    tries(200),
  );
});
