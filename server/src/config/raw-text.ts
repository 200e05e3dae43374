/**
 * Owns the check of what a file of variables adds to a value, which looks right and never works: `docker --env-file`
 * keeps quotation marks and carriage returns, and a secret from `echo` ends in a line break.
 */

/** Whether a text is one or more characters in a pair of equal quotation marks, or just the pair. */
const isQuoted = (text: string): boolean => /^(["']).*\1$/s.test(text);

/** The addition to a variable's text, to follow its name, without the value; null for nothing. */
export const additionIn = (text: string): string | null => {
  if (isQuoted(text.trim())) {
    return 'has quotation marks around its value, which count as a part of it: remove them; docker --env-file keeps them';
  }
  if (text.includes('\r')) {
    return 'has a carriage return in its value: write the file that sets it with line feeds alone, not with the line ends of Windows';
  }
  return text === text.trim() ? null : 'has whitespace before or after its value: remove it, line breaks too';
};

/** The value as it was probably meant, so that a refusal can name the further problems of the configuration. */
export const withoutAddition = (text: string): string => {
  const plain = text.replaceAll('\r', '').trim();
  return isQuoted(plain) ? plain.slice(1, -1).trim() : plain;
};
