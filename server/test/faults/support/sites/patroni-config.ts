/**
 * Owns the configurations of a cluster of PostgreSQL: those of Patroni and haproxy are the ones of
 * docs/high-availability.md, with other addresses and folders.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { range } from '../../../support/checks/concurrency.ts';

const page = fileURLToPath(new URL('../../../../../docs/high-availability.md', import.meta.url));

/** As the page has them. */
export const superuser = { name: 'postgres', password: 'change-me' };

export const etcds = range(3);
export const names = ['a', 'b'] as const;

export type MachineName = (typeof names)[number];

export interface ClusterOptions {
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
  /** In place of the page's, in seconds. */
  readonly timing?: { readonly ttl: number; readonly loopWait: number; readonly retryTimeout: number };
  /** Called with the directory of each machine before anything is in it. */
  readonly prepare?: (directory: string) => void;
}

/** The block of the page in this language. */
const documented = async (language: 'yaml' | 'haproxy'): Promise<string> => {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(page, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`docs/high-availability.md has no ${language}`);
  return block;
};

/** @throws Error: the text has none of one of the former ones, so that the page and this file have parted */
const replaced = (text: string, changes: Readonly<Record<string, string>>): string =>
  Object.entries(changes).reduce((now, [former, present]) => {
    if (!now.includes(former)) throw new Error(`docs/high-availability.md no longer has ${former}`);
    return now.replaceAll(former, present);
  }, text);

export const etcdOptions = (
  directory: string,
  at: number,
  clients: readonly number[],
  peers: readonly number[],
): string[] => {
  const urls = (ports: readonly number[]): string => `http://127.0.0.1:${ports[at]}`;
  return Object.entries({
    name: `etcd-${at}`,
    'data-dir': join(directory, `etcd-${at}`),
    'listen-client-urls': urls(clients),
    'advertise-client-urls': urls(clients),
    'listen-peer-urls': urls(peers),
    'initial-advertise-peer-urls': urls(peers),
    'initial-cluster': etcds.map((each) => `etcd-${each}=http://127.0.0.1:${peers[each]}`).join(),
  }).map(([option, value]) => `--${option}=${value}`);
};

interface Place {
  readonly name: MachineName;
  readonly home: string;
  readonly port: number;
  readonly restPort: number;
  readonly clients: readonly number[];
}

export const patroniConfig = async ({ postgres, timing }: ClusterOptions, place: Place): Promise<string> =>
  replaced(await documented('yaml'), {
    'name: a\n': `name: ${place.name}\n`,
    '10.0.0.1:8008': `127.0.0.1:${place.restPort}`,
    '10.0.0.1:5432': `127.0.0.1:${place.port}`,
    '10.0.0.0/24': '127.0.0.1/32',
    '10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379': place.clients.map((port) => `127.0.0.1:${port}`).join(),
    '/var/lib/postgresql/15/gatehouse': join(place.home, 'data'),
    '/usr/lib/postgresql/15/bin': postgres,
    '/var/run/postgresql': place.home,
    ...(timing === undefined
      ? {}
      : {
          'ttl: 20': `ttl: ${timing.ttl}`,
          'loop_wait: 5': `loop_wait: ${timing.loopWait}`,
          'retry_timeout: 5': `retry_timeout: ${timing.retryTimeout}`,
        }),
  });

export const haproxyConfig = async (
  port: number,
  postgres: readonly number[],
  rest: readonly number[],
): Promise<string> =>
  replaced(await documented('haproxy'), {
    '127.0.0.1:5000': `127.0.0.1:${port}`,
    ' check port 8008': '',
    'server a 10.0.0.1:5432': `server a 127.0.0.1:${postgres[0]} check port ${rest[0]}`,
    'server b 10.0.0.2:5432': `server b 127.0.0.1:${postgres[1]} check port ${rest[1]}`,
  });
