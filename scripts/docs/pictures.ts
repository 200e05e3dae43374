/** Owns the page with the portal's pictures: a dozen of those that `npm run gallery` takes. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Look, looks, pictureName } from '../gallery/pictures.ts';
import type { RenderedPage } from './render.ts';

interface Chosen {
  readonly state: string;
  readonly caption: string;
}

/** In the order of the page. */
const chosen: readonly { readonly title: string; readonly anchor: string; readonly pictures: readonly Chosen[] }[] = [
  {
    title: 'Signing in',
    anchor: 'signing-in',
    pictures: [
      { state: 'visitor/sign-in', caption: 'Sign-in, by a provider or a password' },
      { state: 'visitor/sign-up', caption: 'Sign-up' },
      { state: 'visitor/verification-mail', caption: 'The mail that confirms an address' },
    ],
  },
  {
    title: 'An organization',
    anchor: 'an-organization',
    pictures: [
      { state: 'person/home', caption: 'Home: the organizations, roles and devices of a person' },
      { state: 'person/members', caption: 'The members of an organization' },
      { state: 'person/choosing-a-role', caption: 'Another role for a member' },
      { state: 'visitor/invitation-to-a-person-with-an-account', caption: 'An invitation' },
      { state: 'person/plan-after-paying', caption: 'The plan, and why it grants a scope' },
    ],
  },
  {
    title: 'The super admins’ console',
    anchor: 'the-super-admins-console',
    pictures: [
      { state: 'super-admin/search-everything', caption: 'One search over people, organizations and ids' },
      { state: 'super-admin/sessions', caption: 'The sessions of all people' },
      { state: 'super-admin/mcp-calls', caption: 'What clients of Platform MCP did' },
      { state: 'super-admin/mcp-a-refused-attempt', caption: 'Why a client could not connect' },
    ],
  },
];

const states = chosen.flatMap(({ pictures }) => pictures.map(({ state }) => state));

const namesOf = (state: string): readonly string[] => looks.map((look) => pictureName(state, look));

/** Whether the gallery in this folder has every chosen picture. */
export const hasPictures = (folder: string): boolean =>
  states.flatMap(namesOf).every((name) => existsSync(join(folder, name)));

export const copyPictures = (folder: string, site: string): void => {
  for (const name of states.flatMap(namesOf)) {
    mkdirSync(dirname(join(site, 'docs/portal', name)), { recursive: true });
    copyFileSync(join(folder, name), join(site, 'docs/portal', name));
  }
};

/** In the scheme of the reader's system, as the page itself. */
const picture = (state: string, width: Look['width'], alt: string): string => {
  const [light, dark] = [pictureName(state, { width, scheme: 'light' }), pictureName(state, { width, scheme: 'dark' })];
  return `<picture class="${width}"><source media="(prefers-color-scheme: dark)" srcset="portal/${dark}">
<img src="portal/${light}" alt="${alt}" loading="lazy"></picture>`;
};

const figure = ({ state, caption }: Chosen): string => `<figure>
<div>${picture(state, 'wide', `${caption}, on a wide screen`)}${picture(state, 'phone', `${caption}, on a phone`)}</div>
<figcaption>${caption}</figcaption></figure>`;

/** The page of the pictures, for places in `docs/`. */
export const picturesPage = (): RenderedPage => {
  const title = 'The portal in pictures';
  const groups = chosen.map(
    (group) => `<h2 id="${group.anchor}"><a href="#${group.anchor}">${group.title}</a></h2>
${group.pictures.map(figure).join('\n')}`,
  );
  return {
    title,
    html: `<h1 id="top">${title}</h1>
<p>Pages of the portal as people see them, on a wide screen and on a phone, in the colours of your system.</p>
${groups.join('\n')}`,
    headings: [
      { level: 1, anchor: 'top', text: title },
      ...chosen.map(({ title: text, anchor }) => ({ level: 2, anchor, text })),
    ],
    files: [],
  };
};
