/** The messages of ../governance.ts in Arabic. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../governance.ts';

export const governance: Translated<typeof english.governance> = {
  title: 'الجلسات',
  lead: 'الجلسات النشطة لكل الأشخاص والبرامج، الأحدث أولًا.',
  cannotRevoke: {
    title: 'يمكنك عرض الجلسات ولكن لا يمكنك إنهاؤها',
    why: 'يتطلب إنهاء جلسة الصلاحية sessions:revoke.',
  },
  list: 'الجلسات النشطة',
  search: 'البحث بعنوان البريد الإلكتروني',
  hint: 'اختر عنوانًا أو مؤسسة في القائمة لعرض جلساتها فقط.',
  audience: 'لأجل:',
  audiences: { portal: 'البوابة', api: 'API', mcp: 'MCP' },
  methods: {
    password: 'تسجيل الدخول بكلمة مرور',
    invitation: 'تسجيل الدخول عبر دعوة',
    google: 'تسجيل الدخول باستخدام Google',
    mcp_oauth: 'اتصال بصفة عميل MCP',
    other: 'تسجيل الدخول باستخدام {method}',
  },
  filters: {
    person: '{email} فقط',
    onePerson: 'شخص واحد فقط',
    organization: '{organization} فقط',
    oneOrganization: 'مؤسسة واحدة فقط',
    remove: 'إزالة عامل التصفية: {filter}',
  },
  invalidFilters: {
    title: 'أحد عوامل التصفية في عنوان هذه الصفحة خاطئ',
    email: 'عنوان البريد الإلكتروني',
    audience: 'الجمهور',
    user: 'الشخص',
    organization: 'المؤسسة',
    notAnId: 'هذا ليس معرّفًا.',
    notAnAudience: 'هذا ليس جمهورًا.',
  },
  onlyPerson: '{email} فقط',
  onlyOrganization: '{organization} فقط',
  total:
    '{shown, plural, =0 {لا توجد جلسات نشطة} one {جلسة نشطة واحدة} two {جلستان نشطتان} few {# جلسات نشطة} many {# جلسة نشطة} other {# جلسة نشطة}}',
  moreThan:
    'أكثر من {shown, plural, =0 {صفر} one {جلسة نشطة واحدة} two {جلستين نشطتين} few {# جلسات نشطة} many {# جلسة نشطة} other {# جلسة نشطة}}',
  shownOfMore: 'المعروض: {shown, number}؛ ويوجد المزيد',
  none: 'لا توجد جلسة نشطة تطابق عوامل التصفية هذه.',
  you: 'هذا أنت',
  organization: 'المؤسسة',
  noOrganization: 'لا توجد',
  issued: 'تاريخ الإصدار',
  lastSeen: 'آخر نشاط',
  expires: 'تاريخ الانتهاء',
  from: '{when} من {address}',
  neverSeen: 'لم تُستخدم بعد',
  revoke: 'إبطال الجلسة',
  revokeOf: 'إبطال جلسة {email}، {device}، الصادرة في {date}',
  revokeEverywhere: 'تسجيل الخروج من كل الأجهزة',
  revokeEverywhereOf: 'تسجيل الخروج من كل الأجهزة: {email}',
  confirm: {
    session: {
      title: 'إبطال إحدى جلسات {email}؟',
      text: 'ينهي هذا جلسة {device} الصادرة في {date}. يتوقف رمز الوصول ورمز التحديث الخاصان بها فورًا. تبقى الجلسات الأخرى للعنوان {email} نشطة.',
      submit: 'إبطال الجلسة',
      own: 'هذه هي الجلسة التي تستخدمها الآن. سيُسجَّل خروجك هنا.',
    },
    everywhere: {
      title: 'تسجيل خروج {email} من كل الأجهزة؟',
      text: 'تنتهي كل جلسات {email} فورًا، على كل جهاز وفي كل برنامج وفي كل المؤسسات. يبقى الحساب نفسه: يستطيع من يعرف كلمة مروره تسجيل الدخول من جديد.',
      submit: 'تسجيل الخروج من كل الأجهزة',
      own: 'هذا أنت. تنتهي أيضًا الجلسة التي تستخدمها الآن، وسيُسجَّل خروجك هنا.',
    },
  },
  result:
    '{count, plural, =0 {لم يعد أي رمز مميز للعنوان {email} نشطًا.} one {كان رمز مميز واحد للعنوان {email} نشطًا وانتهى.} two {كان رمزان مميزان للعنوان {email} نشطين وانتهيا.} few {كانت # رموز مميزة للعنوان {email} نشطة وانتهت.} many {كان # رمزًا مميزًا للعنوان {email} نشطًا وانتهى.} other {كان # رمز مميز للعنوان {email} نشطًا وانتهى.}}',
};
