/** The messages of ../../en/organization/invite-many.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/invite-many.ts';

export const inviteMany: Translated<typeof english.inviteMany> = {
  title: 'دعوة أشخاص كثيرين',
  addresses: 'عناوين البريد الإلكتروني',
  addressesHint: 'من عمود أو قائمة أو من مستلمي رسالة: تفصل بينها أسطر أو فواصل أو فواصل منقوطة أو مسافات.',
  counted:
    '{count, plural, =0 {لا يوجد عنوان بعد} one {عنوان واحد} two {عنوانان} few {# عناوين} many {# عنوانًا} other {# عنوان}}',
  missing: 'الصق عنوانًا واحدًا على الأقل.',
  tooMany: 'عدد العناوين {count, number}: الحد الأقصى {most, number} في المرة الواحدة.',
  check: 'فحص العناوين',
  preview: {
    title: 'لم يُرسل شيء بعد',
    ready:
      '{count, plural, =0 {لن تُرسل أي دعوة} one {ستُرسل دعوة واحدة} two {ستُرسل دعوتان} few {ستُرسل # دعوات} many {ستُرسل # دعوة} other {ستُرسل # دعوة}}',
    submit:
      '{count, plural, =0 {إرسال الدعوات} one {إرسال دعوة واحدة} two {إرسال دعوتين} few {إرسال # دعوات} many {إرسال # دعوة} other {إرسال # دعوة}}',
    change: 'تغيير القائمة',
  },
  report: {
    title: 'اكتملت القائمة',
    sent: '{count, plural, =0 {لم تُرسل أي دعوة} one {أُرسلت دعوة واحدة} two {أُرسلت دعوتان} few {أُرسلت # دعوات} many {أُرسلت # دعوة} other {أُرسلت # دعوة}}',
    another: 'دعوة آخرين',
    differs: 'تغيّر الأعضاء أو المقاعد أو الحدود منذ المعاينة: يبيّن التقرير أدناه ما حدث.',
  },
  notInvited:
    '{count, plural, =0 {لم يُستبعد أي عنوان} one {استُبعد عنوان واحد} two {استُبعد عنوانان} few {استُبعدت # عناوين} many {استُبعد # عنوانًا} other {استُبعد # عنوان}}',
  outcomes: {
    INVITED: 'دعوة',
    RENEWED: 'دعوة من جديد: كانت صلاحية الرابط السابق قد انتهت',
    MEMBER: 'عضو بالفعل',
    ALREADY_INVITED: 'مدعو بالفعل',
    OWN_ADDRESS: 'هذا عنوانك',
    MALFORMED: 'ليس عنوان بريد إلكتروني',
    REPEATED: 'مكرر في القائمة',
    NO_SEAT: 'لم يبقَ مقعد في الخطة',
    TOO_MANY_MAILS: 'رسائل دعوة كثيرة جدًا في الوقت الحالي: أعد المحاولة لاحقًا',
    NOT_ALLOWED: 'كان مدعوًا بدور لا يجوز لك منحه',
  },
  columns: { address: 'العنوان', outcome: 'ما يحدث' },
  plan: 'عرض الخطة',
};
