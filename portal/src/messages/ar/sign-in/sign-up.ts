/** The messages of ../../en/sign-in/sign-up.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'إنشاء حسابك',
  lead: 'سنرسل إليك رابطًا لتأكيد عنوانك.',
  leadWithProvider: 'تابع باستخدام {provider}، أو اختر كلمة مرور: سنرسل إليك عندئذ رابطًا لتأكيد عنوانك.',
  submit: 'إنشاء حساب',
  haveAccount: 'هل لديك حساب بالفعل؟',
  signIn: 'تسجيل الدخول',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'تحقق من بريدك الإلكتروني',
  sent: 'نرسل الآن رسالة إلى <address>{email}</address>. افتح الرابط الموجود فيها لتأكيد أن العنوان لك.',
  validity: 'يعمل الرابط لمدة 24 ساعة.',
  missing: 'لم يصل شيء بعد بضع دقائق؟ ابحث في مجلد البريد غير المرغوب فيه. نرسل رسالة واحدة في الساعة على الأكثر.',
  sendAgain: 'إعادة الإرسال',
  sentAgain:
    'إذا مضى على إرسال الرسالة الأخيرة أكثر من ساعة، فستصلك رسالة أخرى. قد يتوقف الرابط الموجود في رسالة أقدم عن العمل عندئذ.',
  otherAddress: 'استخدام عنوان آخر',
  unansweredTitle: 'ربما أنشأنا حسابك',
  unanswered:
    'لم ترد الخدمة في الوقت المناسب. إذا أُنشئ حسابك فهناك رسالة في طريقها إلى <address>{email}</address>: افتح الرابط الموجود فيها.',
  unansweredMissing:
    'لم يصل شيء بعد بضع دقائق؟ ابحث في مجلد الرسائل غير المرغوبة، ثم أعد التسجيل: لا ضرر في ذلك بالعنوان نفسه.',
  again: 'التسجيل من جديد',
  readyTitle: 'يمكنك تسجيل الدخول الآن',
  ready: 'إذا كان العنوان جديدًا هنا، فحسابك جاهز.',
};
