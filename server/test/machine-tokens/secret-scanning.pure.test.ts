/** docs/secret-scanning.md: each published pattern finds every token, and the published checksum rejects all else. */
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf } from '../../../scripts/docs/code-blocks.ts';
import { repositoryRoot } from '../../../scripts/report.ts';
import { newToken, tokenKindOf } from '../../src/domain/credentials/token.ts';
import { range } from '../support/checks/concurrency.ts';

const page = readFileSync(join(repositoryRoot, 'docs/secret-scanning.md'), 'utf8');

const codeOf = (language: string): string => {
  const [block, ...others] = blocksOf(page).filter((each) => each.language === language);
  if (block === undefined || others.length > 0) throw new Error(`The page must have one block of ${language}`);
  return block.code;
};

const only = (text: string, pattern: RegExp): string => {
  const value = pattern.exec(text)?.[1];
  if (value === undefined) throw new Error(`The page has no ${pattern.source}`);
  return value;
};

// Strings from a seed, so that every run has the same ones.

const seed = 'gatehouse: secret scanning';

/** The nth of the seed's strings, of so many base64url characters. */
const nth = (at: number, length: number): string =>
  `${hash('sha256', `${seed} ${at} 0`, 'base64url')}${hash('sha256', `${seed} ${at} 1`, 'base64url')}`.slice(0, length);

const prefixes = ['gate_a_', 'gate_r_', 'gate_p_', 'gate_s_'] as const;
const prefixOf = (at: number): string => prefixes[at % prefixes.length] ?? '';

const tokens = range(1000).map((at) => {
  const body = `${prefixOf(at)}${nth(at, 43)}`;
  return `${body}${hash('sha256', `gatehouse-token:${body}`, 'base64url').slice(0, 6)}`;
});

const many = 100_000;
const randomStrings = range(many).map((at) => nth(at + 1000, 56));
const alike = range(many).map((at) => `${prefixOf(at)}${nth(at + 1000, 49)}`);

const surroundings: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `const token = '${token}';`,
  (token) => `{"token":"${token}","next":null}`,
  (token) => `GATEHOUSE_TOKEN=${token}\nPORT=8080`,
  (token) => `curl -H "Authorization: Bearer ${token}" https://id.example/graphql`,
  (token) => `https://api.example/?access_token=${token}&page=2`,
  (token) => `token: ${token} # rotate me`,
  (token) => `"line\\n${token}\\n"`,
  (token) => `fetch(url, { headers: { authorization: \`Bearer ${token}\` } })`,
  (token) => `<code>${token}</code>`,
  (token) => `2026-01-01T00:00:00Z warn token=${token}, retrying`,
  (token) => `["${token}"]`,
];

const inCode = (token: string, at: number): string => surroundings[at % surroundings.length]?.(token) ?? token;

/** Bits a character, as gitleaks measures a secret. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
};

/** What a scanner finds in a text. */
type Scanner = (text: string) => readonly string[];

const gitleaks = (): Scanner => {
  const rule = codeOf('toml');
  const pattern = new RegExp(only(rule, /^regex = '''(.+)'''$/m), 'g');
  const group = Number(only(rule, /^secretGroup = (\d+)$/m));
  const entropy = Number(only(rule, /^entropy = ([\d.]+)$/m));
  const keywords = JSON.parse(only(rule, /^keywords = (\[.+\])$/m)) as readonly string[];
  return (text) =>
    keywords.some((keyword) => text.toLowerCase().includes(keyword))
      ? Array.from(text.matchAll(pattern), (match) => match[group] ?? '').filter(
          (secret) => entropyOf(secret) > entropy,
        )
      : [];
};

interface Detector {
  readonly keywords: readonly string[];
  readonly regex: { readonly token: string };
}

const truffleHog = (): Scanner => {
  const { detectors } = parse(codeOf('yaml')) as { readonly detectors: readonly [Detector] };
  const [{ keywords, regex }] = detectors;
  const pattern = new RegExp(regex.token, 'g');
  return (text) =>
    keywords.some((keyword) => text.toLowerCase().includes(keyword))
      ? Array.from(text.matchAll(pattern), ([secret]) => secret)
      : [];
};

const gitHub = (): Scanner => {
  const fields = codeOf('text');
  const field = (name: string): string => only(fields, new RegExp(`^${name}: (.+)$`, 'm'));
  // The beginning and the end of the text, as JavaScript writes them. Matches may share the character between them.
  const before = field('Before secret').replace('\\A', '^');
  const after = field('After secret').replace('\\z', '$');
  const pattern = new RegExp(`(?:${before})(${field('Secret format')})(?=${after})`, 'g');
  return (text) => Array.from(text.matchAll(pattern), (match) => match[1] ?? '');
};

/** The function of the page, with the module that it imports. */
const published = (): ((text: string) => boolean) => {
  const code = codeOf('js').replace("import { createHash } from 'node:crypto';", '').replace('export const', 'const');
  const make = runInThisContext(`(createHash) => { ${code}; return isToken; }`) as (
    create: typeof createHash,
  ) => (text: string) => boolean;
  return make(createHash);
};

describe.each([
  ['gitleaks', gitleaks],
  ['TruffleHog', truffleHog],
  ['GitHub', gitHub],
])('The pattern for %s', (_name, open) => {
  const scan = open();

  // Contract: machine-credentials#patterns-for-secret-scanners — The published patterns find our tokens, and nothing
  //   random
  it('finds each of 1,000 tokens, of every prefix, wherever it stands in code', () => {
    expect(tokens.filter((token, at) => scan(inCode(token, at)).join() !== token)).toEqual([]);
    for (const surround of surroundings)
      expect(tokens.slice(0, 4).map((token) => scan(surround(token)).join())).toEqual(tokens.slice(0, 4));
    expect(scan(tokens.slice(0, 20).join('\n'))).toHaveLength(20);
  });

  it('finds none of 100,000 random strings', () => {
    expect(randomStrings.filter((text) => scan(text).length > 0)).toEqual([]);
  });

  it('finds 100,000 strings in the form of a token, and the published checksum rejects each', () => {
    const isToken = published();
    const found = alike.flatMap((text) => scan(text));
    expect(found.length).toBe(many);
    expect(found.filter(isToken)).toEqual([]);
  });
});

describe('The published checksum', () => {
  it('accepts the tokens of the service, and those of this test are such tokens', () => {
    const isToken = published();
    expect(tokens.filter((token) => tokenKindOf(token) === null || !isToken(token))).toEqual([]);
    const kinds = ['user_session', 'user_refresh', 'personal_token', 'service_token'] as const;
    expect(kinds.map((kind) => isToken(newToken(kind)))).toEqual([true, true, true, true]);
    expect(tokens.map((token) => isToken(`${token}x`))).not.toContain(true);
  });
});

describe('The rule for gitleaks', () => {
  it.each([`def delegate_a_${'request_to_the_next_handler_that_is_ready_for_it_'}(self):`, `gate_p_${'x'.repeat(49)}`])(
    'leaves out %s',
    (text) => {
      expect(gitleaks()(text)).toEqual([]);
    },
  );
});
