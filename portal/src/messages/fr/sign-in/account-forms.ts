/** The messages of ../../en/sign-in/account-forms.ts in French. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: 'Continuer avec {provider}',
  or: 'ou',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'Exigences pour le mot de passe',
  met: 'satisfaite',
  notMet: 'pas encore satisfaite',
  length: '8 à 40 caractères',
  upperCase: 'Une lettre majuscule',
  lowerCase: 'Une lettre minuscule',
  digit: 'Un chiffre',
  symbol: 'L’un de ces caractères : {characters}',
};
