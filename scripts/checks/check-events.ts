/**
 * `npm run check:docs`, of the log: each event that a source names is on the list, each on the list is logged
 * somewhere and alone has a meaning, and the pages that speak of the log name no other.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import meanings from '../../server/src/platform/observability/event-meanings.json' with { type: 'json' };
import { events } from '../../server/src/platform/observability/events.ts';
import { report, repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

const list = 'server/src/platform/observability/events.ts';
const pages = ['operations', 'watching', 'limits', 'upgrading'].map((name) => `docs/${name}.md`);

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

const sources = filesBelow(repositoryRoot, 'server/src', /\.ts$/).filter((path) => path !== list);
const texts = new Map(sources.map((path) => [path, read(path)]));

const unknownIn = (path: string, text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name = '']) =>
    name in events ? [] : [`${path} names ${name}, which is not in ${list}`],
  );

const everything = [...texts.values()].join('\n');
const silent = Object.keys(events)
  .filter((name) => !everything.includes(name.includes('.') ? `'${name}'` : `event: '${name}'`))
  .map((name) => `${list} has ${name}, which nothing logs`);

const unused = Object.keys(meanings).filter((name) => !(name in events));

/** Names whose first part is that of an event; spans and what they hold are named in the same way. */
const families = [...new Set(Object.keys(events).map((name) => name.split('.')[0]))].join('|');
const spans = /^## Traces\n.*?(?=^## )/ms;
const namedOnPage = new RegExp(`\`((?:${families})\\.[a-z_.]+)\``, 'g');

report(
  [
    ...[...texts].flatMap(([path, text]) => unknownIn(path, text, /\bevent: '([a-z_]+(?:\.[a-z_]+)+)'/g)),
    ...silent,
    ...unused.map((name) => `event-meanings.json has ${name}, which is not in ${list}`),
    ...pages.flatMap((page) => unknownIn(page, read(page).replace(spans, ''), namedOnPage)),
  ],
  `${Object.keys(events).length} events: all of them logged, and none besides.`,
);
