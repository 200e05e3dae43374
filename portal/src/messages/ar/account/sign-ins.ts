/** The messages of ../../en/account/sign-ins.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/sign-ins.ts';

export const recentSignIns: Translated<typeof english.recentSignIns> = {
  title: 'عمليات تسجيل الدخول الأخيرة',
  lead: 'محاولات تسجيل الدخول إلى حسابك، ومنها المرفوضة. إذا لم تتعرّف على محاولة ناجحة، فسجّل الخروج من كل الأجهزة وغيّر كلمة مرورك.',
  none: 'لم تُسجَّل أي عملية تسجيل دخول في الأيام الأخيرة.',
  shown: 'المعروض: {shown, number} من {total, number}',
  shownOfMore: 'المعروض: {shown, number} من أكثر من {total, number}',
  unlisted:
    '{count, plural, =0 {لا محاولات مرفوضة غير معروضة.} one {هناك محاولة مرفوضة واحدة محسوبة وغير معروضة، لأن عدد المحاولات تجاوز المئة في يوم.} two {هناك محاولتان مرفوضتان محسوبتان وغير معروضتين، لأن عدد المحاولات تجاوز المئة في يوم.} few {هناك # محاولات مرفوضة محسوبة وغير معروضة، لأن عدد المحاولات تجاوز المئة في يوم.} many {هناك # محاولة مرفوضة محسوبة وغير معروضة، لأن عدد المحاولات تجاوز المئة في يوم.} other {هناك # محاولة مرفوضة محسوبة وغير معروضة، لأن عدد المحاولات تجاوز المئة في يوم.}}',
  succeeded: 'ناجحة',
  refused: 'مرفوضة',
  addressUnknown: 'عنوان غير معروف',
  methods: {
    password: 'كلمة المرور',
    passkey: 'مفتاح المرور',
    google: '{provider}',
    invitation: 'دعوة',
    other: 'طريقة أخرى',
  },
  reasons: {
    INVALID_CREDENTIALS: 'كلمة مرور أو رمز أو مفتاح مرور غير صحيح',
    SECOND_FACTOR_REQUIRED: 'طُلب عامل ثانٍ',
    CHALLENGE_REFUSED: 'استغرقت وقتًا طويلًا، أو كانت قد اكتملت',
    EXCHANGE_REFUSED: 'استغرقت وقتًا طويلًا، أو كانت قد اكتملت',
    EMAIL_NOT_VERIFIED: 'لم يكن عنوان البريد الإلكتروني مؤكَّدًا',
    ACCOUNT_SUSPENDED: 'كان الحساب معلّقًا',
    ACCOUNT_MISMATCH: 'كان شخص آخر مسجّل الدخول',
    ACCOUNT_EXISTS: 'لا يضمن الموفّر العنوان',
    ACCOUNT_HAS_OTHER_IDENTITY: 'حساب آخر لدى الموفّر',
    INVITATION_NOT_OPEN: 'لم تكن الدعوة مفتوحة',
    other: 'مرفوضة',
  },
};
