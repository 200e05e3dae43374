/** Owns the page with the portal's pictures: a dozen of those that `npm run gallery` takes. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path/posix';
import { type Look, looks, pictureName } from '../gallery/pictures.ts';
import { printedFolder } from './places.ts';

interface Chosen {
  readonly state: string;
  readonly caption: string;
}

/** In the order of the page. */
const chosen: readonly { readonly title: string; readonly pictures: readonly Chosen[] }[] = [
  {
    title: 'Signing in',
    pictures: [
      { state: 'visitor/sign-in', caption: 'Sign-in, by a provider or a password' },
      { state: 'visitor/sign-up', caption: 'Sign-up' },
      { state: 'visitor/verification-mail', caption: 'The mail that confirms an address' },
    ],
  },
  {
    title: 'An organization',
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

/** The scheme that the reader has chosen shows one of both. */
const pictureOf = (folder: string, state: string, look: Look, alt: string): string =>
  `<img class="${look.width} in-${look.scheme}" src="${folder}/${pictureName(state, look)}" alt="${alt}" loading="lazy">`;

const figure = (folder: string, { state, caption }: Chosen): string => {
  const shown = looks.map((look) =>
    pictureOf(folder, state, look, `${caption}, on a ${look.width === 'wide' ? 'wide screen' : 'phone'}`),
  );
  return `<figure class="portal">\n${shown.join('\n')}\n<figcaption>${caption}</figcaption>\n</figure>\n`;
};

/**
 * The page of the pictures, in Markdown.
 *
 * @param pictures the gallery's folder, as a path in the repository; VitePress copies the pictures of it
 */
export const picturesPage = (pictures: string): string => {
  const folder = relative(join(printedFolder, 'docs'), pictures);
  const groups = chosen.map(
    ({ title, pictures: shown }) => `## ${title}\n\n${shown.map((picture) => figure(folder, picture)).join('\n')}`,
  );
  return `# The portal in pictures

Pages of the portal as people see them, on a wide screen and on a phone, in the colours of this page.

${groups.join('\n')}`;
};
