/** The messages of ../../en/sign-in/account-forms.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/account-forms.ts';

export const provider: Translated<typeof english.provider> = {
  continueWith: 'المتابعة باستخدام {provider}',
  or: 'أو',
};

export const passwordRules: Translated<typeof english.passwordRules> = {
  label: 'متطلبات كلمة المرور',
  met: 'مستوفى',
  notMet: 'غير مستوفى بعد',
  length: 'من 8 إلى 40 حرفًا',
  upperCase: 'حرف لاتيني كبير',
  lowerCase: 'حرف لاتيني صغير',
  digit: 'رقم',
  symbol: 'أحد هذه الرموز: {characters}',
};
