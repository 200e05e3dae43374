/** Text that can be shown as it is, in a terminal, a mail or a page. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
/** Marks that change the direction of the surrounding text, and line separators. */
const layoutMarks = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;
export const loneSurrogate = /\p{Surrogate}/u;

/** Signs without a shape, which text copied from a page or a mail often has (Unicode Standard, section 5.21). */
const invisibleSigns = /\p{Default_Ignorable_Code_Point}/gu;

/** Takes off zero-width characters, word joiners, direction marks, soft hyphens, byte order marks and the like. */
export const withoutInvisibleSigns = (text: string): string => text.replaceAll(invisibleSigns, '');

/** Whether a text can be shown as it is: without line breaks, direction marks and lone surrogates. */
export const isPrintable = (text: string): boolean =>
  !controlCharacters.test(text) && !layoutMarks.test(text) && !loneSurrogate.test(text);
