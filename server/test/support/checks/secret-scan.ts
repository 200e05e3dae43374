/** Searches for secrets, in any encoding, in everything that an instance leaves behind: tables, files, a dump, logs. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from '../database/sql.ts';

/** A readable name, and the bytes to search. */
export interface Haystack {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The 32 random bytes of a `gate_a_…` or `gate_r_…` token, or of a secret without a prefix. */
const randomPartOf = (secret: string): string | null => {
  const [, inToken, alone] = /^gate_[arps]_([\w-]{43})[\w-]{6}$|^([\w-]{43})$/.exec(secret) ?? [];
  return inToken ?? alone ?? null;
};

/** The possible forms of a secret: unchanged, as hex or base64 of its bytes, or as the bytes that it encodes. */
const spellings = (secret: string): Buffer[] => {
  const plain = Buffer.from(secret, 'utf8');
  const random = randomPartOf(secret);
  const [hex, base64, base64url] = (['hex', 'base64', 'base64url'] as const).map((encoding) =>
    plain.toString(encoding),
  );
  return [
    plain,
    ...[
      hex,
      base64?.replace(/=+$/, ''),
      base64url,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ].map((text) => Buffer.from(text ?? secret, 'utf8')),
    ...(/^([0-9a-f]{2}){16,}$/.test(secret) ? [Buffer.from(secret, 'hex')] : []),
    ...(random === null ? [] : [Buffer.from(random, 'utf8'), Buffer.from(random, 'base64url')]),
    ...(random === null ? [] : [Buffer.from(Buffer.from(random, 'base64url').toString('hex'), 'utf8')]),
  ];
};

/** `secret in place` for each secret that was found. */
export const findSecrets = (secrets: ReadonlyMap<string, string>, haystacks: readonly Haystack[]): readonly string[] =>
  [...secrets].flatMap(([label, secret]) => {
    const needles = spellings(secret);
    return haystacks
      .filter(({ bytes }) => needles.some((needle) => bytes.includes(needle)))
      .map(({ name }) => `${label} in ${name}`);
  });

const shown = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `${value.toString('hex')} ${value.toString('latin1')}`;
  return value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? '');
};

/** Every column of every row of every table: one haystack a table, byte columns as hex and raw. */
export const tablesAsText = async (sql: Sql): Promise<Haystack[]> => {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  return Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql<Record<string, unknown>>(`SELECT * FROM ${name}`);
      const text = rows.map((row) => Object.values(row).map(shown).join('\t')).join('\n');
      return { name: `table ${name}`, bytes: Buffer.from(text, 'latin1') };
    }),
  );
};

export const filesBelow = async (directory: string): Promise<Haystack[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.map(async (path) => ({ name: `file ${path.slice(directory.length)}`, bytes: await readFile(path) })),
  );
};

/** The output of `pg_dump`; null without one of the server's version. */
export const dumpOf = async (url: string): Promise<Haystack | null> => {
  try {
    const { stdout } = await promisify(execFile)('pg_dump', [url], { maxBuffer: 2 ** 28, encoding: 'buffer' });
    return { name: 'pg_dump', bytes: stdout };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || /server version mismatch/.test(String(error))) return null;
    throw error;
  }
};
