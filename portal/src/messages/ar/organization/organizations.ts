/** The messages of ../../en/organization/organizations.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/organizations.ts';

export const newOrganization: Translated<typeof english.newOrganization> = {
  title: 'إنشاء مؤسسة',
  lead: 'تصبح مالكها ويمكنك دعوة آخرين. تبقى المؤسسات التي تنتمي إليها كما هي.',
  name: 'اسم المؤسسة',
  submit: 'إنشاء المؤسسة',
  notSwitchedTitle: 'أُنشئت {name}',
  notSwitched: 'تعذّر الانتقال إليها. يمكنك اختيارها ضمن مؤسساتك.',
  open: 'فتح {name}',
};

export const renameOrganization: Translated<typeof english.renameOrganization> = {
  title: 'اسم المؤسسة',
  lead: 'يظهر لكل عضو وفي كل دعوة.',
  open: 'إعادة التسمية',
  name: 'الاسم',
  submit: 'حفظ الاسم',
  done: 'أصبح اسم المؤسسة {name}.',
};

export const deletedOrganizations: Translated<typeof english.deletedOrganizations> = {
  open: 'حذف هذه المؤسسة',
  title: 'المؤسسات المحذوفة',
  until: 'تُحذف نهائيًا في {date}',
  restore: 'استعادة',
  restoreOne: 'استعادة {name}',
  askOwner: 'يستطيع أحد المالكين استعادتها حتى ذلك الحين.',
};
