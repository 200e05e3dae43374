/** The rules for a new password (contract/accounts.md#password-rules). The server decides. */

type PasswordRule = 'length' | 'upperCase' | 'lowerCase' | 'digit' | 'symbol' | 'bytes';

/** bcrypt ignores everything after byte 72, so a longer password would be weaker than it looks. */
const maxBytes = 72;

const rules: Readonly<Record<PasswordRule, (password: string) => boolean>> = {
  length: (password) => {
    // Counts code points; `length` would count an emoji as two.
    const characters = [...password].length;
    return characters >= 8 && characters <= 40;
  },
  upperCase: (password) => /\p{Lu}/u.test(password),
  lowerCase: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  symbol: (password) => /[@.#$!%*?&]/.test(password),
  bytes: (password) => new TextEncoder().encode(password).length <= maxBytes,
};

/** Rules listed from the start. The byte limit is shown only when it is exceeded. */
export const listedRules = ['length', 'upperCase', 'lowerCase', 'digit', 'symbol'] as const satisfies PasswordRule[];

export const isMet = (rule: PasswordRule, password: string): boolean => rules[rule](password);

export const brokenRules = (password: string): PasswordRule[] =>
  [...listedRules, 'bytes' as const].filter((rule) => !isMet(rule, password));
