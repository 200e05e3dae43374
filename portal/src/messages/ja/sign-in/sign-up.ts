/** The messages of ../../en/sign-in/sign-up.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/sign-in/sign-up.ts';

export const signUp: Translated<typeof english.signUp> = {
  title: 'アカウントの作成',
  lead: 'アドレスを確認するためのリンクをお送りします。',
  leadWithProvider:
    '{provider}で続けるか、パスワードを設定してください。パスワードを設定した場合は、アドレスを確認するためのリンクをお送りします。',
  submit: 'アカウントを作成',
  haveAccount: 'すでにアカウントをお持ちですか？',
  signIn: 'サインイン',
};

export const checkMail: Translated<typeof english.checkMail> = {
  title: 'メールを確認してください',
  sent: '<address>{email}</address>にメールを送信しています。メールのリンクを開いて、ご自身のアドレスであることを確認してください。',
  validity: 'リンクは24時間有効です。',
  missing: '数分経っても届きませんか？迷惑メールフォルダーをご確認ください。メールの送信は1時間に1回までです。',
  sendAgain: '再送信',
  sentAgain:
    '前回の送信から1時間以上経過している場合は、新しいメールをお送りします。その場合、以前のメールのリンクは使用できなくなることがあります。',
  otherAddress: '別のアドレスを使用',
  unansweredTitle: 'アカウントが作成された可能性があります',
  unanswered:
    'サービスが時間内に応答しませんでした。アカウントが作成されていれば、<address>{email}</address> 宛てにメールが届きます。メール内のリンクを開いてください。',
  unansweredMissing:
    '数分待っても届かない場合は、迷惑メールフォルダーを確認してから、もう一度登録してください。同じアドレスでも問題ありません。',
  again: 'もう一度登録する',
  readyTitle: 'サインインできます',
  ready: 'このアドレスがまだ登録されていなかった場合は、アカウントを使用できます。',
};
