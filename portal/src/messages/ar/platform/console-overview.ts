/** The messages of ../../en/platform/console-overview.ts in Arabic. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: 'نظرة عامة',
  lead: 'ما حدث في الخدمة، وما ينتظر أو يفشل الآن.',
  period: 'الفترة',
  periods: { HOURS_24: 'آخر 24 ساعة', DAYS_30: 'آخر 30 يومًا' },
  signIns: 'عمليات تسجيل الدخول',
  refused: 'عمليات تسجيل الدخول المرفوضة',
  ended: 'الجلسات المنتهية',
  calls: 'استدعاءات أدوات MCP',
  denied:
    '{count, plural, =0 {لم يُرفض أو يفشل أي منها} one {رُفض أو فشل واحد منها} two {رُفض أو فشل اثنان منها} few {رُفض أو فشل # منها} many {رُفض أو فشل # منها} other {رُفض أو فشل # منها}}',
  active: 'الجلسات والرموز النشطة',
  moreThan: 'أكثر من {count, number}',
  mails: 'الرسائل المنتظرة',
  oldest:
    'أقدمها منذ {seconds, plural, =0 {لحظات} one {ثانية واحدة} two {ثانيتين} few {# ثوانٍ} many {# ثانية} other {# ثانية}}',
  jobs: 'المهام المجدولة',
  jobsWork: 'كلها تعمل',
  jobsFail:
    '{count, plural, =0 {لا تفشل أي مهمة: {names}} one {تفشل مهمة واحدة: {names}} two {تفشل مهمتان: {names}} few {تفشل # مهام: {names}} many {تفشل # مهمة: {names}} other {تفشل # مهمة: {names}}}',
  seeSignIns: 'عرض عمليات تسجيل الدخول',
  seeRefused: 'عرض كل المحاولات',
  seeSessions: 'عرض الجلسات',
  seeCalls: 'عرض الاستدعاءات',
  plot: '{name}، بحسب {unit, select, hour {الساعات} other {الأيام}}',
  noData: 'لا توجد بيانات.',
  noDataBefore: 'لا توجد بيانات قبل {when}.',
  noDataCell: 'لا توجد بيانات',
  table: 'الأرقام في جدول',
  columns: { when: 'الوقت', count: 'العدد' },
};
