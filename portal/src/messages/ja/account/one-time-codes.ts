/** The messages of ../../en/account/one-time-codes.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/account/one-time-codes.ts';

export const oneTimeCodes: Translated<typeof english.oneTimeCodes> = {
  title: 'ワンタイムコード',
  lead: 'サインインするときに、パスワードに加えて認証アプリのコードを入力します。',
  off: 'オフ',
  offText: 'パスワードを知っている人は、それだけでサインインできます。',
  on: 'オン',
  recoveryCodesLeft:
    '{count, plural, =0 {リカバリーコードが残っていません。新しく作成してください。} other {リカバリーコードが#個残っています。}}',
  setUp: '設定',
  useOtherApp: '別のアプリを使用',
  newRecoveryCodes: '新しいリカバリーコード',
  turnOff: 'オフにする',
  turnedOff: 'ワンタイムコードをオフにしました。今後はコードなしでサインインします。',
  setUpTitle: 'ワンタイムコードの設定',
  scan: '認証アプリでこのコードをスキャンしてください。',
  qrCode: '認証アプリ用のQRコード',
  byHand: 'または、このキーをアプリに入力してください：',
  open: 'このデバイスのアプリで開く',
  code: 'アプリに表示された6桁のコード',
  wrongCode: 'コードが正しくありません。デバイスの時計が正しいことを確認し、最新のコードを入力してください。',
  expired: '10分以上経過したか、別の場所で設定が開始されました。新しいQRコードで最初からやり直してください。',
  startAgain: '最初からやり直す',
  confirm: 'オンにする',
  codesTitle: 'リカバリーコードを保管してください',
  codesLead:
    'アプリが手元にないときに、各コードで1回ずつサインインできます。コードは今回だけ表示されます。ご自身だけがわかる場所に、アプリのあるデバイスとは別に保管してください。',
  codesOf: '{application}での{email}のリカバリーコード',
  copy: 'コピー',
  copied: 'コードをコピーしました。',
  notCopied: 'ブラウザーでコピーが許可されませんでした。コードを選択してコピーするか、ダウンロードしてください。',
  download: 'ダウンロード',
  print: '印刷',
  done: '保管しました',
  confirmOff: {
    title: 'ワンタイムコードをオフにしますか？',
    text: '今後はコードなしでサインインします。リカバリーコードは使用できなくなります。',
    submit: 'オフにする',
  },
  confirmNew: {
    title: '新しいリカバリーコードを作成しますか？',
    text: '現在のリカバリーコードは使用できなくなります。',
    submit: '新しいコードを作成',
  },
};

export const secondFactor: Translated<typeof english.secondFactor> = {
  title: 'コードの入力',
  lead: 'このアカウントには、認証アプリのコードが必要です。',
  leadRecovery: 'リカバリーコードを1つ入力してください。各コードは1回だけ使用できます。',
  code: '6桁のコード',
  recoveryCode: 'リカバリーコード',
  submit: 'サインイン',
  useRecoveryCode: 'リカバリーコードを使用',
  useApp: 'アプリのコードを使用',
  noRecoveryCode: 'リカバリーコードが残っていません。',
  passkey: '最初からやり直して、パスキーでサインインすることもできます。',
  wrong: 'コードが正しくないか、すでに使用されています。',
  limited: '誤ったコードの入力回数が多すぎます。{minutes, plural, other {#分}}お待ちください。',
  limitedRecovery: 'その間もリカバリーコードは使用できます。',
  overTitle: 'このサインインは終了しました',
  over: '5分以上経過したか、誤ったコードの入力回数が多すぎました。何も変更されていません。',
  startAgain: '再度サインイン',
  lost: 'アプリもリカバリーコードもありませんか？',
  lostText:
    'アカウントのコードを解除できるのは、このサービスの運営者だけです。依頼者がご本人であることを確認したうえで解除します。',
  support: '問い合わせる',
};
