/** The mails in Japanese, in the polite form, with the words of the portal. */
import type { MailTexts } from '../mails.ts';

const signIn = 'サインイン';
const seeSecurity = 'アカウントのセキュリティを表示';
const seeWays = 'サインイン方法を表示';
const seeDevices = 'デバイスを表示';
const strangerHasSession =
  'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしています。「デバイス」ですべてサインアウトし、このサービスの運営者にお問い合わせください。';
const inviteRole =
  '{role, select, OWNER {所有者として} ADMIN {管理者として} MEMBER {メンバーとして} named {「{roleTitle}」の役割で} other {}}';
const inviteEnd = 'リンクを開くと、招待の内容が表示されます。7日以内に承諾した場合にのみ、組織に参加します。';
const inviteRemark =
  'この招待は{email}宛てです。このメールを転送しないでください。リンクを入手した人が、代わりに参加する可能性があります。招待者に心当たりがない場合は、このメールを無視してください。';
const kept =
  'このアドレスは最近まで、あるアカウントで使用されていました。その変更をお知らせしたメールのリンクにより、{until}まで元に戻すことができます。それまでは、ほかのアカウントでこのアドレスを使用することはできません。';
const account = '{hasEmail, select, yes {{provider}のアカウント「{email}」} other {{provider}のアカウント}}';
const linkedByAddress = `{at}に、${account}があなたのアカウントに接続されました。アドレスが同じで、ここでのサインインに使用されたためです。今後は、このアカウントであなたのアカウントにサインインできます。`;
const disconnect =
  'ご自身の操作でない場合は、パスワードでサインインし、「サインイン方法」で{provider}の接続を解除して、「デバイス」ですべてサインアウトしてください。';
const disconnectAndSecure = `${disconnect}その場合、第三者があなたのアドレスで{provider}のアカウントを使用できる可能性があります。そのアカウントも保護してください。`;
const secureProvider =
  'ご自身の操作でない場合は、第三者があなたのアドレスで{provider}のアカウントを使用できる状態です。そのアカウントを保護し、このサービスの運営者にお問い合わせください。';
const nothingToDo =
  'ご自身の操作でない場合も、何もする必要はありません。相手への応答から、アカウントがあることは知られていません。';
const way = '{way, select, password {パスワード} other {パスキー}}';
const changedByOwner = 'アカウントのアドレスをご自身で変更した場合は、何もする必要はありません。';
const notAsked = '依頼した覚えがない場合は、このサービスの運営者にお問い合わせください。';
const keptTokens =
  '{tokens, plural, =0 {} other {個人用トークン（#個）は引き続き有効です。新しいパスワードを設定しても失効しません。}}';

