/** The messages of ../../en/sign-in/password-review.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/password-review.ts';

export const passwordReview: Translated<typeof english.passwordReview> = {
  someProvider: 'الموفّر',
  title: 'هل أنت من عيّن كلمة مرور هذا الحساب؟',
  text: 'أصبح هذا الحساب مرتبطًا بـ {provider} لأن العنوان هو نفسه. وله أيضًا كلمة مرور عُيّنت من قبل. إذا لم تكن أنت من عيّنها فربما يعرفها شخص آخر: أزلها.',
  consequence: 'تؤدي إزالتها إلى تسجيل الخروج من كل الأجهزة والعملاء الآخرين، وستسجّل الدخول بعدها باستخدام {provider}.',
  remove: 'إزالة كلمة المرور',
  keep: 'أنا عيّنتها: الإبقاء عليها',
  removed: 'أُزيلت كلمة المرور، وسُجِّل الخروج من كل الأجهزة الأخرى. ستسجّل الدخول باستخدام {provider} من الآن فصاعدًا.',
  kept: 'تبقى كلمة المرور. يمكنك تسجيل الدخول بها أو باستخدام {provider}.',
};
