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
  sent: '過去1時間以内に送信していない場合は、<address>{email}</address>にメールを送信します。メールには次の手順が記載されています。新しいアカウントの場合は確認用のリンク、すでにアカウントをお持ちの場合はサインインの案内です。',
  validity: 'リンクは24時間有効です。',
  earlier:
    '以前にこのアドレスで登録し、まだ確認していない場合は、最初に登録したときのパスワードが有効です。最初からやり直すには、メールの2つ目のリンクを使用してください。',
  missing: '数分経っても届きませんか？迷惑メールフォルダーをご確認ください。メールの送信は1時間に1回までです。',
  sendAgain: '再送信',
  sentAgain:
    'アドレスが確認待ちで、前回の送信から1時間以上経過している場合は、新しいメールをお送りします。その場合、以前のメールのリンクは使用できなくなることがあります。',
  otherAddress: '別のアドレスを使用',
  unansweredTitle: 'アカウントが作成された可能性があります',
  unanswered:
    'サービスが時間内に応答しませんでした。アカウントが作成されていれば、<address>{email}</address> 宛てにメールが届きます。メール内のリンクを開いてください。',
  unansweredMissing:
    '数分待っても届かない場合は、迷惑メールフォルダーを確認してから、もう一度登録してください。同じアドレスでも問題ありません。',
  again: 'もう一度登録する',
  readyTitle: 'サインインして続けてください',
  ready:
    'このアドレスがまだ登録されていなかった場合は、アカウントを使用できます。すでにアカウントがある場合、そのアカウントは何も変更されておらず、元のパスワードが有効です。',
};