export const texts: MailTexts = {
  shared: {
    greeting: '{name}様',
    greetingWithoutName: 'こんにちは。',
    support: 'サポート：',
    openAddress: 'ボタンが機能しない場合は、次のアドレスを開いてください：',
    identityProvider: 'IDプロバイダー',
  },
  verification: {
    subject: 'メールアドレスを確認してください',
    body: '{at}に、このアドレスでアカウントが申し込まれました。ご自身で申し込んだ場合は、ご自身のアドレスであることを確認してください。確認後、サインインできるようになります。',
    action: 'アドレスを確認',
    secondAction: '申し込んでいません',
    remark:
      '1つ目のリンクは、24時間以内に1回だけ使用できます。2つ目のリンクを使用すると、申し込まれたアカウントが削除されます。どちらのリンクも使用しない場合、アカウントは使用できないままとなり、1つ目のリンクの期限が切れてから1週間後に削除されます。',
  },
  alreadyRegistered: {
    subject: 'すでにアカウントをお持ちです',
    body: '{at}に、このアドレスでの登録が試みられました。ご自身による操作と思われます。このアドレスにはすでにアカウントがあり、その内容は何も変更されていません。',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'すでにアカウントをお持ちです',
    body: '{at}に、別のアカウントにサインインしている人が、そのアカウントでこのアドレスを使用することを申請しました。ご自身による操作と思われます。このアドレスにはすでにアカウントがあり、その内容は何も変更されていません。',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'このアドレスはアカウントのために確保されています',
    body: `{at}に、このアドレスでの登録が試みられました。${kept}`,
    remark: changedByOwner,
  },
  addressKeptChange: {
    subject: 'このアドレスはアカウントのために確保されています',
    body: `{at}に、別のアカウントにサインインしている人が、そのアカウントでこのアドレスを使用することを申請しました。${kept}`,
    remark: changedByOwner,
  },
  emailChangeConfirmation: {
    subject: '新しいメールアドレスを確認してください',
    body: '{at}に、{email}のアカウントにサインインしている人が、そのアカウントでこのアドレスを使用することを申請しました。ご自身で申請した場合は、リンクを開いて変更を確認してください。\n\n変更後はこのアドレスでサインインし、アカウントのメールもこのアドレスに届きます。',
    action: '新しいアドレスを確認',
    remark:
      'リンクは、そのアカウントにサインインしている場合に限り、24時間以内に1回だけ使用できます。ご自身の操作でない場合は、何もする必要はありません。何も変更されません。',
  },
  emailChangeRequested: {
    subject: 'アカウントの新しいメールアドレスが申請されました',
    body: '{at}に、あなたのアカウントにサインインしているセッションで、アドレスを{newEmail}に変更することが申請されました。新しいアドレスが確認されるまで、何も変更されません。確認されると、このアドレスにお知らせします。',
    action: 'アカウントを表示',
    remark:
      'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしています。パスワードを変更し、すべてサインアウトしてください。どちらの操作でも、申請は取り消されます。',
  },
  emailChanged: {
    subject: 'アカウントのメールアドレスが変更されました',
    body: '{at}に、アカウントのアドレスが{email}から{newEmail}に変更されました。ご自身で変更した場合は、何もする必要はありません。\n\nご自身の操作でない場合は、このリンクで変更を元に戻してください。このアドレスと、変更が申請された時点のパスワードに戻り、その後に追加されたサインイン方法が削除され、すべてのデバイスからサインアウトします。',
    action: '変更を元に戻す',
    remark:
      'リンクは、72時間以内に1回だけ使用できます。このメールを転送しないでください。リンクを入手した人が、変更を元に戻す可能性があります。',
  },
  emailChangeUndone: {
    subject: 'アカウントのメールアドレスが元に戻りました',
    body: 'アカウントのアドレスは再びこのアドレスになり、サインイン方法は{at}の時点のものに戻りました。パスワードも当時のもので、その後に追加されたものはありません。すべてのデバイスとクライアントからサインアウトしました。\n\n元に戻した変更がご自身の申請によるものでない場合は、第三者があなたのアカウントにサインインしていました。サインインして、パスワードを変更してください。',
    action: signIn,
    remark: 'サインインできない場合は、このサービスの運営者にお問い合わせください。',
  },
  invitation: {
    subject: '「{organization}」への招待',
    body: `{inviter}さんから、${inviteRole}「{organization}」に参加するよう招待されています。\n\n${inviteEnd}`,
    action: '招待を表示',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: '「{organization}」への招待',
    body: `${inviteRole}「{organization}」に参加するよう招待されています。\n\n${inviteEnd}`,
    action: '招待を表示',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'サインインにワンタイムコードが必要になりました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、認証アプリが追加されました。サインインするときに、パスワードに加えて、このアプリのコードまたはリカバリーコードが必要です。',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'ワンタイムコードのアプリが変更されました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、認証アプリが別のものに変更されました。以前のアプリのコードと以前のリカバリーコードは使用できなくなりました。',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'サインインにワンタイムコードが不要になりました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、アカウントの認証アプリとリカバリーコードが削除されました。',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'リカバリーコードが新しくなりました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、新しいリカバリーコードが作成されました。以前のコードは使用できなくなりました。',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'アカウントのリカバリーコードが使用されました',
    body: '{at}に、ワンタイムコードの代わりにリカバリーコードが使用されました。{left, plural, =0 {リカバリーコードは残っていません。新しく作成してください。} other {リカバリーコードは残り#個です。}}',
    action: seeSecurity,
    remark:
      'ご自身の操作でない場合は、第三者があなたのリカバリーコードとパスワードを知っています。パスワードを変更し、新しいリカバリーコードを作成してください。',
  },
  passkeyAdded: {
    subject: 'アカウントにパスキーが追加されました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、パスキー「{passkey}」が追加されました。今後は、このパスキーでアカウントにサインインできます。',
    action: 'パスキーを表示',
    remark:
      'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしています。「デバイス」ですべてサインアウトし、パスワードを変更して、このサービスの運営者にお問い合わせください。運営者がパスキーを削除できます。',
  },
  passkeyRemoved: {
    subject: 'アカウントからパスキーが削除されました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、パスキー「{passkey}」が削除されました。今後は、このパスキーでアカウントにサインインできません。現在のセッションは、サインインしたままになります。',
    action: 'パスキーを表示',
    remark:
      'ご自身の操作でない場合は、サインインしてパスワードを変更し、「デバイス」ですべてサインアウトしてください。',
  },
  passwordAdded: {
    subject: 'パスワードでサインインできるようになりました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、パスワードが追加されました。ほかのすべてのデバイスとクライアントからサインアウトしました。${keptTokens}`,
    action: seeDevices,
    remark:
      'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしています。このサービスの運営者にお問い合わせください。',
  },
  passwordChanged: {
    subject: 'アカウントのパスワードが変更されました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、パスワードが変更されました。ほかのすべてのデバイスとクライアントからサインアウトしました。${keptTokens}`,
    action: seeDevices,
    remark:
      'ご自身の操作でない場合は、第三者が以前のパスワードを知っており、あなたのアカウントにサインインしています。このサービスの運営者にお問い合わせください。',
  },
  passwordRemoved: {
    subject: 'アカウントのパスワードが削除されました',
    body: '{at}に、{provider}で開始されたセッションで、アカウントのパスワードが削除されました。ほかのすべてのデバイスとクライアントからサインアウトしました。今後は{provider}でサインインします。',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'このサービスの運営者が、アカウントの新しいパスワードを設定しました',
    body: '{at}に、このサービスの運営者があなたのアカウントの新しいパスワードを設定し、すべてのデバイスとクライアントからサインアウトしました。パスワードは、メール以外の方法で運営者からお知らせします。\n\nそのパスワードでサインインし、アカウントでパスワードを変更してください。変更後のパスワードは、ご本人だけが知るものになります。',
    action: signIn,
    remark: notAsked,
  },
  secondFactorRemoved: {
    subject: 'アカウントの2つ目の認証要素が削除されました',
    body: '{at}に、このサービスの運営者があなたのアカウントのパスキー、ワンタイムコード、リカバリーコードを削除しました。いずれも使用できなくなりました。\n\n今後は、これらなしでサインインします。アカウントで新しく追加できます。',
    action: 'アカウントを表示',
    remark: notAsked,
  },
  identityLinked: {
    subject: '{provider}でサインインできるようになりました',
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: '{provider}でサインインできるようになりました',
    body: `${linkedByAddress}\n\nこのアカウントにはパスワードもあります。ご自身で設定したものでない場合は、{provider}でサインインしてください。パスワードを削除するかどうかの確認が、1回表示されます。削除すると、ほかのすべてのデバイスからサインアウトします。`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: '{provider}でサインインできるようになりました',
    body: `${linkedByAddress}\n\nそれまでアカウントのアドレスが確認されていなかったため、アカウントのパスワードは削除され、そのパスワードで開始されたすべてのセッションが終了しました。`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: '{provider}でサインインできるようになりました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、${account}が接続されました。今後は、このアカウントであなたのアカウントにサインインできます。`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: '{provider}ではサインインできなくなりました',
    body: `{at}に、あなたのアカウントにサインインしていたセッションで、${account}の接続が解除されました。今後は${way}でサインインします。\n\n現在のセッションは、サインインしたままになります。このアドレスで再び{provider}からサインインすると、もう一度接続される場合があります。`,
    action: seeWays,
    remark: `ご自身の操作でない場合は、${way}でサインインし、「デバイス」ですべてサインアウトしてください。`,
  },
  suspended: {
    subject: 'アカウントが停止されました',
    body: '{at}に、このサービスの管理者があなたのアカウントを停止しました。すべてのデバイスとクライアントからサインアウトし、停止が解除されるまで、アカウントにサインインできません。\n\nアカウントの内容は保持されます。',
    remark: 'ご不明な点がある場合は、このサービスの運営者にお問い合わせください。',
  },
  reinstated: {
    subject: 'アカウントの停止が解除されました',
    body: '{at}に、あなたのアカウントの停止が解除されました。再びサインインできます。',
    action: signIn,
    remark: '以前のセッションは終了したままです。各デバイスで再度サインインし、MCPクライアントを接続し直してください。',
  },
  organizationDeleted: {
    subject: '{organization}が削除されました',
    body: '{deleter}さんが、組織「{organization}」を削除しました。メンバーはこの組織を使用できなくなり、招待も使用できなくなりました。\n\n{until}までは、所有者が元の状態に復元できます。その後は完全に削除されます。',
    action: '所属する組織を表示',
    remark: 'このメールは、組織の所有者にお送りしています。',
  },
  accountDeleted: {
    subject: 'アカウントが削除されました',
    body: '{at}に、あなたのアカウントにサインインしていたセッションで、アカウントと、保存されていたあなたのすべてのデータが削除されました。元に戻すことはできません。\n\nこのアドレスは、再びアカウントの作成に使用できます。',
    remark:
      'ご自身の操作でない場合は、第三者があなたのアカウントにサインインしていました。このサービスの運営者にお問い合わせください。',
  },
};
