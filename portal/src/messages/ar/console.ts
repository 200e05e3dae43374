/** The messages of ../console.ts in Arabic. */
import type { Translated } from '../../languages/translated.ts';
import type * as english from '../console.ts';

const consoleMessages: Translated<typeof english.console> = {
  navigation: 'لوحة الإدارة',
  open: 'لوحة الإدارة',
  sections: {
    overview: 'نظرة عامة',
    people: 'الأشخاص',
    organizations: 'المؤسسات',
    sessions: 'الجلسات',
    'sign-ins': 'عمليات الدخول',
    mcp: 'MCP للمنصة',
  },
  superAdminsOnly: {
    title: 'للمسؤولين الأعلى فقط',
    text: 'تعمل لوحة الإدارة على الخدمة كلها، لذلك لا يفتحها إلا المسؤولون الأعلى. تجد أجهزتك في صفحة البداية.',
  },
  missing: {
    title: 'تنقصك صلاحية لهذا',
    requires: 'يتطلب هذا الصلاحية {scope}.',
  },
  changed: {
    title: 'غير مسموح',
    text: 'تغيّرت صلاحياتك. حدّث الصفحة لترى ما يمكنك الوصول إليه الآن.',
  },
  copy: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    failed: 'حدّده بدلًا من ذلك',
  },
  revocation: {
    revokedSince: 'ساري المفعول منذ {instant}.',
    notAllowed: {
      title: 'غير مسموح',
      text: 'لم تعد لديك الصلاحية sessions:revoke، لذلك لم تُنهَ أي جلسة.',
    },
  },
  everywhere: {
    title: 'تسجيل خروج {email} من كل الأجهزة؟',
    text: 'تنتهي كل جلسات {email} فورًا، على كل جهاز وفي كل برنامج وفي كل المؤسسات. يبقى الحساب نفسه: يستطيع من يعرف كلمة مروره تسجيل الدخول من جديد.',
    submit: 'تسجيل الخروج من كل الأجهزة',
    own: 'هذا أنت. تنتهي أيضًا الجلسة التي تستخدمها الآن، وسيُسجَّل خروجك هنا.',
    result:
      '{count, plural, =0 {لم يعد أي رمز مميز للعنوان {email} نشطًا.} one {كان رمز مميز واحد للعنوان {email} نشطًا وانتهى.} two {كان رمزان مميزان للعنوان {email} نشطين وانتهيا.} few {كانت # رموز مميزة للعنوان {email} نشطة وانتهت.} many {كان # رمزًا مميزًا للعنوان {email} نشطًا وانتهى.} other {كان # رمز مميز للعنوان {email} نشطًا وانتهى.}}',
  },
  search: {
    open: 'بحث',
    title: 'البحث في كل شيء',
    label: 'عنوان أو اسم أو معرّف أو معرّف ارتباط أو عنوان IP',
    hint: 'الصق ما لديك. اختر بمفاتيح الأسهم، وافتح بمفتاح Enter.',
    kinds: {
      PERSON: 'شخص',
      ORGANIZATION: 'مؤسسة',
      SESSION: 'جلسة',
      CLIENT: 'عميل MCP',
      MCP_CALL: 'استدعاء أداة',
    },
    found:
      '{count, plural, =0 {لا توجد نتائج} one {نتيجة واحدة} two {نتيجتان} few {# نتائج} many {# نتيجة} other {# نتيجة}}',
    none: 'لا شيء له هذا العنوان أو الاسم أو المعرّف.',
    missing: 'لم يُبحث في كل شيء لأن هذه الصلاحيات تنقصك: {scopes}.',
    sessionsFrom: 'الجلسات من {network}',
    signInsFrom: 'عمليات تسجيل الدخول من {network}',
    address: 'عنوان IP',
    close: 'إغلاق',
  },
  list: {
    total: '{total, plural, =0 {لا توجد صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}',
    shownOf: 'المعروض: {shown, number} من {total, number}',
    shownOfMoreThan: 'المعروض: {shown, number} من أكثر من {total, number}',
    none: 'لا شيء يطابق هذا البحث.',
  },
  people: {
    title: 'الأشخاص',
    lead: 'كل حسابات هذه الخدمة، مرتبة بعنوان البريد الإلكتروني.',
    search: 'جزء من اسم أو عنوان',
    total: '{total, plural, =0 {لا يوجد أشخاص} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}',
    moreThan: 'عدد الأشخاص أكثر من {total, number}',
    columns: { person: 'الشخص', ways: 'طرق الدخول', created: 'تاريخ الإنشاء' },
    superAdmin: 'مسؤول أعلى',
    suspended: 'معلّق',
    unverified: 'العنوان غير مؤكَّد',
    noName: 'لا يوجد اسم بعد',
    password: 'كلمة المرور',
    provider: 'موفّر خارجي',
    noWay: 'لا توجد بعد',
    open: 'فتح {email}',
  },
  person: {
    back: 'كل الأشخاص',
    facts: 'الحساب',
    id: 'المعرّف',
    copyId: 'نسخ معرّف {name}',
    verified: 'تأكيد العنوان',
    notVerified: 'غير مؤكَّد',
    created: 'تاريخ الإنشاء',
    ways: 'طرق الدخول',
    access: 'الجلسات والاستدعاءات',
    sessions:
      '{count, plural, =0 {لا توجد جلسة نشطة} one {جلسة نشطة واحدة} two {جلستان نشطتان} few {# جلسات نشطة} many {# جلسة نشطة} other {# جلسة نشطة}}',
    sessionsLink: 'عرض الجلسات',
    callsLink: 'عرض استدعاءات الأدوات',
    signOut: 'تسجيل الخروج من كل الأجهزة',
    memberships: 'المؤسسات',
    membershipsLead:
      '{count, plural, =0 {لا ينتمي هذا الشخص إلى أي مؤسسة.} one {عضوية أو دعوة واحدة} two {عضويتان أو دعوتان} few {# عضويات ودعوات} many {# عضوية ودعوة} other {# عضوية ودعوة}}',
    columns: { organization: 'المؤسسة', role: 'الدور', since: 'منذ' },
    joined: 'تاريخ الانضمام: {date}',
    open: 'مدعو، حتى {date}',
    expired: 'انتهت صلاحية الدعوة في {date}',
    firstHundred: 'المعروض هو أول مئة.',
    notFound: {
      title: 'الشخص غير موجود',
      text: 'لا يوجد حساب بهذا المعرّف. ربما حُذف.',
    },
  },
  organizations: {
    title: 'المؤسسات',
    lead: 'كل مؤسسات هذه الخدمة، مرتبة بالاسم.',
    search: 'جزء من الاسم',
    total:
      '{total, plural, =0 {لا توجد مؤسسات} one {مؤسسة واحدة} two {مؤسستان} few {# مؤسسات} many {# مؤسسة} other {# مؤسسة}}',
    moreThan: 'عدد المؤسسات أكثر من {total, number}',
    columns: { name: 'المؤسسة', plan: 'الخطة', members: 'الأعضاء', created: 'تاريخ الإنشاء' },
    members: '{members, plural, =0 {بلا أعضاء} one {عضو واحد} two {عضوان} few {# أعضاء} many {# عضوًا} other {# عضو}}',
    invited: '{open, plural, =0 {بلا دعوات} one {دعوة واحدة} two {دعوتان} few {# دعوات} many {# دعوة} other {# دعوة}}',
    plans: {
      ACTIVE: '{product}',
      TRIALING: '{product}، فترة تجريبية',
      PAST_DUE: '{product}، دفعة متأخرة',
      CANCELED: '{product}، ملغاة',
      NONE: 'لا توجد خطة',
    },
  },
  organization: {
    back: 'كل المؤسسات',
    facts: 'المؤسسة',
    plan: 'الخطة',
    periodEnd: 'مدفوعة حتى {date}',
    sessionsLink: 'عرض الجلسات',
    endSessions: 'إنهاء كل جلساتها',
    members: 'الأعضاء',
    membersLead:
      '{count, plural, =0 {لم ينضم أحد.} one {انضم شخص واحد.} two {انضم شخصان.} few {انضم # أشخاص.} many {انضم # شخصًا.} other {انضم # شخص.}}',
    invitations: 'الدعوات',
    noInvitations: 'لا توجد دعوة مفتوحة أو منتهية الصلاحية.',
    columns: { person: 'الشخص', role: 'الدور', since: 'منذ', actions: 'الإجراءات' },
    resend: 'إعادة الإرسال',
    resendTo: 'إعادة الإرسال إلى {email}',
    cancel: 'سحب',
    cancelOf: 'سحب الدعوة الموجهة إلى {email}',
    sent: 'أُرسل رابط جديد إلى {email}. لم يعد الرابط السابق يعمل.',
    cancelled: 'سُحبت الدعوة الموجهة إلى {email}. لم يعد رابطها يعمل.',
    confirm: {
      title: 'سحب الدعوة الموجهة إلى {email}؟',
      text: 'يتوقف الرابط الموجود في الرسالة عن العمل. يمكن دعوة {email} مرة أخرى.',
      submit: 'سحب',
    },
    notFound: {
      title: 'المؤسسة غير موجودة',
      text: 'لا توجد مؤسسة بهذا المعرّف. ربما حُذفت.',
    },
  },
};

export { consoleMessages as console };
