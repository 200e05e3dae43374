/** The messages of ../../en/shared/common.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/common.ts';

export const common: Translated<typeof english.common> = {
  loading: 'جارٍ التحميل',
  takesLonger: 'يستغرق هذا وقتًا أطول من المعتاد. يُرجى الانتظار.',
  tryAgain: 'إعادة المحاولة',
  cancel: 'إلغاء',
  close: 'إغلاق',
  toSignIn: 'الانتقال إلى تسجيل الدخول',
  toStart: 'الانتقال إلى صفحة البداية',
  openMailbox: 'فتح صندوق بريد التطوير',
  reference: 'الرقم المرجعي',
  language: 'اللغة',
  links: { support: 'الدعم', terms: 'الشروط', privacy: 'الخصوصية' },
};

export const roles: Translated<typeof english.roles> = { OWNER: 'مالك', ADMIN: 'مسؤول', MEMBER: 'عضو' };

export const fields: Translated<typeof english.fields> = {
  name: 'الاسم',
  email: 'عنوان البريد الإلكتروني',
  password: 'كلمة المرور',
  showPassword: 'إظهار كلمة المرور',
  nameMissing: 'أدخل اسمك.',
  organizationNameMissing: 'أدخل اسمًا للمؤسسة.',
  emailMissing: 'أدخل عنوان بريدك الإلكتروني.',
  inviteeEmailMissing: 'أدخل عنوان البريد الإلكتروني للشخص الذي تدعوه.',
  emailShape: 'لا يبدو هذا عنوان بريد إلكتروني.',
  passwordMissing: 'أدخل كلمة مرورك.',
  codeMissing: 'أدخل الرمز.',
  passwordTooWeak: 'لا تستوفي كلمة المرور هذه كل المتطلبات أدناه.',
  passwordTooManyBytes:
    'يتجاوز حجم كلمة المرور هذه 72 بايت. استخدم عددًا أقل من الرموز التعبيرية أو الحروف غير اللاتينية.',
};

export const failures: Translated<typeof english.failures> = {
  OFFLINE: {
    title: 'لا يوجد اتصال',
    text: 'تعذّر الوصول إلى الخدمة. تحقق من اتصالك وأعد المحاولة.',
  },
  noAnswer: {
    title: 'لم يصل رد في الوقت المناسب',
    text: 'الخدمة مشغولة جدًا. ربما تم ما طلبته، أو سيتم بعد لحظات: تحقق قبل أن تعيد المحاولة.',
  },
  UNAVAILABLE: {
    title: 'غير متاح حاليًا',
    text: 'لا تستطيع الخدمة الاستجابة في الوقت الحالي. يُرجى إعادة المحاولة بعد قليل.',
  },
  RATE_LIMITED: {
    title: 'محاولات كثيرة جدًا',
    text: 'يُرجى الانتظار {seconds, plural, =0 {قليلًا} one {ثانية واحدة} two {ثانيتين} few {# ثوانٍ} many {# ثانية} other {# ثانية}} ثم إعادة المحاولة.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'حسابك معلّق',
    text: 'لا يمكنك تسجيل الدخول حتى يُعاد تفعيله. تواصل مع مشغّل هذه الخدمة.',
  },
  FORBIDDEN: {
    title: 'غير مسموح',
    text: 'لا يسمح بذلك دورك أو خطة مؤسستك. ربما تغيّر أحدهما للتو.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'لا توجد مؤسسة نشطة',
    text: 'لم تعد عضوًا في المؤسسة، أو لم تختر مؤسسة بعد.',
  },
  NOT_FOUND: {
    title: 'لم يعد موجودًا',
    text: 'ربما أُزيل في هذه الأثناء. تعرض هذه الصفحة الآن الحالة الراهنة.',
  },
  INVITATION_NOT_OPEN: {
    title: 'لم تعد الدعوة مفتوحة',
    text: 'قُبلت الدعوة أو سُحبت في هذه الأثناء. تعرض هذه الصفحة الآن الحالة الراهنة.',
  },
  LAST_OWNER: {
    title: 'تحتاج المؤسسة إلى مالك',
    text: 'هذا هو مالكها الوحيد. عيّن عضوًا آخر مالكًا أولًا.',
  },
  SEATS_EXHAUSTED: {
    title: 'لا يوجد مقعد شاغر',
    text: 'يشغل الأعضاء والدعوات المفتوحة كل المقاعد في خطة المؤسسة. يتوفر مقعد بإزالة أحدهم أو باختيار خطة أكبر.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'لم يُنفَّذ',
    text: 'يتطلب هذا أن تؤكد هويتك. لم يتغير شيء.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'لم يُنفَّذ',
    text: 'يتطلب هذا مفتاح المرور أو رمزًا لمرة واحدة. لم يتغير شيء.',
  },
  stillSignedIn: 'لم يُفقد شيء، ولا تزال مسجّل الدخول.',
  failed: {
    title: 'حدث خطأ ما',
    text: 'المشكلة من جانبنا. أعد المحاولة، وإذا تكررت المشكلة فتواصل مع مشغّل هذه الخدمة.',
  },
  notFound: {
    title: 'الصفحة غير موجودة',
    text: 'لا يوجد شيء في هذا العنوان. ربما يكون الرابط قديمًا أو مكتوبًا بشكل خاطئ.',
  },
};

export const wrongAddress: Translated<typeof english.wrongAddress> = {
  title: 'هذا ليس عنوان هذه الخدمة',
  text: 'أنت على {here}، حيث لا يحتفظ متصفحك بتسجيل الدخول. تابع على <right>{there}</right>.',
};
