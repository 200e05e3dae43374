/** The password rules of the specification, as the person typing sees them. The server has the last word. */

export type PasswordRule = 'length' | 'upperCase' | 'lowerCase' | 'digit' | 'symbol' | 'bytes';

/** bcrypt ignores what follows byte 72, so a longer password would be weaker than it looks. */
const mostBytes = 72;

const rules: Readonly<Record<PasswordRule, (password: string) => boolean>> = {
  length: (password) => {
    // People count characters; `length` would count an emoji as two.
    const characters = [...password].length;
    return characters >= 8 && characters <= 40;
  },
  upperCase: (password) => /\p{Lu}/u.test(password),
  lowerCase: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  symbol: (password) => /[@.#$!%*?&]/.test(password),
  bytes: (password) => new TextEncoder().encode(password).length <= mostBytes,
};

/** The rules shown from the start. The byte limit concerns so few that it is named only once it is broken. */
export const listedRules = ['length', 'upperCase', 'lowerCase', 'digit', 'symbol'] as const satisfies PasswordRule[];

export const isMet = (rule: PasswordRule, password: string): boolean => rules[rule](password);

export const brokenRules = (password: string): PasswordRule[] =>
  [...listedRules, 'bytes' as const].filter((rule) => !isMet(rule, password));
