/** The messages of ../../en/sign-in/account-forms.ts in German. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: 'Weiter mit {provider}',
  or: 'oder',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'Anforderungen an das Passwort',
  met: 'erfüllt',
  notMet: 'noch nicht erfüllt',
  length: '8 bis 40 Zeichen',
  upperCase: 'Ein Großbuchstabe',
  lowerCase: 'Ein Kleinbuchstabe',
  digit: 'Eine Ziffer',
  symbol: 'Eines der Zeichen {characters}',
};
