/** The messages of ../../en/sign-in/step-up.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/step-up.ts';

export const stepUp: Translated<typeof english.stepUp> = {
  title: 'أكّد هويتك',
  lead: 'مضى بعض الوقت منذ تسجيل دخولك. سيُستكمل ما بدأته بعد ذلك.',
  leadSecondFactor: 'يتطلب هذا أكثر من كلمة مرورك. سيُستكمل ما بدأته بعد ذلك.',
  pageLead: 'مضى بعض الوقت منذ تسجيل دخولك. ستتابع بعد ذلك.',
  pageLeadSecondFactor: 'يتطلب هذا أكثر من كلمة مرورك. ستتابع بعد ذلك.',
  password: 'كلمة مرورك',
  submit: 'تأكيد',
  wrongPassword: 'كلمة المرور غير صحيحة.',
  code: 'رمز من تطبيق المصادقة، أو رمز استرداد',
  submitCode: 'التأكيد بالرمز',
  wrongCode: 'الرمز غير صحيح، أو سبق استخدامه.',
  withProvider: 'التأكيد باستخدام {provider}',
  providerLeaves: 'تغادر هذه الصفحة إلى {provider} ثم تعود إليها. ابدأ من جديد عندئذ.',
  nothing:
    'ليست لحسابك كلمة مرور ولا مفتاح مرور ولا رمز يمكن طلبه هنا. سجّل الخروج ثم سجّل الدخول من جديد: لن يُطلب منك ذلك لمدة عشر دقائق بعدها.',
  noSecondFactor: 'ليس لحسابك عامل ثانٍ بعد. أعدّ مفتاح مرور أو رموزًا لمرة واحدة من «الحساب» ثم «الأمان»، وتابع من هناك.',
  setUp: 'إعداد عامل ثانٍ',
};

export const secondFactorNeeded: Translated<typeof english.secondFactorNeeded> = {
  organization: {
    title: 'العامل الثاني مطلوب في {organization}',
    text: 'لا يكفي هناك تسجيل الدخول بكلمة مرور أو بموفّر وحده: لا يمكنك استخدام المؤسسة حتى تؤكد هويتك بمفتاح مرور أو برمز لمرة واحدة. لا يزال بإمكانك الانتقال إلى مؤسسة أخرى أو مغادرتها.',
  },
  platform: {
    title: 'يحتاج المسؤولون الأعلى إلى عامل ثانٍ هنا',
    text: 'هذه الصفحة متاحة للجلسات التي جرى تأكيدها بمفتاح مرور أو برمز لمرة واحدة.',
  },
  confirm: 'تأكيد هويتك',
  setUp: 'إعداد عامل ثانٍ',
  setUpHere: 'أعدّ عاملًا ثانيًا أدناه. يمكنك بعدها استخدام كل شيء من جديد فورًا.',
};
