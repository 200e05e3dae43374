/** The form of an e-mail address, as far as a typing error can be told from it. The server decides. */
export const isEmailShaped = (typed: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed);
