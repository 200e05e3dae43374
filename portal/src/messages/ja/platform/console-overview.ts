/** The messages of ../../en/platform/console-overview.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/platform/console-overview.ts';

export const overview: Translated<typeof english.overview> = {
  title: '概要',
  lead: 'サービスで起きたことと、現在待機中または失敗しているものを表示します。',
  period: '期間',
  periods: { HOURS_24: '過去24時間', DAYS_30: '過去30日間' },
  signIns: 'サインイン',
  refused: '拒否されたサインイン',
  ended: '終了したセッション',
  calls: 'MCPツールの呼び出し',
  denied: '{count, plural, =0 {拒否・失敗なし} other {#件が拒否または失敗}}',
  active: '有効なセッションとトークン',
  moreThan: '{count, number}件超',
  mails: '送信待ちのメール',
  oldest: '最も古いものは{seconds, plural, other {#秒}}待機中',
  jobs: 'スケジュールされたジョブ',
  jobsWork: 'すべて正常',
  jobsFail: '{count, plural, other {#件が失敗：{names}}}',
  seeSignIns: 'サインインを表示',
  seeRefused: 'すべての試行を表示',
  seeSessions: 'セッションを表示',
  seeCalls: '呼び出しを表示',
  plot: '{name}（{unit, select, hour {1時間ごと} other {1日ごと}}）',
  noData: 'データがありません。',
  noDataBefore: '{when}より前のデータはありません。',
  noDataCell: 'データなし',
  table: '数値を表で表示',
  columns: { when: '日時', count: '件数' },
};
