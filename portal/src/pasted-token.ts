/** The token in a pasted link: mail programs and chats leave blanks, line ends, punctuation and codes around it. */

/** Tokens as the service makes them: of verification mails, and of invitations. */
const token = /(?<![\da-f])(?:[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\da-f])/g;

/** The token alone. Where none can be told apart, only blanks, and what is no part of a word at the ends, is taken out. */
export const pastedToken = (text: string): string => {
  const unbroken = text.replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/gu, '');
  const [found, another] = unbroken.match(token) ?? [];
  return found !== undefined && another === undefined ? found : unbroken.replaceAll(/^[^\w-]+|[^\w-]+$/g, '');
};
