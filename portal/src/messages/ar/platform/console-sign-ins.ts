/** The messages of ../../en/platform/console-sign-ins.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-sign-ins.ts';

export const consoleSignIns: Translated<typeof english.consoleSignIns> = {
  title: 'عمليات تسجيل الدخول',
  lead: 'محاولات تسجيل الدخول، ومنها المرفوضة، الأحدث أولًا. لا يُحفظ ما كُتب.',
  total:
    '{total, plural, =0 {لا توجد محاولات} one {محاولة واحدة} two {محاولتان} few {# محاولات} many {# محاولة} other {# محاولة}}',
  moreThan: 'عدد المحاولات أكثر من {total, number}',
  none: 'لا توجد محاولة تطابق عوامل التصفية هذه.',
  outcome: 'النتيجة:',
  success: 'ناجحة',
  method: 'عبر:',
  network: 'عنوان IP أو شبكة',
  from: 'من',
  to: 'إلى',
  onePerson: 'شخص واحد فقط',
  person: '{email} فقط',
  remove: 'إزالة عامل التصفية: {filter}',
  columns: { when: 'الوقت', person: 'الشخص', outcome: 'النتيجة', from: 'المصدر' },
  unknownPerson: 'شخص غير معروف',
  ofPerson: 'عمليات تسجيل الدخول الأخيرة',
  noneOfPerson: 'لم تُسجَّل أي عملية تسجيل دخول في الأيام الأخيرة.',
  all: 'عرض كل عمليات تسجيل الدخول',
};

export const suspension: Translated<typeof english.suspension> = {
  suspend: 'تعليق',
  reinstate: 'إعادة التفعيل',
  confirm: {
    title: 'تعليق حساب {email}؟',
    text: 'تنتهي كل جلسات {email} فورًا، ولا تعمل أي طريقة لتسجيل الدخول حتى يُعاد تفعيل الحساب. تُرسل رسالة تخبره بذلك من دون السبب.',
    submit: 'تعليق',
    reason: 'السبب، للمسؤولين الأعلى',
    reasonMissing: 'اكتب السبب، بما لا يزيد على 200 حرف.',
  },
  confirmReinstate: {
    title: 'إعادة تفعيل حساب {email}؟',
    text: 'يستطيع {email} تسجيل الدخول من جديد، ويُبلَّغ بذلك عبر البريد الإلكتروني. تبقى الجلسات المنتهية منتهية.',
    submit: 'إعادة التفعيل',
  },
  done: 'تم تعليق حساب {email}. {count, plural, =0 {لم يكن أي رمز مميز نشطًا.} one {كان رمز مميز واحد نشطًا وانتهى.} two {كان رمزان مميزان نشطين وانتهيا.} few {كانت # رموز مميزة نشطة وانتهت.} many {كان # رمزًا مميزًا نشطًا وانتهى.} other {كان # رمز مميز نشطًا وانتهى.}}',
  reinstated: 'يستطيع {email} تسجيل الدخول من جديد.',
  list: 'حالات التعليق',
  by: 'بواسطة {email}، {date}',
  byGone: 'بواسطة حساب لم يعد موجودًا، {date}',
  lasts: 'لم تنتهِ',
  endedBy: 'أنهاها {email}، {date}',
  endedByOperator: 'أنهاها مشغّل، {date}',
  columns: { reason: 'السبب', began: 'البداية', ended: 'النهاية' },
};
