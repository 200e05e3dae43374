/** The messages of ../../en/sign-in/account-forms.ts in Spanish. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: 'Continuar con {provider}',
  or: 'o',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'Qué necesita una contraseña',
  met: 'cumplido',
  notMet: 'aún no cumplido',
  length: 'De 8 a 40 caracteres',
  upperCase: 'Una letra mayúscula',
  lowerCase: 'Una letra minúscula',
  digit: 'Un dígito',
  symbol: 'Uno de {characters}',
};
