/** The messages of ../../en/organization/members.ts in Japanese. */
import type { Translated } from '../../../languages/translated.ts';
import type * as english from '../../en/organization/members.ts';

export const members: Translated<typeof english.members> = {
  security: '組織のセキュリティ',
  tokens: 'トークンとサービスアカウント',
  clients: '接続済みクライアント',
  audit: '監査ログ',
  title: 'メンバー',
  lead: '{organization}に所属している人と、招待中の人の一覧です。',
  left: '{organization}から脱退しました。',
  list: 'ユーザー',
  role: '役割：',
  status: '状態：',
  statuses: { JOINED: 'メンバー', INVITED: '招待中', EXPIRED: '招待の期限切れ' },
  columns: { person: 'ユーザー', role: '役割', since: '参加・招待', actions: '操作' },
  seats: '{members, plural, other {メンバー#人}}、{open, plural, other {保留中の招待#件}}',
  seatsOf:
    '{limit, number}シート中{taken, number}シートを使用中：{members, plural, other {メンバー#人}}、{open, plural, other {保留中の招待#件}}',
  noFilterMatches: 'これらのフィルターに一致するメンバーはいません。',
  search: '名前またはアドレスで検索',
  shown: '{total, plural, other {#人}}',
  shownOf: '{total, number}人中{shown, number}人を表示',
  noMatches: '名前またはアドレスに「{search}」を含むメンバーはいません。',
  clearSearch: 'すべてのメンバーを表示',
  you: 'あなた',
  invited: '招待中',
  expired: '招待の期限切れ',
  joined: '{date}に参加',
  openUntil: '招待の有効期限：{date}',
  expiredOn: 'リンクは{date}に期限切れ',
  roleOf: '{person}の役割：',
  actionsFor: '{person}の操作',
};

export const memberActions: Translated<typeof english.memberActions> = {
  resend: '招待を再送信',
  withdraw: '招待を取り消す',
  remove: '組織から削除',
  leave: '組織から脱退',
  done: {
    resend: '新しいリンクを{email}に送信しました。以前のリンクは使用できなくなりました。',
    withdraw: '{email}への招待を取り消しました。リンクは使用できなくなりました。',
    remove: '{person}をメンバーから削除しました。',
    leave: '{organization}から脱退しました。',
    role: '{person}の役割を{role}に変更しました。',
  },
  confirm: {
    withdraw: {
      title: '{email}への招待を取り消しますか？',
      text: 'メールのリンクはすぐに使用できなくなります。このアドレスはいつでも再び招待できます。',
      submit: '招待を取り消す',
    },
    remove: {
      title: '{person}を{organization}から削除しますか？',
      text: 'この組織での{email}のすべてのセッションがすぐに終了します。アカウント自体は残り、再び招待できます。',
      textWithTokens:
        'この組織での{email}のすべてのセッションと個人用トークンがすぐに終了します。アカウント自体は残り、再び招待できます。',
      submit: 'メンバーを削除',
    },
    leave: {
      title: '{organization}から脱退しますか？',
      text: 'この組織でのセッションはすぐに終了するため、再度サインインが必要になる場合があります。戻るには、新しい招待が必要です。',
      textWithTokens:
        'この組織でのセッションと個人用トークンはすぐに終了するため、再度サインインが必要になる場合があります。戻るには、新しい招待が必要です。',
      submit: '組織から脱退',
    },
    makeOwner: {
      title: '{person}を所有者にしますか？',
      text: '所有者は、{organization}で名前やプランの変更、あなたを含むメンバーの変更や削除など、すべての操作ができます。',
      submit: '所有者にする',
    },
    unmakeOwner: {
      title: '{person}から所有者の役割を外しますか？',
      text: '{email}の役割は{role}になります。セッションは有効なままですが、所有者だけに許可された操作はできなくなります。',
      submit: '役割を変更',
    },
    ownRole: {
      title: '自分の役割を変更しますか？',
      text: '今後の役割は{role}になります。現在の役割に戻すことができるのは、ほかのメンバーだけです。',
      submit: '自分の役割を変更',
    },
  },
};

export const invite: Translated<typeof english.invite> = {
  open: 'メンバーを招待',
  title: 'メンバーを招待',
  lead: '招待された人に、リンクを記載したメールが届きます。リンクは、本人だけが1回に限り使用できます。',
  titleMany: '複数のユーザーを招待',
  leadMany: 'メールアドレスを200件まで貼り付けることができます。送信する前に、各アドレスの処理内容を確認できます。',
  many: '複数のユーザーをまとめて招待',
  one: '1人を招待',
  role: '役割',
  roles: {
    MEMBER: '組織に所属している人を確認できます。',
    ADMIN: '所有者以外のユーザーの招待、変更、削除ができます。',
    OWNER: '名前やプランの変更を含む、すべての操作ができます。',
  },
  noScopes: '組織へのサインインだけができます。',
  alsoScopes: '{text}追加の権限：{scopes}。',
  moreScopes: '{scopes} · ほか{count, number}件',
  seats: {
    owner: 'プランを表示',
    other: '{organization}の所有者に、上位のプランへの変更を依頼してください。',
  },
  submit: '招待を送信',
  sent: '招待を送信しました',
  sentTo: '招待は<address>{email}</address>に届き、下の一覧に表示されます。',
  openUntil: 'リンクの有効期限：{date}',
};

export const membersForbidden: Translated<typeof english.membersForbidden> = {
  title: 'メンバーを表示できません',
  text: '{organization}に所属していますが、現在、ほかのメンバーを表示することはできません。',
  why: '理由：',
  plan: 'プランを表示',
};
