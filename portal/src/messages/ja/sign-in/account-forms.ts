/** The messages of ../../en/sign-in/account-forms.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: '{provider}で続ける',
  or: 'または',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'パスワードの条件',
  met: '満たしています',
  notMet: 'まだ満たしていません',
  length: '8～40文字',
  upperCase: '英大文字',
  lowerCase: '英小文字',
  digit: '数字',
  symbol: '次のいずれかの記号：{characters}',
};
