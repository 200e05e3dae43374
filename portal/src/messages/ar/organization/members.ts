/** The messages of ../../en/organization/members.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: 'أمان المؤسسة',
  tokens: 'الرموز وحسابات الخدمة',
  clients: 'العملاء المتصلون',
  audit: 'سجل التدقيق',
  title: 'الأعضاء',
  lead: 'من ينتمي إلى {organization}، ومن تمت دعوته.',
  left: 'لقد غادرت {organization}.',
  list: 'الأشخاص',
  search: 'البحث بالاسم أو العنوان',
  shown: '{total, plural, =0 {لا يوجد أشخاص} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}',
  shownOf: 'المعروض: {shown, number} من {total, number}',
  noMatches: 'لا يوجد عضو يتضمن اسمه أو عنوانه «{search}».',
  role: 'الدور:',
  status: 'الحالة:',
  statuses: { JOINED: 'الأعضاء', INVITED: 'المدعوون', EXPIRED: 'دعوات منتهية الصلاحية' },
  columns: { person: 'الشخص', role: 'الدور', since: 'منذ', actions: 'الإجراءات' },
  seats:
    '{members, plural, =0 {بلا أعضاء} one {عضو واحد} two {عضوان} few {# أعضاء} many {# عضوًا} other {# عضو}} و{open, plural, =0 {لا دعوات مفتوحة} one {دعوة مفتوحة واحدة} two {دعوتان مفتوحتان} few {# دعوات مفتوحة} many {# دعوة مفتوحة} other {# دعوة مفتوحة}}',
  seatsOf:
    'المقاعد المشغولة: {taken, number} من {limit, number}: {members, plural, =0 {بلا أعضاء} one {عضو واحد} two {عضوان} few {# أعضاء} many {# عضوًا} other {# عضو}} و{open, plural, =0 {لا دعوات مفتوحة} one {دعوة مفتوحة واحدة} two {دعوتان مفتوحتان} few {# دعوات مفتوحة} many {# دعوة مفتوحة} other {# دعوة مفتوحة}}',
  noFilterMatches: 'لا يوجد عضو يطابق عوامل التصفية هذه.',
  clearSearch: 'عرض كل الأعضاء',
  you: 'أنت',
  invited: 'مدعو',
  expired: 'انتهت صلاحية الدعوة',
  joined: 'تاريخ الانضمام: {date}',
  openUntil: 'الدعوة مفتوحة حتى {date}',
  expiredOn: 'انتهت صلاحية الرابط في {date}',
  roleOf: 'دور {person}:',
  actionsFor: 'إجراءات {person}',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: 'إعادة إرسال الدعوة',
  withdraw: 'سحب الدعوة',
  remove: 'الإزالة من المؤسسة',
  leave: 'مغادرة المؤسسة',
  done: {
    resend: 'أُرسل رابط جديد إلى {email}. لم يعد الرابط السابق يعمل.',
    withdraw: 'سُحبت الدعوة الموجهة إلى {email}. لم يعد رابطها يعمل.',
    remove: 'لم يعد {person} ضمن الأعضاء.',
    leave: 'لقد غادرت {organization}.',
    role: 'الدور الحالي لـ {person} هو {role}.',
  },
  confirm: {
    withdraw: {
      title: 'سحب الدعوة الموجهة إلى {email}؟',
      text: 'يتوقف الرابط الموجود في الرسالة عن العمل فورًا. يمكنك دعوة هذا العنوان مرة أخرى في أي وقت.',
      submit: 'سحب الدعوة',
    },
    remove: {
      title: 'إزالة {person} من {organization}؟',
      text: 'تنتهي فورًا كل جلسات {email} في هذه المؤسسة. يبقى الحساب نفسه، ويمكنك دعوته مرة أخرى.',
      textWithTokens:
        'تنتهي فورًا كل جلسات {email} ورموزه الشخصية في هذه المؤسسة. يبقى الحساب نفسه، ويمكنك دعوته مرة أخرى.',
      submit: 'إزالة العضو',
    },
    leave: {
      title: 'مغادرة {organization}؟',
      text: 'تنتهي جلساتك فيها فورًا، وقد يلزمك تسجيل الدخول من جديد. لا يمكنك العودة إلا بدعوة جديدة.',
      textWithTokens:
        'تنتهي جلساتك ورموزك الشخصية فيها فورًا، وقد يلزمك تسجيل الدخول من جديد. لا يمكنك العودة إلا بدعوة جديدة.',
      submit: 'مغادرة المؤسسة',
    },
    makeOwner: {
      title: 'تعيين {person} مالكًا؟',
      text: 'يجوز للمالكين فعل كل شيء في {organization}: تغيير اسمها وخطتها، وتغيير أي عضو أو إزالته، بمن فيهم أنت.',
      submit: 'التعيين مالكًا',
    },
    unmakeOwner: {
      title: 'سحب دور المالك من {person}؟',
      text: 'سيكون لصاحب العنوان {email} الدور {role}. تبقى جلساته نشطة، ولكن لن يستطيع بعد الآن فعل ما يقتصر على المالكين.',
      submit: 'تغيير الدور',
    },
    ownRole: {
      title: 'تغيير دورك؟',
      text: 'سيكون دورك {role} من الآن فصاعدًا. لا يستطيع إعادة دورك الحالي إليك إلا عضو آخر.',
      submit: 'تغيير دوري',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'دعوة عضو',
  title: 'دعوة عضو',
  lead: 'تصل إلى المدعو رسالة بريد إلكتروني فيها رابط، يعمل مرة واحدة وله وحده.',
  titleMany: 'دعوة أشخاص كثيرين',
  leadMany: 'الصق ما يصل إلى 200 عنوان بريد إلكتروني. قبل إرسال أي شيء، ترى ما سيحدث لكل عنوان.',
  many: 'دعوة أشخاص كثيرين دفعة واحدة',
  one: 'دعوة شخص واحد',
  role: 'الدور',
  roles: {
    MEMBER: 'يرى من ينتمي إلى المؤسسة.',
    ADMIN: 'يدعو الأشخاص ويغيّر أدوارهم ويزيلهم، باستثناء المالكين.',
    OWNER: 'يجوز له فعل كل شيء، بما في ذلك تغيير الاسم والخطة.',
  },
  noScopes: 'يجوز له تسجيل الدخول إلى المؤسسة فقط.',
  alsoScopes: '{text} وأيضًا: {scopes}.',
  moreScopes: '{scopes} · و{count, number} غيرها',
  seats: {
    owner: 'عرض الخطة',
    other: 'اطلب من أحد مالكي {organization} خطة أكبر.',
  },
  submit: 'إرسال الدعوة',
  sent: 'أُرسلت الدعوة',
  sentTo: 'تصل إلى <address>{email}</address> وتظهر في القائمة أدناه.',
  openUntil: 'يعمل الرابط الموجود فيها حتى {date}.',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'لا يمكنك رؤية الأعضاء',
  text: 'أنت تنتمي إلى {organization}، ولكن لا يجوز لك رؤية أعضائها الآخرين حاليًا.',
  why: 'السبب:',
  plan: 'عرض الخطة',
};
