/** The messages of ../../en/shared/frame.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/shared/frame.ts';

export const frame: Translated<typeof english.frame> = {
  skip: 'التخطي إلى المحتوى',
  navigation: 'التنقل الرئيسي',
  home: 'الرئيسية',
  account: 'الحساب',
  members: 'الأعضاء',
  plan: 'الخطة',
  console: 'لوحة الإدارة',
  signOut: 'تسجيل الخروج',
  signedInAs: 'مسجّل الدخول بالعنوان {email}',
  notSignedOut: {
    title: 'لا تزال مسجّل الدخول',
    text: 'يتطلب تسجيل الخروج اتصالًا بالخدمة. اضغط على «تسجيل الخروج» مرة أخرى عند توفّره.',
  },
};

export const lists: Translated<typeof english.lists> = {
  showMore: 'عرض المزيد',
  reload: 'تحديث',
  clear: 'مسح عوامل التصفية',
  any: 'الكل',
};

export const switcher: Translated<typeof english.switcher> = {
  label: 'المؤسسة:',
  none: 'لا توجد مؤسسة',
  yours: 'مؤسساتك',
  create: 'إنشاء مؤسسة',
  switched: 'أنت الآن في {name}.',
  notSwitched: 'أنت في {name}.',
};

export const noOrganization: Translated<typeof english.noOrganization> = {
  title: 'لا توجد مؤسسة نشطة',
  choose: 'اختر المؤسسة التي تريد العمل فيها.',
  open: 'فتح {name}',
  none: 'لست عضوًا في أي مؤسسة. أنشئ مؤسسة، أو اطلب من عضو في مؤسسة أخرى أن يدعوك: يتيح لك الرابط الموجود في الدعوة الانضمام.',
  create: 'إنشاء مؤسسة',
};
