/** The mails about tokens in Arabic. */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { من العنوان {address}} other {}}';
const seeOwn = 'عرض رموزك الشخصية';
const seeManaged = 'عرض رموز المؤسسة';
const strangerHasSession =
  'إن لم تكن أنت من فعل ذلك، فثمة شخص آخر مسجّل الدخول إلى حسابك: أبطِل الرمز، وسجّل الخروج من كل الأجهزة ضمن «أجهزتك»، وغيّر كلمة مرورك.';
const youManage = 'تصلك هذه الرسالة لأنك تدير الرموز في «{organization}».';
const ifUnexpected = `إن لم تكن تتوقع ذلك، فاسأل هذا الشخص، وأبطِل الرمز عند الشك. ${youManage}`;
const within = '{days, plural, one {يوم واحد} two {يومين} few {# أيام} many {# يومًا} other {# يوم}}';
const expires =
  'تنتهي صلاحيته في {until}. وبعد ذلك يُرفض كل طلب يُرسَل به.\n\nإن كان لا يزال مطلوبًا، فأصدر له سرًّا جديدًا قبل ذلك: يبقى السر الحالي صالحًا طوال المدة التي تختارها.';

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'أُنشئ الرمز الشخصي «{token}»',
    body: `في {at}، أُنشئ الرمز الشخصي «{token}» لأجل «{organization}» عبر جلسة كانت مفتوحة في حسابك${from}.\n\n{isPending, select, yes {لا يمكن استخدامه قبل أن يوافق عليه شخص يدير الرموز هناك.} other {أي برنامج يملكه يتصرف نيابة عنك، ضمن صلاحياته، إلى أن تنتهي مدته أو يُبطَل.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'أُصدر سر جديد للرمز الشخصي «{token}»',
    body: `في {at}، أُصدر سر جديد للرمز الشخصي «{token}» لأجل «{organization}» عبر جلسة كانت مفتوحة في حسابك${from}. ولا يبقى السر السابق صالحًا إلا خلال المدة الانتقالية المختارة.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'تمت الموافقة على الرمز الشخصي «{token}»',
    body: 'في {at}، وافق شخص يدير الرموز في «{organization}» على الرمز الشخصي «{token}» الخاص بك. يمكن استخدامه من الآن فصاعدًا.',
    action: seeOwn,
    remark: 'إن لم تنشئ هذا الرمز، فأبطِله، وسجّل الخروج من كل الأجهزة ضمن «أجهزتك».',
  },
  personalTokenRefused: {
    subject: 'رُفض الرمز الشخصي «{token}»',
    body: 'في {at}، رفض شخص يدير الرموز في «{organization}» الرمز الشخصي «{token}» الخاص بك. وقد انتهى نهائيًا.',
    action: seeOwn,
    remark: 'إن كان لديك سؤال عن ذلك، فتواصل مع من يديرون الرموز في «{organization}».',
  },
  personalTokenWaiting: {
    subject: 'رمز شخصي ينتظر الموافقة في «{organization}»',
    body: 'في {at}، أنشأ {person} الرمز الشخصي «{token}» لأجل «{organization}». لا يمكن استخدامه قبل أن توافق عليه أنت أو شخص آخر يدير الرموز.',
    action: 'اتخاذ قرار بشأن الرمز',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'أُنشئ رمز لحساب الخدمة «{account}»',
    body: `في {at}، أنشأ {person} رمزًا لحساب الخدمة «{account}» في «{organization}»${from}.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'أُصدر سر جديد لرمز لحساب الخدمة «{account}»',
    body: `في {at}، أصدر {person} سرًّا جديدًا لرمز لحساب الخدمة «{account}» في «{organization}»${from}. ولا يبقى السر السابق صالحًا إلا خلال المدة الانتقالية المختارة.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'صار لحساب الخدمة «{account}» صلاحيات أكثر',
    body: 'في {at}، منح {person} حساب الخدمة «{account}» في «{organization}» صلاحيات إضافية: {scopes}. وهي للرموز الخاصة به من الآن فصاعدًا.',
    action: seeManaged,
    remark: `إن لم تكن تتوقع ذلك، فاسأل هذا الشخص، واسحب الصلاحيات عند الشك. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'غُيّرت سياسة الرموز في «{organization}»',
    body: 'في {at}، غيّر {person} سياسة «{organization}» للرموز. والرموز التي ترفضها السياسة محظورة، وتعمل من جديد متى سمحت بها.',
    action: 'عرض السياسة',
    remark: `إن لم تكن تتوقع ذلك، فاسأل هذا الشخص. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {جدّد رموز حساب خدمة} two {جدّد رموز حسابَي خدمة} few {جدّد رموز # حسابات خدمة} many {جدّد رموز # حساب خدمة} other {جدّد رموز # حساب خدمة}}: غادر شخص رأى أسرارها «{organization}»',
    body: 'في {at}، غادر {person} المؤسسة «{organization}». وقد رأى هذا الشخص {count, plural, one {سر رمز لحساب الخدمة هذا} two {أسرار رموز لحسابَي الخدمة هذين} few {أسرار رموز لحسابات الخدمة هذه} many {أسرار رموز لحسابات الخدمة هذه} other {أسرار رموز لحسابات الخدمة هذه}}: {accounts}.\n\nالرموز باقية. أصدر لها أسرارًا جديدة، كي لا يعرفها إلا من بقوا في المؤسسة.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `تنتهي صلاحية الرمز الشخصي «{token}» خلال ${within}`,
    body: `الرمز الشخصي «{token}» الخاص بك لأجل «{organization}» ${expires}`,
    action: seeOwn,
    remark: 'إن لم يعد مطلوبًا، فلا حاجة إلى أي إجراء.',
  },
  serviceTokenExpires: {
    subject: `تنتهي صلاحية رمز لحساب الخدمة «{account}» خلال ${within}`,
    body: `رمز لحساب الخدمة «{account}» في «{organization}» ${expires}`,
    action: seeManaged,
    remark: `إن لم يعد مطلوبًا، فلا حاجة إلى أي إجراء. ${youManage}`,
  },
};
