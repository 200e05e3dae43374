/** The options of `npm run gallery`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface GalleryOptions {
  /** Part of the names of the states; null for all. */
  readonly only: string | null;
  /** BCP 47 tag of the language in which the pages are photographed. */
  readonly language: string;
  /** A folder of pictures to compare with, in place of the former run's. */
  readonly against: string | null;
  /** Whether a difference is a failure. */
  readonly isCheck: boolean;
}

/**
 * @param args of the command line
 * @throws TypeError for an unknown option, Error for a language that is no tag
 */
export const readOptions = (args: readonly string[]): GalleryOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      language: { type: 'string', default: 'en' },
      against: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  // The language is the name of a folder too.
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(values.language)) {
    throw new Error(`--language takes a language tag such as de, not ${values.language}`);
  }
  return {
    only: values.only ?? null,
    language: values.language,
    against: values.against === undefined ? null : resolve(values.against),
    isCheck: values.check,
  };
};
