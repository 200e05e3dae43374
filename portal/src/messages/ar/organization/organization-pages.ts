/** The messages of ../../en/organization/organization-pages.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organization-pages.ts';

export const organizationSecurity: Translated<typeof english.organizationSecurity> = {
  title: 'أمان {name}',
  lead: 'كيف يجب أن يسجّل الأعضاء الدخول قبل أن يتمكنوا من استخدام المؤسسة.',
  section: 'العامل الثاني',
  isRequired: 'مطلوب من كل عضو',
  isNotRequired: 'غير مطلوب',
  text: 'عندما يكون مطلوبًا، لا يستطيع الأعضاء فعل شيء في {name} حتى يؤكدوا هويتهم في جلستهم بمفتاح مرور أو برمز لمرة واحدة. يبقون مسجّلي الدخول: تطلبه منهم البوابة، ويمكنهم إعداده فيها.',
  require: 'اشتراط عامل ثانٍ',
  stopRequiring: 'إلغاء اشتراطه',
  required: 'أصبح العامل الثاني مطلوبًا في {name}.',
  notRequired: 'لم يعد العامل الثاني مطلوبًا في {name}.',
  notAllowed: 'لا يسمح لك دورك في هذه المؤسسة بتغيير هذا.',
};

export const deleteOrganization: Translated<typeof english.deleteOrganization> = {
  title: 'حذف {name}',
  lead: 'يستطيع أحد المالكين استعادتها كما كانت لمدة سبعة أيام، ثم تُحذف نهائيًا.',
  text: 'يفقد الأعضاء إمكانية الوصول فورًا، وتتوقف الدعوات عن العمل. تصل رسالة بريد إلكتروني إلى كل مالك.',
  typeName: 'اكتب {name} للتأكيد',
  nameMissing: 'اكتب اسم المؤسسة.',
  submit: 'حذف المؤسسة',
  notOwner: 'لا يمكن لغير المالكين حذف مؤسسة.',
  SUBSCRIPTION_ACTIVE: 'للمؤسسة خطة سارية. أنهِها أولًا من قسم «الخطة».',
};
