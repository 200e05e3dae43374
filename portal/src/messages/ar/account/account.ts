/** The messages of ../../en/account/account.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/account.ts';

export const home: Translated<typeof english.home> = {
  title: 'حسابك',
  greeting: 'مرحبًا، {name}',
  profile: 'ملفك الشخصي هنا',
  verified: 'مؤكَّد',
  verifiedSince: 'تم التأكيد في {date}',
  notVerified: 'غير مؤكَّد',
  superAdmin: 'مسؤول أعلى',
  organization: 'المؤسسة',
  noOrganization: 'لا توجد مؤسسة نشطة',
  role: 'الدور',
  scopes:
    '{count, plural, =0 {لا توجد صلاحيات} one {صلاحية واحدة} two {صلاحيتان} few {# صلاحيات} many {# صلاحية} other {# صلاحية}}',
};

export const accountPages: Translated<typeof english.accountPages> = {
  navigation: 'الحساب',
  account: 'الحساب',
  security: 'الأمان',
  tokens: 'الرموز الشخصية',
  clients: 'العملاء المتصلون',
  data: 'بياناتك',
  title: 'الحساب',
  goOnTitle: 'أصبح لجلستك عامل ثانٍ الآن',
  goOn: 'متابعة ما بدأته',
  securityTitle: 'الأمان',
  dataTitle: 'بياناتك',
  session: 'هذه الجلسة',
  sessionLead: 'تتطلب بعض التغييرات أن تؤكد هويتك.',
  provedAt: 'آخر تأكيد للهوية في {date}',
  provedAtUnknown: 'لم تؤكد هويتك في هذه الجلسة بعد',
  withSecondFactor: 'باستخدام مفتاح مرور أو عامل ثانٍ.',
  withoutSecondFactor: 'من دون مفتاح مرور أو عامل ثانٍ.',
};

export const ownData: Translated<typeof english.ownData> = {
  exportTitle: 'نسخة من بياناتك',
  exportLead: 'كل ما يُحفظ عنك هنا في ملف JSON: حسابك ومؤسساتك وجلساتك وعناوينها.',
  export: 'تنزيل',
  exported: 'يجري تنزيل الملف.',
  deleteTitle: 'حذف حسابك',
  deleteLead: 'لا يمكن التراجع عن هذا الإجراء.',
  deleteText: 'سيُسجَّل خروجك من كل الأجهزة، وستغادر مؤسساتك. أما المؤسسات التي ليس فيها عضو آخر فتُحذف بكل محتوياتها.',
  deleteTextWithTokens:
    'سيُسجَّل خروجك من كل الأجهزة، وتنتهي رموزك الشخصية، وستغادر مؤسساتك. أما المؤسسات التي ليس فيها عضو آخر فتُحذف بكل محتوياتها.',
  open: 'حذف الحساب',
  typeEmail: 'اكتب {email} للتأكيد',
  emailMissing: 'اكتب عنوان بريدك الإلكتروني.',
  submit: 'حذف حسابي',
  LAST_OWNER: 'أنت المالك الوحيد لمؤسسة فيها أعضاء آخرون. عيّن أحدهم مالكًا أولًا.',
  SUBSCRIPTION_ACTIVE: 'توجد خطة سارية لمؤسسة أنت عضوها الوحيد. أنهِ الخطة أولًا من قسم «الخطة».',
  FORBIDDEN: 'لا يمكن حذف هذا الحساب من هنا. تواصل مع مشغّل هذه الخدمة.',
};

export const ownAccount: Translated<typeof english.ownAccount> = {
  title: 'اسمك وكلمة مرورك',
  name: 'الاسم',
  changeName: 'تغيير الاسم',
  save: 'حفظ',
  password: 'كلمة المرور',
  changePassword: 'تغيير كلمة المرور',
  setPassword: 'تعيين كلمة مرور',
  noPassword: 'لا توجد',
  currentPassword: 'كلمة المرور الحالية',
  newPassword: 'كلمة المرور الجديدة',
  othersSignedOut: 'سيُسجَّل الخروج من كل الأجهزة والعملاء الآخرين.',
  othersSignedOutNotTokens: 'سيُسجَّل الخروج من كل الأجهزة والعملاء الآخرين. تبقى رموزك الشخصية صالحة.',
  savePassword: 'تغيير كلمة المرور',
  passwordChanged: 'تم تغيير كلمة مرورك، وسُجِّل الخروج من كل الأجهزة والعملاء الآخرين.',
  passwordChangedNotTokens:
    'تم تغيير كلمة مرورك، وسُجِّل الخروج من كل الأجهزة والعملاء الآخرين. تبقى رموزك الشخصية صالحة.',
  wrongPassword: 'هذه ليست كلمة مرورك الحالية.',
};

export const emailSection: Translated<typeof english.emailSection> = {
  title: 'عنوان بريدك الإلكتروني',
  change: 'تغيير عنوان البريد الإلكتروني',
  newEmail: 'عنوان البريد الإلكتروني الجديد',
  hint: 'سنرسل إليه رابطًا. يتغير عنوانك عندما تفتح الرابط وتؤكد التغيير.',
  missing: 'أدخل عنوان بريدك الإلكتروني الجديد.',
  submit: 'إرسال الرابط',
  requested:
    'إذا كان من الممكن استخدام {email}، فستصل إليه رسالة فيها رابط. افتح الرابط خلال 24 ساعة وأنت مسجّل الدخول هنا. يبقى عنوانك كما هو حتى ذلك الحين. نرسل رسالة واحدة كهذه في الساعة على الأكثر: إذا سبق أن طلبت هذا العنوان، فاستخدم الرابط الذي لديك.',
  pending: 'تغيّر عنوانك خلال آخر 72 ساعة. لا يمكن تغييره مرة أخرى قبل انقضاء هذه المدة.',
};

export const signInMethods: Translated<typeof english.signInMethods> = {
  title: 'طرق تسجيل الدخول',
  lead: 'كل طريقة من هذه الطرق تسجّل دخولك إلى هذا الحساب.',
  password: 'كلمة المرور',
  passwordSet: 'معيَّنة',
  passwordNotSet: 'غير معيَّنة',
  notConnected: 'غير مرتبط',
  connectedAs: 'مرتبط بالعنوان {email} منذ {date}',
  connectedSince: 'مرتبط منذ {date}',
  connect: 'ربط',
  connectProvider: 'ربط {provider}',
  disconnect: 'إلغاء الربط',
  disconnectProvider: 'إلغاء ربط {provider}',
  onlyMethod: 'لا يمكنك إلغاء الربط لأنه الطريقة الوحيدة لتسجيل الدخول إلى هذا الحساب.',
  connected: 'تم ربط {provider}. يمكنك تسجيل الدخول باستخدامه من الآن فصاعدًا.',
  disconnected: 'أُلغي ربط {provider}. لم يعد بالإمكان تسجيل الدخول باستخدامه.',
  confirm: {
    title: 'إلغاء ربط {provider}؟',
    text: 'ستسجّل الدخول بطريقة أخرى. لا يُسجَّل الخروج من الأجهزة المسجّل الدخول عليها.',
    submit: 'إلغاء الربط',
  },
};

export const devices: Translated<typeof english.devices> = {
  title: 'أجهزتك',
  lead: 'كل مكان سُجِّل فيه الدخول إلى حسابك.',
  unsure: 'هل ترى جهازًا لا تعرفه؟',
  thisDevice: 'هذا الجهاز',
  apiClient: 'عميل API',
  mcpClient: 'عميل MCP',
  addressUnknown: 'عنوان غير معروف',
  signedIn: 'تسجيل الدخول: {date}',
  lastSeen: 'آخر نشاط: {when}',
  neverSeen: 'لم يُستخدم منذ ذلك الحين',
  inUse: 'قيد الاستخدام الآن',
  justNow: 'قبل لحظات',
  signOut: 'تسجيل الخروج',
  signOutThis: 'تسجيل الخروج من هذا الجهاز',
  signOutOther: 'تسجيل الخروج من {device}',
  everywhere: 'تسجيل الخروج من كل الأجهزة',
  ended: 'تم تسجيل الخروج من {device}.',
  names: {
    browserOnSystem: '{browser} على {system}',
    unknown: 'جهاز غير معروف',
  },
  confirmOne: {
    title: 'تسجيل الخروج من {device}؟',
    text: 'يفقد الجهاز إمكانية الوصول فورًا، ويلزم تسجيل الدخول عليه من جديد.',
    submit: 'تسجيل الخروج من الجهاز',
  },
  confirmEverywhere: {
    title: 'تسجيل الخروج من كل الأجهزة؟',
    text: 'تفقد كل الأجهزة إمكانية الوصول فورًا، بما فيها هذا الجهاز وعملاء API. سيلزمك تسجيل الدخول من جديد.',
    textWithTokens:
      'تفقد كل الأجهزة إمكانية الوصول فورًا، بما فيها هذا الجهاز وعملاء API ورموزك الشخصية. سيلزمك تسجيل الدخول من جديد، وإنشاء رموز جديدة حيث تحتاج إليها.',
    submit: 'تسجيل الخروج من كل الأجهزة',
  },
};
