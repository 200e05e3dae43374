/** The messages of ../../en/sign-in/account-forms.ts in Portuguese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: 'Continuar com {provider}',
  or: 'ou',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'Requisitos da senha',
  met: 'atendido',
  notMet: 'ainda não atendido',
  length: 'De 8 a 40 caracteres',
  upperCase: 'Uma letra maiúscula',
  lowerCase: 'Uma letra minúscula',
  digit: 'Um número',
  symbol: 'Um destes: {characters}',
};
