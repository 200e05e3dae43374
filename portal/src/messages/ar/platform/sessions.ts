/** The messages of ../../en/platform/sessions.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/sessions.ts';

export const sessions: Translated<typeof english.sessions> = {
  title: 'الجلسات',
  lead: 'كل الجلسات النشطة للأشخاص والبرامج، وكل رموز الأجهزة. اختر بعضها وأنهِه، أو أنهِ كل ما تُبقيه عوامل التصفية.',
  label: 'الجلسات النشطة',
  search: 'البحث بعنوان البريد الإلكتروني',
  kind: 'النوع:',
  kinds: { user_refresh: 'الجلسات', machine: 'رموز الأجهزة' },
  audience: 'الجمهور:',
  audiences: { portal: 'البوابة', api: 'API', mcp: 'MCP', mcp_organization: 'MCP لمؤسسة' },
  method: 'تسجيل الدخول عبر:',
  methods: {
    password: 'كلمة المرور',
    google: 'الموفّر',
    passkey: 'مفتاح المرور',
    invitation: 'دعوة',
    mcp_oauth: 'عميل MCP',
    personal_token: 'رمز شخصي',
    service_token: 'رمز حساب خدمة',
  },
  sort: 'الترتيب حسب:',
  newest: 'الأحدث أولًا',
  more: 'عوامل تصفية أكثر',
  fewer: 'عوامل تصفية أقل',
  filters: {
    email: 'عنوان البريد الإلكتروني',
    user: 'الشخص',
    organization: 'المؤسسة',
    kind: 'النوع',
    audience: 'الجمهور',
    method: 'طريقة تسجيل الدخول',
    client: 'عميل MCP',
    network: 'عنوان IP أو شبكة',
    agent: 'جزء من وكيل المستخدم',
    issuedAfter: 'صدرت بعد',
    issuedBefore: 'صدرت قبل',
    seenAfter: 'آخر استخدام بعد',
    seenBefore: 'آخر استخدام قبل',
    filter: 'عوامل التصفية',
    person: '{email} فقط',
    onePerson: 'شخص واحد فقط',
    onlyOrganization: '{organization} فقط',
    oneOrganization: 'مؤسسة واحدة فقط',
    onlyClient: '{client} فقط',
    oneClient: 'عميل واحد فقط',
    remove: 'إزالة عامل التصفية: {filter}',
    networkHint: 'مثل ‎192.0.2.7‎ أو ‎2001:db8::/32‎: عند تسجيل الدخول أو عند آخر استخدام.',
  },
  wrong: {
    title: 'أحد عوامل التصفية في عنوان هذه الصفحة خاطئ',
    notAnInstant: 'هذا ليس وقتًا.',
    notAChoice: 'لا يوجد هذا الخيار.',
  },
  total:
    '{total, plural, =0 {لا توجد جلسات نشطة} one {جلسة نشطة واحدة} two {جلستان نشطتان} few {# جلسات نشطة} many {# جلسة نشطة} other {# جلسة نشطة}}',
  moreThan: 'عدد الجلسات النشطة أكثر من {total, number}',
  none: 'لا توجد جلسة نشطة تطابق عوامل التصفية هذه.',
  keys: 'المفاتيح: j وk للتنقل، وx للاختيار، وe لإنهاء ما اخترته، وShift E لإنهاء كل ما يطابق، و/ للبحث، وEscape لإلغاء الاختيار.',
  columns: {
    choose: 'مختارة',
    person: 'الشخص',
    organization: 'المؤسسة',
    device: 'الجهاز',
    issued: 'تسجيل الدخول',
    seen: 'آخر استخدام',
    expires: 'الانتهاء',
    actions: 'الإجراءات',
  },
  sortBy: 'الترتيب حسب {column}',
  you: 'أنت',
  serviceAccount: 'حساب خدمة',
  noOrganization: 'لا توجد مؤسسة',
  neverSeen: 'لم تُستخدم بعد',
  chooseAll: 'اختيار كل الجلسات المحمّلة ({count, number})',
  choose: 'اختيار جلسة {email}، {device}',
  actionsFor: 'إجراءات جلسة {email}، {device}',
  actions: {
    end: 'إنهاء هذه الجلسة',
    endToken: 'إنهاء هذا الرمز',
    everywhere: 'تسجيل الخروج من كل الأجهزة',
    person: 'فتح صفحة الشخص',
    onlyPerson: 'هذا الشخص فقط',
    onlyAccount: 'حساب الخدمة هذا فقط',
    onlyOrganization: 'هذه المؤسسة فقط',
    onlyNetwork: 'من {address} فقط',
  },
  chosen:
    '{count, plural, =0 {لم تُختر أي جلسة} one {اختيرت جلسة واحدة} two {اختيرت جلستان} few {اختيرت # جلسات} many {اختيرت # جلسة} other {اختيرت # جلسة}}',
  endChosen:
    '{count, plural, =0 {لا جلسات لإنهائها} one {إنهاء جلسة واحدة} two {إنهاء جلستين} few {إنهاء # جلسات} many {إنهاء # جلسة} other {إنهاء # جلسة}}',
  clearChoice: 'إلغاء الاختيار',
  endAll: 'إنهاء كل ما يطابق',
  loading: 'جارٍ تحميل المزيد',
  confirm: {
    title:
      '{count, plural, =0 {لن تنتهي أي جلسة} one {إنهاء جلسة واحدة؟} two {إنهاء جلستين؟} few {إنهاء # جلسات؟} many {إنهاء # جلسة؟} other {إنهاء # جلسة؟}}',
    text: '{credentials, plural, =0 {لا ينتهي أي رمز مميز نشط.} one {ينتهي رمز مميز نشط واحد فورًا، على كل الخوادم.} two {ينتهي رمزان مميزان نشطان فورًا، على كل الخوادم.} few {تنتهي # رموز مميزة نشطة فورًا، على كل الخوادم.} many {ينتهي # رمزًا مميزًا نشطًا فورًا، على كل الخوادم.} other {ينتهي # رمز مميز نشط فورًا، على كل الخوادم.}} يسجّل الأشخاص الدخول من جديد، ولا يتغير شيء آخر.',
    textWithTokens:
      '{credentials, plural, =0 {لا ينتهي أي رمز مميز نشط.} one {ينتهي رمز مميز نشط واحد فورًا، على كل الخوادم.} two {ينتهي رمزان مميزان نشطان فورًا، على كل الخوادم.} few {تنتهي # رموز مميزة نشطة فورًا، على كل الخوادم.} many {ينتهي # رمزًا مميزًا نشطًا فورًا، على كل الخوادم.} other {ينتهي # رمز مميز نشط فورًا، على كل الخوادم.}} يسجّل الأشخاص الدخول من جديد، أما الرموز الشخصية ورموز حسابات الخدمة فتنتهي نهائيًا.',
    nothing: 'انتهت بالفعل، أو لم تعد أي منها تطابق.',
    submit:
      '{count, plural, =0 {لا جلسات لإنهائها} one {إنهاء جلسة واحدة} two {إنهاء جلستين} few {إنهاء # جلسات} many {إنهاء # جلسة} other {إنهاء # جلسة}}',
    own: 'الجلسة التي تستخدمها الآن من بينها. سيُسجَّل خروجك هنا.',
    checking: 'جارٍ التحقق مما سينتهي.',
  },
  changed: {
    title: 'لم يُنهَ شيء',
    text: '{count, plural, =0 {لا تطابق أي جلسة الآن} one {تطابق جلسة واحدة الآن} two {تطابق جلستان الآن} few {تطابق # جلسات الآن} many {تطابق # جلسة الآن} other {تطابق # جلسة الآن}}: ليست الجلسات نفسها التي رأيتها. اطّلع عليها من جديد ثم أنهِها.',
  },
  result:
    '{sessions, plural, =0 {لم تعد أي جلسة نشطة.} one {انتهت جلسة واحدة.} two {انتهت جلستان.} few {انتهت # جلسات.} many {انتهت # جلسة.} other {انتهت # جلسة.}}',
  resultTokens:
    '{count, plural, =0 {لم يكن أي رمز مميز نشطًا.} one {كان رمز مميز واحد نشطًا.} two {كان رمزان مميزان نشطين.} few {كانت # رموز مميزة نشطة.} many {كان # رمزًا مميزًا نشطًا.} other {كان # رمز مميز نشطًا.}}',
  ofTokens: {
    chosen:
      '{count, plural, =0 {لم يُختر أي رمز} one {اختير رمز واحد} two {اختير رمزان} few {اختيرت # رموز} many {اختير # رمزًا} other {اختير # رمز}}',
    end: '{count, plural, =0 {لا رموز لإنهائها} one {إنهاء رمز واحد} two {إنهاء رمزين} few {إنهاء # رموز} many {إنهاء # رمزًا} other {إنهاء # رمز}}',
    title:
      '{count, plural, =0 {لن ينتهي أي رمز} one {إنهاء رمز واحد؟} two {إنهاء رمزين؟} few {إنهاء # رموز؟} many {إنهاء # رمزًا؟} other {إنهاء # رمز؟}}',
    text: '{count, plural, =0 {يفقد ما يستخدمها} one {يفقد ما يستخدمه} two {يفقد ما يستخدمهما} few {يفقد ما يستخدمها} many {يفقد ما يستخدمها} other {يفقد ما يستخدمها}} إمكانية الوصول فورًا، على كل الخوادم، حتى بالسر السابق. لا يمكن التراجع عن ذلك.',
    result:
      '{count, plural, =0 {لم يعد أي رمز نشطًا.} one {انتهى رمز واحد.} two {انتهى رمزان.} few {انتهت # رموز.} many {انتهى # رمزًا.} other {انتهى # رمز.}}',
  },
  cannotRevoke: {
    title: 'يمكنك عرض الجلسات ولكن لا يمكنك إنهاؤها',
    why: 'يتطلب إنهاء جلسة الصلاحية sessions:revoke.',
  },
};
