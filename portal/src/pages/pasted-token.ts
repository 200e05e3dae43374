/** The token in a pasted link: mail programs and chats leave blanks, line ends and punctuation around it. */

/** The token alone. Its own characters are letters, digits, `-` and `_`; inside, only blanks are taken out. */
export const pastedToken = (text: string): string =>
  text.replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/gu, '').replaceAll(/^[^\w-]+|[^\w-]+$/g, '');
