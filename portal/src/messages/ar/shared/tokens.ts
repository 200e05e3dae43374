/** The messages of ../../en/shared/tokens.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/tokens.ts';

export const tokens: Translated<typeof english.tokens> = {
  statuses: {
    ACTIVE: 'نشط',
    PENDING: 'بانتظار الموافقة',
    BLOCKED: 'محظور بموجب السياسة',
    EXPIRED: 'منتهي الصلاحية',
    REVOKED: 'مبطل',
  },
  why: {
    PENDING: 'يعمل حالما يوافق عليه شخص يدير رموز {organization}.',
    BLOCKED: 'سياسة {organization} تمنعه الآن. يعمل من جديد عندما تسمح به السياسة.',
  },
  organization: 'المؤسسة',
  scopes: 'يستطيع',
  lastCharacters: 'السر',
  endsIn: 'ينتهي بـ <code>{characters}</code>',
  expires: 'تنتهي صلاحيته',
  expired: 'انتهت صلاحيته',
  revoked: 'أُبطل',
  lastUsed: 'آخر استخدام',
  usedFrom: '{when}، من {address}',
  neverUsed: 'لم يُستخدم',
  previousSecret: 'يعمل السر السابق أيضًا حتى {date}.',
  rotate: 'تجديد',
  rotateOne: 'تجديد {name} الذي ينتهي بـ {characters}',
  revoke: 'إبطال',
  revokeOne: 'إبطال {name} الذي ينتهي بـ {characters}',
  wasRevoked: 'أُبطل {name} ولم يعد يعمل.',
  rotation: {
    title: 'تجديد {name}؟',
    text: 'تحصل على سر جديد يُعرض مرة واحدة، ويسري مدة مساوية لمدة السر الحالي.',
    overlap: 'يستمر السر الحالي في العمل',
    seconds0: 'لا: ينتهي فورًا',
    seconds3600: 'لمدة ساعة واحدة',
    seconds86400: 'لمدة يوم واحد',
    seconds604800: 'لمدة 7 أيام',
    submit: 'تجديد الرمز',
  },
  revocation: {
    title: 'إبطال {name}؟',
    text: 'يفقد ما يستخدمه إمكانية الوصول فورًا، حتى بالسر السابق. لا يمكن التراجع عن ذلك.',
    submit: 'إبطال الرمز',
  },
  secret: {
    title: 'انسخ سر {name} الآن',
    text: 'يُعرض هذه المرة فقط. احفظه كما تحفظ كلمة المرور: يستطيع البرنامج به فعل كل ما يُسمح به للرمز.',
    pending: 'لا يعمل بعد: يجب أن يوافق عليه أولًا شخص يدير الرموز.',
    name: 'السر',
    copy: 'نسخ السر',
    example: 'كيفية استخدامه',
    exampleLead: 'عيّن السر باسم TOKEN في سطر الأوامر، ثم:',
    copyExample: 'نسخ المثال',
    done: 'لقد حفظته',
  },
  refusals: {
    missing: 'لا يُسمح لك أنت أيضًا بهذا في المؤسسة: {scopes}.',
    limitTitle: 'بلغت الحد الأقصى',
    limit: 'أزل واحدًا لم يعد لازمًا، ثم حاول من جديد.',
    limitOfAccount: 'لحساب الخدمة رمزان صالحان على الأكثر. أبطِل أحدهما، أو جدّد أحدهما لتحصل على سر جديد.',
  },
};

export const tokenForm: Translated<typeof english.tokenForm> = {
  scopes: 'ما يُسمح به',
  scopesMissing: 'اختر واحدًا على الأقل.',
  expiry: 'تنتهي الصلاحية',
  inDays:
    '{days, plural, zero {بعد # يوم} one {بعد يوم واحد} two {بعد يومين} few {بعد # أيام} many {بعد # يومًا} other {بعد # يوم}}',
  onDate: 'في تاريخ تختاره',
  date: 'تاريخ انتهاء الصلاحية',
  dateMissing: 'اختر تاريخًا في المستقبل.',
  submit: 'إنشاء الرمز',
};

export const ownTokens: Translated<typeof english.ownTokens> = {
  title: 'الرموز الشخصية',
  lead: 'بالرمز الشخصي يستخدم نص برمجي أو برنامج لك واجهة API باسمك، دون كلمة مرورك.',
  list: 'رموزك',
  ended: 'انتهت خلال آخر 90 يومًا',
  none: 'ليس لديك رموز شخصية. أنشئ رمزًا لنص برمجي أو خادم بناء أو أداة تستدعي واجهة API. لا يُسمح للرمز إلا بما تختاره، ولا بأكثر مما يُسمح لك. يمكنك إبطاله في أي وقت.',
  life: 'ينتهي الرمز الشخصي عندما تبطله أو تغادر مؤسسته أو تسجّل الخروج من كل الأجهزة. لا تغيّره كلمة مرور جديدة.',
  create: 'إنشاء رمز',
  createTitle: 'رمز شخصي جديد',
  createLead: 'يعمل في {organization} فقط.',
  name: 'الاسم',
  nameHint: 'لكي تتعرّف عليه، مثل «نص النسخ الاحتياطي».',
  nameMissing: 'أدخل اسمًا للرمز.',
  noOrganization: 'يعمل الرمز في مؤسسة واحدة. اختر مؤسسة أولًا.',
  noScopes: 'لا يُسمح لك بشيء في {organization} حاليًا، فلا يستطيع الرمز شيئًا أيضًا.',
  forbidden: 'لا تسمح {organization} بالرموز الشخصية حاليًا. اسأل شخصًا يدير رموزها.',
};
