/** The messages of ../../en/organization/plan.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/plan.ts';

export const plan: Translated<typeof english.plan> = {
  title: 'الخطة',
  lead: 'خطة {organization}، وما يمكن لأعضائها فعله بها.',
  current: {
    title: 'الخطة الحالية',
    none: 'لا توجد خطة',
    unnamed: 'خطة بلا اسم',
    trialEnds: 'تنتهي الفترة التجريبية في {date}.',
    trialEnded: 'انتهت الفترة التجريبية في {date}.',
    periodEnds: 'تنتهي الفترة الحالية في {date}.',
    periodEnded: 'انتهت الفترة الأخيرة في {date}.',
  },
  NONE: {
    badge: 'بلا اشتراك',
    meaning:
      'ليست للمؤسسة خطة، لذلك لا تتوفر الميزات التي تتطلب خطة. لا تزال الحسابات وتسجيل الدخول والدعوات المستلمة تعمل.',
  },
  ACTIVE: {
    badge: 'نشطة',
    meaning: 'يستطيع الأعضاء فعل ما تتضمنه الخطة ويسمح به دورهم.',
  },
  TRIALING: {
    badge: 'في فترة تجريبية',
    meaning: 'خلال الفترة التجريبية، يستطيع الأعضاء فعل ما تتضمنه الخطة ويسمح به دورهم.',
  },
  PAST_DUE: {
    badge: 'دفعة متأخرة',
    meaning: 'توجد دفعة متأخرة. لا تتوفر ميزات الخطة حتى تُدفع. يحتفظ الأعضاء بحساباتهم وأدوارهم.',
  },
  CANCELED: {
    badge: 'منتهية',
    meaning: 'انتهت الخطة، لذلك لا تتوفر ميزاتها. يحتفظ الأعضاء بحساباتهم وأدوارهم.',
  },
  change: {
    manage: 'إدارة الفوترة',
    manageLead: 'أدِر طريقة الدفع والفواتير والإلغاء لدى موفّر خدمة الدفع.',
    subscribe: 'اشتراك',
    subscribeTo: 'الاشتراك في {product}',
    choose: 'اختر خطة أدناه. تدفع لدى موفّر خدمة الدفع ثم تعود إلى هنا.',
    awaited: 'ننتظر تأكيد موفّر خدمة الدفع.',
    noOther: 'لا توجد خطة أخرى للاختيار حاليًا.',
    askOwner: 'يستطيع مالكو {organization} تغيير الخطة. اطلب ذلك من أحدهم.',
    askOperator: 'لا يمكن تغيير الخطط في هذه الصفحة. لتغيير خطتك، تواصل مع مشغّل هذه الخدمة.',
    notForSale: 'لا يمكن شراء هذه الخطة حاليًا. تواصل مع مشغّل هذه الخدمة.',
    nothingPaid: 'لم تدفع هذه المؤسسة مقابل خطة بعد. اختر خطة أولًا.',
  },
  checkout: {
    done: {
      title: 'أكملت صفحة الدفع',
      text: 'تتغير الخطة هنا حالما يؤكد موفّر خدمة الدفع الدفعة.',
    },
    cancelled: {
      title: 'غادرت صفحة الدفع',
      text: 'لم تشترِ شيئًا، ولم تتغير الخطة.',
    },
    reload: 'تحديث',
  },
  allowed: {
    title: 'ما يجوز لك فعله',
    lead: {
      OWNER: 'يحدد ذلك دورك والخطة معًا. أنت مالك في {organization}.',
      ADMIN: 'يحدد ذلك دورك والخطة معًا. أنت مسؤول في {organization}.',
      MEMBER: 'يحدد ذلك دورك والخطة معًا. أنت عضو في {organization}.',
      other: 'يحدد ذلك دورك والخطة معًا. دورك في {organization} هو {role}.',
    },
    granted: 'مسموح',
    forbidden: 'غير مسموح',
    denialReasons: {
      notActive: 'لا توجد خطة نشطة.',
      notIncluded: 'لا تتضمنه الخطة.',
      role: 'لا يتضمنه دورك.',
    },
    reasons: 'الأسباب',
  },
  products: {
    title: 'ما تتضمنه كل خطة',
    lead: 'للأعضاء الذين يسمح دورهم بذلك.',
    current: 'الخطة الحالية',
    nothing: 'حساب فقط',
    members:
      '{count, plural, =0 {بلا أعضاء} one {حتى عضو واحد} two {حتى عضوين} few {حتى # أعضاء} many {حتى # عضوًا} other {حتى # عضو}}',
  },
  scopes: {
    MEMBERS_VIEW: 'رؤية من ينتمي إلى المؤسسة',
    MEMBERS_INVITE: 'دعوة أشخاص',
    MEMBERS_UPDATE: 'تغيير الأدوار',
    MEMBERS_REMOVE: 'إزالة أشخاص',
    ORGANIZATION_UPDATE: 'إعادة تسمية المؤسسة',
    BILLING_MANAGE: 'الدفع وإدارة الفوترة',
    TOKENS_MANAGE: 'إدارة الرموز وحسابات الخدمة',
    MCP_MANAGE: 'إدارة عملاء MCP المتصلين',
    AUDIT_VIEW: 'رؤية سجل تدقيق المؤسسة',
  },
};
